import { BlobServiceClient } from '@azure/storage-blob';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBlobArtifactStore } from '../../../src/artifacts/blobStore.ts';
import { sha256Hex } from '../../../src/plan/sha256.ts';
import { StoreUnavailable } from '../../../src/ledger/port.ts';
import { azuriteForTests } from '../../support/azurite/forTests.ts';
import { artifactContract, freshName } from './suite.ts';

let azurite: Awaited<ReturnType<typeof azuriteForTests>>;
beforeAll(async () => {
  azurite = await azuriteForTests();
}, 60_000);
afterAll(async () => {
  await azurite.dispose();
}, 30_000);

const settings = (container: string, connectionString = azurite.connectionString) => ({
  storageConnectionString: connectionString,
  artifacts: { container, accountUrl: null, clientId: null },
});
const containerOf = (name: string) =>
  BlobServiceClient.fromConnectionString(azurite.connectionString).getContainerClient(name);
const fast = { containerWaitsMs: [5, 5, 5] };

artifactContract('Blob storage on Azurite', async () => ({
  store: createBlobArtifactStore(settings('artifacts')),
  damage: async (blobName, bytes) => {
    const blob = containerOf('artifacts').getBlockBlobClient(blobName);
    if (bytes === null) await blob.delete();
    else await blob.upload(bytes, bytes.byteLength);
  },
}));

describe('Blob storage', () => {
  const bytes = new TextEncoder().encode('hello');
  const name = freshName(sha256Hex(bytes));

  it('O-17 a container that is missing is created on the first write', async () => {
    const store = createBlobArtifactStore(settings('not-there-yet'), fast);
    await store.put(name, bytes, 'text/plain', sha256Hex(bytes));
    expect(await store.read(name, { sha256: sha256Hex(bytes), bytes: 5 })).toEqual(new Uint8Array(bytes));
  });

  it('O-17 a container deleted during a run: reads say lost, writes go on', async () => {
    const store = createBlobArtifactStore(settings('deleted'), fast);
    await store.put(name, bytes, 'text/plain', sha256Hex(bytes));
    await containerOf('deleted').delete();
    const read = store.read(name, { sha256: sha256Hex(bytes), bytes: 5 });
    await expect(read).rejects.toMatchObject({ code: 'ARTIFACT_LOST' });
    await containerOf('deleted').delete();
    await store.put(name, bytes, 'text/plain', sha256Hex(bytes));
    expect(await store.read(name, { sha256: sha256Hex(bytes), bytes: 5 })).toEqual(new Uint8Array(bytes));
  });

  it('O-17 no answer from the store is not "lost"', async () => {
    const nowhere = azurite.connectionString.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:9');
    const store = createBlobArtifactStore(settings('artifacts', nowhere), fast);
    const read = store.read(name, { sha256: sha256Hex(bytes), bytes: 5 });
    await expect(read).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(store.ready()).rejects.toBeInstanceOf(StoreUnavailable);
  }, 20_000);

  it('a wrong key is reported as the store, not as a lost artifact', async () => {
    const wrong = azurite.connectionString.replace('Eby8vdM0', 'Eby8vdM1');
    const store = createBlobArtifactStore(settings('artifacts', wrong), fast);
    const read = store.read(name, { sha256: sha256Hex(bytes), bytes: 5 });
    await expect(read).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  it('nothing configured is told as such', async () => {
    const store = createBlobArtifactStore({ ...settings('x'), storageConnectionString: null });
    await expect(store.ready()).rejects.toThrow('No artifact storage is configured.');
  });
});
