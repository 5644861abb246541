/** One random walk: from the acceptance of a run to its end, by moves that a seed picks. */
import { mulberry32 } from '../../../../src/local/sample/random.ts';
import type { JsonValue } from '../../../../src/plan/types.ts';
import { HttpProblem } from '../../../../src/runs/http/problem.ts';
import { startRun } from '../../../../src/runs/start.ts';
import { alice } from '../../services/driveRun.ts';
import { VirtualTime } from './virtualTime.ts';
import { walkServices, type WalkServices } from './walkServices.ts';
import type { Request, WalkScenario } from './walkScenarios.ts';
import { World, type Work } from './world.ts';

const MOST_STEPS = 20_000;

/** Where a walk likes to strike: rare calls would hardly ever be met by chance. */
const FOCUSES = [
  ...['createRun', 'moveRun', 'savePlan', 'reserve', 'complete', 'fail', 'finishRun', 'recordDecisions', 'put', 'run'],
  ...['setControl', 'setHeld', 'stopRun', 'planInstance', 'moveInstance', 'saveExpansion', 'startNew', 'raiseEvent'],
  ...['submit', 'submit', 'submitted', 'submitted', 'poll', 'follow', 'renew', 'none'],
] as const;

/** What a walk may still do beside what has to happen. Each costs a node at most one attempt; tools allow five. */
interface Budget {
  crash: number;
  breaks: number;
  duplicates: number;
  haste: number;
}

export interface WalkEnd {
  readonly services: WalkServices;
  readonly runId: string;
  readonly world: World;
  /** Faults that may cost an effect-free execution: crashes, broken calls, time that passed too fast. */
  readonly costly: number;
  /** From the last request that was answered well to the end, ms. */
  readonly tookMs: number;
  readonly trace: readonly string[];
}

interface Move {
  readonly weight: number;
  readonly label: string;
  readonly make: () => void;
}

class Walk {
  readonly #random: () => number;
  readonly #world: World;
  readonly #services: WalkServices;
  readonly #budget: Budget;
  readonly #focus: string;
  readonly trace: string[] = [];
  runId: string | undefined;
  costly = 0;
  /** When the last request was answered well, and when the run's own instance had ended, on the walk's clock. */
  answeredAt = 0;
  endedAt = 0;
  /** Requests that have not been answered yet, in order; the first may be under way. */
  #requests: Request[] = [];
  #request: Work | undefined;

