/** All cases, and the app that they talk to. */
import { fileURLToPath } from 'node:url';
import { activityCases } from './cases/activities.ts';
import { brokenCases } from './cases/broken.ts';
import { childCases } from './cases/children.ts';
import { controlCases } from './cases/control.ts';
import { eventCases } from './cases/events.ts';
import { manageCases } from './cases/managing.ts';
import { outputCases } from './cases/outputs.ts';
import { startCases } from './cases/starting.ts';
import { timerCases } from './cases/timers.ts';
import type { ConformanceCase } from './types.ts';

export const CONFORMANCE_APP = fileURLToPath(new URL('app', import.meta.url));
export const ENTRY_FILES = [
  'payloads.ts',
  'activities.ts',
  'activityOrchestrators.ts',
  'changingOrchestrators.ts',
  'eventOrchestrators.ts',
  'familyOrchestrators.ts',
];

/** CONFORMANCE_ONLY: a pattern of case names, for work on one of them. */
const only = new RegExp(process.env['CONFORMANCE_ONLY'] ?? '');
export const CASES: readonly ConformanceCase[] = [
  ...activityCases,
  ...outputCases,
  ...eventCases,
  ...timerCases,
  ...childCases,
  ...brokenCases,
  ...controlCases,
  ...startCases,
  ...manageCases,
].filter((one) => only.test(one.name));
