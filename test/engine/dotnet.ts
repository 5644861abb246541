import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const HOST_FOLDER = join(import.meta.dirname, 'host');
export const HOST_DLL = join(HOST_FOLDER, 'bin/Release/net10.0/EngineHost.dll');

/** Why the engine can't run here, or undefined when a .NET 10 SDK is there. */
function reasonMissing(): string | undefined {
  const probe = spawnSync('dotnet', ['--list-sdks'], { encoding: 'utf8' });
  if (probe.error !== undefined)
    return `no dotnet on PATH (${probe.error.message}); the engine tests need the .NET 10 SDK`;
  return /^[1-9]\d\./m.test(probe.stdout)
    ? undefined
    : `no .NET SDK 10 or later (found: ${probe.stdout.trim() || 'none'})`;
}

let looked: { readonly reason: string | undefined } | undefined;

/**
 * Why the engine can't run here, to skip its tests with the reason; undefined when it can.
 * @throws where it is required: CI=true or GEOAGENT_REQUIRE_ENGINE=1
 */
export function engineMissing(): string | undefined {
  looked ??= { reason: reasonMissing() };
  const required = process.env['GEOAGENT_REQUIRE_ENGINE'] === '1' || process.env['CI'] === 'true';
  if (looked.reason !== undefined && required) throw new Error(`The engine tests are required here: ${looked.reason}`);
  return looked.reason;
}

let built: Promise<void> | undefined;

/** Restores and builds the .NET host, once a process; rejects with the compiler's output. */
export function buildEngineHost(): Promise<void> {
  built ??= run('dotnet', ['build', '-c', 'Release', '--nologo', '-v', 'q'], {
    cwd: HOST_FOLDER,
    maxBuffer: 16 << 20,
  }).then(
    () => undefined,
    (error: unknown) => {
      const { stdout = '' } = error as { stdout?: string };
      throw new Error(`The engine host can't be built:\n${stdout.slice(-4_000)}`, { cause: error });
    },
  );
  return built;
}
