import { describe } from 'vitest';
import { suite } from '../support/suite/cases/index.ts';
import { defineSuite } from '../support/suite/suite.ts';
import { engineMissing } from './harness.ts';

const missing = engineMissing();
if (missing !== undefined) console.warn(`engine suite skipped: ${missing}`);

describe.skipIf(missing !== undefined)('the real engine', () => {
  defineSuite('engine', suite);
});
