import { createMemoryArtifactStore } from '../../support/artifacts/memoryStore.ts';
import { artifactContract } from './suite.ts';

artifactContract('memory', async () => {
  const store = createMemoryArtifactStore();
  return {
    store,
    damage: async (blobName, bytes) => {
      if (bytes === null) store.blobs.delete(blobName);
      else store.blobs.set(blobName, { bytes, mediaType: 'application/octet-stream' });
    },
  };
});
