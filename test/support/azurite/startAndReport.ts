/** Child process of a test: starts the emulator, reports it, and waits to be killed. */
import { ensureAzurite } from '../../../src/local/azurite/ensureAzurite.ts';

const { pid, connectionString } = await ensureAzurite({ stateDirectory: process.argv[2] ?? '' });
process.send?.({ pid, connectionString });
setInterval(() => undefined, 1_000);
