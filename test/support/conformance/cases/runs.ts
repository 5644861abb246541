import type { ConformanceCase } from '../types.ts';

/** A case that starts one instance with the case's name as its id, and waits for its end. */
export const runs = (name: string, title: string, orchestrator: string, input?: unknown): ConformanceCase => ({
  name,
  title,
  async run(talk) {
    await talk.start(orchestrator, name, input);
    await talk.end(name);
  },
});
