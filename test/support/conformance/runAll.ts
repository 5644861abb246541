/** Runs cases on a host, several at a time; those that look at all instances come last, one by one. */
import { Talk } from './talk.ts';
import type { ConformanceCase, Recording, Target } from './types.ts';

async function runCase(one: ConformanceCase, target: Target): Promise<Recording> {
  const talk = new Talk(target);
  try {
    await one.run(talk);
  } catch (error) {
    const { answers } = talk.recording(one.title);
    throw new Error(`${one.name}: ${String(error)}\n${JSON.stringify(answers, null, 2).slice(-6_000)}`, {
      cause: error,
    });
  }
  return talk.recording(one.title);
}

/** A promise for each case by name; rejections are kept until somebody asks. */
export function runAll(
  cases: readonly ConformanceCase[],
  target: Promise<Target>,
  width: number,
): ReadonlyMap<string, Promise<Recording>> {
  const promised = new Map(cases.map((one) => [one.name, Promise.withResolvers<Recording>()]));
  for (const { promise } of promised.values()) promise.catch(() => undefined);
  const lane = async (waiting: ConformanceCase[]): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const slot = promised.get(one.name);
      try {
        slot?.resolve(await runCase(one, await target));
      } catch (error) {
        slot?.reject(error);
      }
    }
  };
  const together = cases.filter((one) => one.alone !== true);
  const lanes = Array.from({ length: width }, () => lane(together));
  void Promise.all(lanes).then(() => lane(cases.filter((one) => one.alone === true)));
  return new Map([...promised].map(([name, { promise }]) => [name, promise]));
}
