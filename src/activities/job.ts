import type { JobState, JobSteps, ToolRun } from '../catalog/tool.ts';
import type { OperationRow } from '../ledger/port.ts';
import { ToolError, type NodeError } from '../plan/errors.ts';
import { sha256Hex } from '../plan/sha256.ts';
import { pause } from '../runs/owner.ts';
import type { Services } from '../runs/services.ts';
import { Lease } from './lease.ts';
import type { NodeContext } from './nodeContext.ts';
import type { NodeInputs } from './nodeInputs.ts';
import { asNodeError, shortError } from './result.ts';
import { completeWith, OWNER_MS } from './runTool.ts';

/** The job is not settled: look again then. */
export interface Later {
  readonly afterMs: number;
}

const FIRST_POLL_MS = 1_000;
const MOST_POLL_MS = 3_600_000;
const LEAST_POLL_MS = 250;
const AGAIN_MS = 5_000;
/** After a cancel: times the service is asked how the job ended, and the longest pause between two. */
const FOLLOW_UP = 5;
const FOLLOW_UP_MS = 2_000;

/** Key under which an attempt is submitted: the operation's own, and another for each later attempt. */
export function submitKey(operationKey: string, attempt: number): string {
  return attempt === 1 ? operationKey : sha256Hex(`submit.v1:${operationKey}:${String(attempt)}`);
}

/** One round with the service, as the owner of the operation. Settles it in the ledger or says when to look again. */
export class Job {
  readonly #services: Services;
  readonly #context: NodeContext;
  readonly #row: OperationRow;
  readonly #token: number;
  readonly #steps: JobSteps<unknown>;

  constructor(services: Services, context: NodeContext, row: OperationRow, token: number) {
    if (context.tool.job === undefined) throw new ToolError('STATE_INVALID', `${context.tool.name} is no remote job.`);
    this.#services = services;
    this.#context = context;
    this.#row = row;
    this.#token = token;
    this.#steps = context.tool.job;
  }

  /** @param stop why the job must end now */
  async step(stop: NodeError | null, read: () => Promise<NodeInputs>): Promise<Later | 'settled'> {
    let inputs: NodeInputs;
    try {
      inputs = await read();
    } catch (error) {
      const failure = asNodeError(error);
      if (failure.class === 'transient') throw error;
      // Without its inputs a job that may be there can't be asked about any more.
      return this.#fail(this.#mayBeThere() ? { ...failure, class: 'unknown' } : failure);
    }
    const lease = new Lease(
      this.#services,
      this.#context.run,
      this.#context.operationKey,
      this.#token,
      OWNER_MS,
      false,
    );
    try {
      // An id without that state is of an earlier attempt.
      const externalJobId = this.#row.state === 'reserved' ? null : this.#row.externalJobId;
      if (externalJobId === null) return await this.#submit(inputs, lease, stop);
      if (stop !== null) return await this.#cancel(inputs, lease, externalJobId, stop);
      return await this.#poll(inputs, lease, externalJobId);
    } finally {
      lease.release();
    }
  }

  async #submit(inputs: NodeInputs, lease: Lease, stop: NodeError | null): Promise<Later | 'settled'> {
    const key = submitKey(this.#row.operationKey, this.#row.attempt);
    if (this.#mayBeThere() || this.#row.attempt > 1) {
      const found = await this.#ask(inputs, lease, (run, signal) => this.#steps.find(run, key, signal));
      if (found.state === 'unknown') return this.#unknown('SUBMIT_UNKNOWN', found.detail);
      if (found.state === 'found') return this.#submitted(found.externalJobId, stop === null ? FIRST_POLL_MS : 0);
    }
    if (stop !== null) return this.#fail(stop);
    let externalJobId: string;
    try {
      ({ externalJobId } = await this.#ask(inputs, lease, (run, signal) => this.#steps.submit(run, key, signal)));
    } catch (error) {
      // A refusal is an answer; anything else may have been accepted, and is looked for in the next round.
      if (error instanceof ToolError && error.code !== 'NODE_TIMEOUT' && error.class !== 'unknown')
        return this.#fail(asNodeError(error));
      return { afterMs: FIRST_POLL_MS };
    }
    return this.#submitted(externalJobId, FIRST_POLL_MS);
  }

  async #submitted(externalJobId: string, afterMs: number): Promise<Later> {
    const { ledger } = this.#services;
    const written = await ledger.submitted(this.#row.operationKey, this.#token, externalJobId, this.#services.now());
    return { afterMs: written ? afterMs : LEAST_POLL_MS };
  }

  async #poll(inputs: NodeInputs, lease: Lease, externalJobId: string): Promise<Later | 'settled'> {
    let state: JobState;
    try {
      state = await this.#ask(inputs, lease, (run, signal) => this.#steps.poll(run, externalJobId, signal));
    } catch (error) {
      const failure = asNodeError(error);
      const said = error instanceof ToolError && failure.class !== 'transient' && failure.class !== 'throttled';
      if (said && failure.code !== 'NODE_TIMEOUT') return this.#fail(failure);
      return { afterMs: Math.max(AGAIN_MS, failure.retryAfterMs ?? 0) };
    }
    if (state.state === 'running')
      return { afterMs: Math.min(MOST_POLL_MS, Math.max(LEAST_POLL_MS, Math.round(state.afterMs))) };
    return this.#ended(inputs, state);
  }

