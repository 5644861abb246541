/** Child process: walks the seeds from its first to its second argument; sends each failure. */
import { walk } from './runWalks.ts';

const [from, to] = process.argv.slice(2).map(Number);
for (let seed = from ?? 1; seed <= (to ?? 0); seed += 1) {
  const failure = await walk(seed);
  if (failure !== undefined) process.send?.({ ...failure, trace: [] });
}
process.disconnect();
