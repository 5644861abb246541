import type { Case } from '../case.ts';
import { controlCases } from './control.ts';
import { crashCases } from './crashes.ts';
import { instanceCases } from './instances.ts';
import { jobCases } from './jobs.ts';
import { conditionCases, loopCases, waitCases } from './loops.ts';
import { runCases } from './runs.ts';

/** Every case of the end-to-end suite. */
export const suite: readonly Case[] = [
  ...runCases,
  ...controlCases,
  ...loopCases,
  ...conditionCases,
  ...waitCases,
  ...jobCases,
  ...instanceCases,
  ...crashCases,
];
