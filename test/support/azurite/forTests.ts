import { ensureAzurite, type Azurite } from '../../../src/local/azurite/ensureAzurite.ts';
import { temporaryFolder } from '../ledger/temporary.ts';

/** A storage emulator of its own for one test file. */
export async function azuriteForTests(): Promise<Azurite & { dispose(): Promise<void> }> {
  const folder = await temporaryFolder();
  const azurite = await ensureAzurite({ stateDirectory: folder.path });
  return {
    ...azurite,
    dispose: async () => {
      await azurite.stop();
      await folder.dispose();
    },
  };
}
