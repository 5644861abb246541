import { factsOf, type WalkFacts } from './walkFacts.ts';
import { judgeWalk } from './walkOracle.ts';
import { walkOnce } from './walk.ts';
import { WALK_SCENARIOS, type WalkScenario } from './walkScenarios.ts';

export interface WalkFailure {
  readonly seed: number;
  readonly scenario: string;
  readonly problems: readonly string[];
  readonly trace: readonly string[];
}

/** The seed picks the scenario too, so that one number replays a walk. */
export const scenarioOf = (seed: number): WalkScenario => WALK_SCENARIOS[seed % WALK_SCENARIOS.length] as WalkScenario;

/** Seeds of the fault-free walks, away from all others. */
const FAULT_FREE = 0x7000_0000;
const wanted = new Map<string, Promise<WalkFacts>>();

/** The end without faults and without a user's requests. */
function faultFree(scenario: WalkScenario): Promise<WalkFacts> {
  const known = wanted.get(scenario.name);
  if (known !== undefined) return known;
  const { requests: _requests, ...alone } = scenario;
  const seed = FAULT_FREE + wanted.size;
  const made = walkOnce(seed, alone, false).then(factsOf);
  wanted.set(scenario.name, made);
  return made;
}

/** Walks `seed`; undefined = as it must be. */
export async function walk(seed: number): Promise<WalkFailure | undefined> {
  const scenario = scenarioOf(seed);
  const want = await faultFree(scenario);
  try {
    const end = await walkOnce(seed, scenario);
    const problems = judgeWalk(scenario, want, await factsOf(end));
    await end.services.ledger.close();
    return problems.length === 0 ? undefined : { seed, scenario: scenario.name, problems, trace: end.trace };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { seed, scenario: scenario.name, problems: [text], trace: [] };
  }
}
