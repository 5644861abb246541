import { startEmbedded } from './embedded.ts';
import { startEngine } from './engine.ts';
import type { HostName, TestHost, TestHostOptions } from './types.ts';

/**
 * Starts a host over an app (default: this repository's own) on the test file's storage emulator, with a fresh task hub
 * and state folder; resolves when HTTP is served and instances can be started.
 */
export function startTestHost(name: HostName, options: TestHostOptions = {}): Promise<TestHost> {
  return name === 'embedded' ? startEmbedded(options) : startEngine(options);
}
