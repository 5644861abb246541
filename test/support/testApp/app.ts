/**
 * The product with test tools, as an entry file for any host: `startHost({ entryFiles: [TEST_APP] })`. Registers
 * everything in src/functions, whatever there is. Set TEST_JOURNAL to a file to count executions.
 */
import { readdirSync } from 'node:fs';
import { changeServices } from '../../../src/runs/compose.ts';
import { withTestTools } from './change.ts';

changeServices(withTestTools);

const functions = new URL('../../../src/functions/', import.meta.url);
for (const file of readdirSync(functions).sort()) if (file.endsWith('.ts')) await import(new URL(file, functions).href);
