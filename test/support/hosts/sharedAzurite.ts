import { startAzurite, type Azurite } from '../../engine/azurite.ts';

let running: Promise<Azurite> | undefined;
let users = 0;

/**
 * The storage emulator of a test file: started by its first host, stopped with its last.
 * `release` gives it back, any number of calls count as one.
 */
export async function useSharedAzurite(): Promise<Azurite & { release(): Promise<void> }> {
  users += 1;
  running ??= startAzurite();
  const azurite = await running;
  let held = true;
  return {
    ...azurite,
    async release() {
      if (!held) return;
      held = false;
      users -= 1;
      if (users > 0) return;
      running = undefined;
      await azurite.stop();
    },
  };
}