  /** Asks the service to stop the job, then how it ended, a bounded number of times; else nobody knows (I7). */
  async #cancel(inputs: NodeInputs, lease: Lease, externalJobId: string, stop: NodeError): Promise<'settled'> {
    let detail = 'The job was asked to stop and did not say that it had.';
    try {
      await this.#ask(inputs, lease, (run, signal) => this.#steps.cancel(run, externalJobId, signal));
    } catch (error) {
      detail = `The job could not be stopped: ${asNodeError(error).message}`;
    }
    for (let round = 0; round < FOLLOW_UP; round += 1) {
      let afterMs = FOLLOW_UP_MS;
      try {
        const state = await this.#ask(inputs, lease, (run, signal) => this.#steps.poll(run, externalJobId, signal));
        if (state.state !== 'running') return await this.#ended(inputs, state, stop);
        afterMs = state.afterMs;
      } catch (error) {
        detail = `The job could not be followed: ${asNodeError(error).message}`;
      }
      if (round + 1 < FOLLOW_UP) await pause(Math.min(FOLLOW_UP_MS, Math.max(10, afterMs)));
    }
    return this.#unknown(stop.code, detail);
  }

  async #ended(
    inputs: NodeInputs,
    state: Exclude<JobState, { state: 'running' }>,
    stop: NodeError = goneThere,
  ): Promise<'settled'> {
    switch (state.state) {
      case 'failed':
        return this.#fail(state.error);
      case 'cancelled':
        return this.#fail(stop);
      case 'succeeded':
        break;
    }
    try {
      await completeWith(this.#services, this.#context, inputs, this.#token, state.result);
      return 'settled';
    } catch (error) {
      const failure = asNodeError(error);
      // The result stays with the service: it is collected again when our stores are back.
      if (failure.class === 'transient') throw error;
      return this.#fail(failure);
    }
  }

  /** The token counts owners: the reservation is the first, the first round of the first child the second. */
  #mayBeThere(): boolean {
    return this.#row.state !== 'reserved' || this.#token > 2;
  }

  async #fail(failure: NodeError): Promise<'settled'> {
    const error = shortError(failure);
    await this.#services.ledger.fail(this.#row.operationKey, this.#token, {
      error,
      checks: [],
      now: this.#services.now(),
    });
    return 'settled';
  }

  #unknown(code: NodeError['code'], message: string): Promise<'settled'> {
    return this.#fail({ code, class: 'unknown', message });
  }

  /** One call to the service: ends at the tool's time limit, and when another owner took over. */
  async #ask<T>(
    inputs: NodeInputs,
    lease: Lease,
    call: (run: ToolRun<unknown>, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const signal = AbortSignal.any([lease.signal, AbortSignal.timeout(inputs.timeoutMs)]);
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener(
        'abort',
        () => {
          reject(new ToolError('NODE_TIMEOUT', 'The service did not answer in time.', { class: 'transient' }));
        },
        { once: true },
      );
    });
    return Promise.race([call(inputs.toolRun, signal), aborted]);
  }
}

/** Somebody has cancelled it at the service, while the run goes on. */
const goneThere: NodeError = {
  code: 'JOB_FAILED',
  class: 'permanent',
  message: 'The job was cancelled at the service, not by this run.',
};
