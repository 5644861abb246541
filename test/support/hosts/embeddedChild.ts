/**
 * Child process of a test: the embedded host over an app, so that a test can kill it. The first argument is its setup as
 * JSON; it sends `ready`, and answers `advance` and `now` messages. Ends when the parent is gone.
 */
import { startHost } from '../../../src/local/host/index.ts';
import { shiftProcessClock } from './shiftedClock.ts';

export interface EmbeddedSetup {
  readonly appDirectory: string;
  readonly entryFiles: readonly string[];
  readonly stateDirectory: string;
  readonly port: number;
  readonly clock: boolean;
  /** Shift of the clock that an earlier process of this test had, ms. */
  readonly shiftMs: number;
  readonly enableAuth: boolean;
  readonly strict: boolean;
}

export type ToChild = { readonly id: number; readonly advance: number } | { readonly id: number; readonly now: true };
export type FromChild =
  | { readonly ready: { readonly port: number; readonly durableKey: string; readonly masterKey: string } }
  | { readonly id: number; readonly now: number };

const setup = JSON.parse(process.argv[2] ?? '{}') as EmbeddedSetup;
const clock = setup.clock ? shiftProcessClock() : undefined;
clock?.advance(setup.shiftMs);
const send = (message: FromChild): void => void process.send?.(message);

const host = await startHost({
  appDirectory: setup.appDirectory,
  stateDirectory: setup.stateDirectory,
  port: setup.port,
  enableAuth: setup.enableAuth,
  strict: setup.strict,
  ...(setup.entryFiles.length === 0 ? {} : { entryFiles: setup.entryFiles }),
  ...(clock === undefined ? {} : { clock }),
});
process.on('message', (message: ToChild) => {
  if ('advance' in message) clock?.advance(message.advance);
  send({ id: message.id, now: Date.now() });
});
const stop = (): void => void host.stop().then(() => process.exit(0));
process.on('SIGTERM', stop);
process.on('disconnect', stop);
send({ ready: { port: host.port, durableKey: host.keys.durable, masterKey: host.keys.master } });
