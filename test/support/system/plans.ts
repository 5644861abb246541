import { barePlan, examplePlan } from '../catalog/plans.ts';

/** The two plans of the design document. */
export const EXAMPLE_PLAN = examplePlan();
export const BARE_PLAN = barePlan();

export const ITALIAN_GOAL =
  'Analizza le precipitazioni delle ultime 24 ore, individua le aree potenzialmente critiche e produci una mappa delle infrastrutture esposte';
