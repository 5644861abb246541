/** For tests: the entry file of the test app, and its journal. */
import { fileURLToPath } from 'node:url';

export const TEST_APP = fileURLToPath(new URL('app.ts', import.meta.url));
export { journalLines, type JournalLine } from './journal.ts';
