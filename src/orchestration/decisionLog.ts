import type { Decision } from './messages.ts';

/**
 * Decisions since the last activity: they ride in the next one's input and are written in its transaction (I5). A call
 * whose answer does not prove that it was written gives them back; the ledger knows them by number and takes each once.
 */
export class DecisionLog {
  #waiting: Decision[] = [];
  #seq = 0;

  add(decision: Omit<Decision, 'seq'>): void {
    this.#seq += 1;
    this.#waiting.push({ seq: this.#seq, ...decision, reason: decision.reason.slice(0, 200) });
  }

  take(): readonly Decision[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }

  giveBack(decisions: readonly Decision[]): void {
    this.#waiting = [...decisions, ...this.#waiting].sort((a, b) => a.seq - b.seq);
  }
}
