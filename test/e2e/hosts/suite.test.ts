import { describe } from 'vitest';
import { suite } from '../../support/suite/cases/index.ts';
import { defineSuite } from '../../support/suite/suite.ts';

describe('the embedded host', () => {
  defineSuite('embedded', suite);
});