  constructor(seed: number, scenario: WalkScenario, services: WalkServices, time: VirtualTime, budget: Budget) {
    this.#random = mulberry32(seed);
    this.#services = services;
    this.#world = new World(services, time);
    this.#budget = budget;
    this.#focus = FOCUSES[Math.floor(this.#random() * FOCUSES.length)] ?? 'none';
    this.#requests = [
      async (given, engine) => {
        const body = { plan: scenario.plan as JsonValue };
        const started = await startRun(given, engine, alice, { body, key: 'walk', origin: 'http://localhost' });
        this.runId = started.runId;
      },
      ...(scenario.requests ?? []),
    ];
  }

  get world(): World {
    return this.#world;
  }

  async run(): Promise<void> {
    for (let step = 0; step < MOST_STEPS; step += 1) {
      await this.#world.settle();
      this.#finishRequest();
      if (this.endedAt === 0 && this.#world.instances.get(this.runId ?? '')?.hand.ended !== undefined)
        this.endedAt = this.#services.clock;
      const moves = this.#moves();
      if (moves.length === 0) {
        if (this.#over()) return;
        throw new Error('nothing can happen any more, and the run has not ended');
      }
      const move = this.#pick(moves);
      this.trace.push(move.label);
      move.make();
    }
    throw new Error(`no end after ${String(MOST_STEPS)} moves`);
  }

  #over(): boolean {
    return this.runId !== undefined && this.#world.instances.size > 0 && this.#world.allEnded;
  }

  #pick(moves: readonly Move[]): Move {
    let at = this.#random() * moves.reduce((sum, move) => sum + move.weight, 0);
    for (const move of moves) {
      at -= move.weight;
      if (at < 0) return move;
    }
    return moves.at(-1) as Move;
  }

  #moves(): Move[] {
    const moves = [...this.#progress(), ...this.#faults()];
    const due = this.#world.nextDue();
    const idle = moves.every((move) => move.weight < 1);
    if (due !== undefined && !this.#over()) {
      // Nobody forgets for long what he still wants to ask: a deadline is not waited for.
      const soon = this.#requests.length === 0 || due - this.#services.clock < 60_000;
      if (idle && soon) moves.push({ weight: 10, label: 'time passes', make: () => this.#world.advanceTo(due) });
      if (this.#budget.haste > 0 && this.#world.working.length > 0) moves.push(this.#hasty());
    }
    return moves;
  }

  /** Time passes while somebody is at work: leases may run out under a living owner. */
  #hasty(): Move {
    return {
      weight: 0.3,
      label: 'time flies',
      make: () => {
        this.#budget.haste -= 1;
        this.costly += this.#atWork();
        this.#world.advanceTo(this.#services.clock + Math.floor(this.#random() * 8_000));
      },
    };
  }

  #progress(): Move[] {
    const moves: Move[] = [];
    for (const gate of this.#world.gates) {
      const name = `${gate.site.part}.${gate.site.method} of ${gate.work.label}`;
      moves.push({ weight: 4, label: name, make: () => gate.pass('go') });
    }
    for (const { instance, call } of this.#world.waiting()) {
      const make = (): void => {
        if (call.kind === 'child') this.#world.startChild(instance, call);
        else this.#world.activity(instance, call, 'activity');
      };
      moves.push({ weight: 4, label: `deliver ${call.label} of ${instance.id}`, make });
    }
    for (const work of this.#world.working) {
      if (work.outcome === undefined || work.kind === 'request') continue;
      moves.push({ weight: 4, label: `answer of ${work.label}`, make: () => this.#world.answer(work) });
    }
    const request = this.#requests[0];
    if (request !== undefined && this.#request === undefined) {
      const label = this.runId === undefined ? 'start' : 'request';
      // A user who waits for nothing else must not wait for ever: with nothing to do, it is sent.
      moves.push({ weight: label === 'start' ? 4 : 0.7, label, make: () => this.#send(request, label) });
    }
    return moves;
  }

  #faults(): Move[] {
    const moves: Move[] = [];
    const budget = this.#budget;
    if (budget.crash > 0 && (this.#world.working.length > 0 || this.#request !== undefined))
      moves.push({ weight: 0.25, label: 'crash', make: () => this.#crash() }, ...this.#crashesAfter());
    if (budget.breaks > 0) {
      for (const gate of this.#world.gates) {
        for (const how of ['before', 'after'] as const) {
          const label = `break ${how} ${gate.site.part}.${gate.site.method} of ${gate.work.label}`;
          const weight = gate.site.method === this.#focus ? 2 : 0.1;
          moves.push({ weight, label, make: () => this.#break(() => gate.pass(how)) });
        }
      }
      for (const work of this.#world.working) {
        if (work.outcome === undefined || work.to === null) continue;
        const label = `lose answer of ${work.label}`;
        // A lost answer costs an attempt, never an execution.
        moves.push({
          weight: 0.3,
          label,
          make: () => {
            budget.breaks -= 1;
            this.#world.lose(work);
          },
        });
      }
    }
    if (budget.duplicates > 0) moves.push(...this.#duplicates());
    return moves;
  }

  /** The call is made, and whoever made it never hears of it. */
  #crashesAfter(): Move[] {
    return this.#world.gates
      .filter((gate) => gate.site.method === this.#focus)
      .map((gate) => ({
        weight: 1.5,
        label: `crash after ${gate.site.part}.${gate.site.method} of ${gate.work.label}`,
        make: () => {
          gate.pass('go');
          this.#crash();
        },
      }));
  }

  #duplicates(): Move[] {
    return [...this.#world.instances.values()].flatMap((instance) =>
      instance.hand.calls
        .filter((call) => call.kind === 'activity')
        .map((call) => ({
          weight: call.settled === undefined ? 0.1 : 0.02,
          label: `again ${call.label} of ${instance.id}`,
          make: () => {
            this.#budget.duplicates -= 1;
            this.#world.activity(instance, call, 'duplicate');
          },
        })),
    );
  }

  #break(make: () => void): void {
    this.#budget.breaks -= 1;
    this.costly += 1;
    make();
  }

  #crash(): void {
    this.#budget.crash -= 1;
    this.costly += this.#atWork();
    this.#world.crash();
    this.#request = undefined;
  }

  /** Operations that a crash or a lapsed lease may cost one execution each. */
  #atWork(): number {
    return new Set(this.#world.working.map((work) => work.to?.call)).size;
  }

  #send(request: Request, label: string): void {
    this.#request = this.#world.begin({
      label,
      to: null,
      kind: 'request',
      start: (services, engine) => request(services, engine, this.runId ?? ''),
    });
  }

  /** As a careful client: what was not answered, or with 5xx, is sent again; anything else is the answer. */
  #finishRequest(): void {
    const request = this.#request;
    if (request?.outcome === undefined) return;
    this.#request = undefined;
    this.#world.drop(request);
    const { outcome } = request;
    const refused = !outcome.ok && outcome.error instanceof HttpProblem;
    if (!outcome.ok && !refused) return;
    this.#requests = this.#requests.slice(1);
    if (outcome.ok) this.answeredAt = this.#services.clock;
    this.trace.push(`${request.label} answered ${outcome.ok ? 'well' : 'no'}`);
  }
}

/**
 * Walks once. The same seed takes the same way.
 * @throws with the seed and the last moves when it does not come to an end
 */
export async function walkOnce(seed: number, scenario: WalkScenario, faults = true): Promise<WalkEnd> {
  const services = await walkServices(seed);
  const time = new VirtualTime(services.clock);
  const dice = mulberry32(seed ^ 0x5eed);
  const none = { crash: 0, breaks: 0, duplicates: 0, haste: 0 };
  const some = {
    crash: Math.floor(dice() * 3),
    breaks: Math.floor(dice() * 4),
    duplicates: Math.floor(dice() * 6),
    haste: Math.floor(dice() * 3),
  };
  const walk = new Walk(seed, scenario, services, time, faults ? some : none);
  time.install();
  try {
    await walk.run();
  } catch (error) {
    const last = walk.trace.slice(-40).join('\n  ');
    throw new Error(`seed ${String(seed)}, ${scenario.name}: ${String(error)}\n  ${last}`, { cause: error });
  } finally {
    time.restore();
  }
  const { runId = '', world, costly, trace } = walk;
  const tookMs = walk.endedAt - walk.answeredAt;
  return { services, runId, world, costly, tookMs, trace };
}
