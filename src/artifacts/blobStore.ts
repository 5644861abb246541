/** `ArtifactStore` on Azure Blob storage and its emulator: create-only, verified, never half-written (design §6, O-17). */
import { createReadStream } from 'node:fs';
import type { BlockBlobClient, BlockBlobUploadOptions, ContainerClient } from '@azure/storage-blob';
import { StoreUnavailable } from '../ledger/port.ts';
import { connectContainer, type BlobSettings } from './blobClient.ts';
import { corrupt, lost } from './errors.ts';
import { storageFault } from './fault.ts';
import { sha256Hex } from '../plan/sha256.ts';
import { transitMd5 } from './hashing.ts';
import type { ArtifactStore } from './port.ts';
import { spool } from './spool.ts';

/** Waits between tries while a container is missing or being deleted, ms: about a minute, as the service may need. */
const CONTAINER_WAITS_MS = [100, 200, 400, 800, 1_500, 3_000, 6_000, 12_000, 18_000, 18_000];

export interface BlobStoreOptions {
  /** Replaces the back-off schedule; tests make it short. */
  readonly containerWaitsMs?: readonly number[];
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Connects at first use. Everything it throws is `StoreUnavailable`, an artifact error, or a mistake of ours. */
export function createBlobArtifactStore(settings: BlobSettings, options: BlobStoreOptions = {}): ArtifactStore {
  const waits = options.containerWaitsMs ?? CONTAINER_WAITS_MS;
  let connecting: Promise<ContainerClient> | undefined;

  function container(): Promise<ContainerClient> {
    connecting ??= connectContainer(settings).catch((error: unknown) => {
      connecting = undefined;
      throw error;
    });
    return connecting;
  }

  /** Runs one request; creates a missing container and waits for one that is being deleted, up to a bound. */
  async function withContainer<T>(request: (client: ContainerClient) => Promise<T>): Promise<T> {
    const client = await container();
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await request(client);
      } catch (error) {
        const fault = storageFault(error);
        const wait = waits[attempt];
        if ((fault !== 'containerMissing' && fault !== 'containerBeingDeleted') || wait === undefined) {
          throw fault === 'unexpected' ? error : unavailable(fault, error);
        }
        if (fault === 'containerMissing') await create(client);
        // Jitter: many activities meet the same missing container at once.
        await pause(wait * (0.5 + Math.random() / 2));
      }
    }
  }

  async function create(client: ContainerClient): Promise<void> {
    try {
      await client.createIfNotExists();
    } catch (error) {
      const fault = storageFault(error);
      // Being deleted: the caller's loop waits and comes back.
      if (fault !== 'containerBeingDeleted') throw unavailable(fault, error);
    }
  }

  async function read(
    blobName: string,
    expected: { readonly sha256: string; readonly bytes: number },
  ): Promise<Uint8Array> {
    let bytes: Uint8Array;
    try {
      const buffer = await withContainer((client) => client.getBlockBlobClient(blobName).downloadToBuffer());
      // A plain view: `slice` of a Buffer shares memory, that of a Uint8Array copies, and callers count on the latter.
      bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    } catch (error) {
      if (causeOf(error) === 'blobMissing') throw lost(blobName);
      throw error;
    }
    if (bytes.byteLength !== expected.bytes) {
      throw corrupt(blobName, `has ${bytes.byteLength} bytes in place of ${expected.bytes}`);
    }
    if (sha256Hex(bytes) !== expected.sha256) throw corrupt(blobName, 'does not match its digest');
    return bytes;
  }

  /** Creates the blob; a name that is taken must hold the same bytes. */
  async function createBlob(
    blobName: string,
    expected: { readonly sha256: string; readonly bytes: number },
    upload: (blob: BlockBlobClient, conditions: BlockBlobUploadOptions) => Promise<unknown>,
  ): Promise<void> {
    try {
      await withContainer((client) =>
        upload(client.getBlockBlobClient(blobName), {
          conditions: { ifNoneMatch: '*' },
          metadata: { sha256: expected.sha256 },
        }),
      );
    } catch (error) {
      if (causeOf(error) !== 'exists') throw error;
      await read(blobName, expected);
    }
  }

  return {
    remove: async (blobName) => {
      await withContainer((client) => client.getBlockBlobClient(blobName).deleteIfExists());
    },

    ready: () =>
      withContainer(async (client) => {
        await client.createIfNotExists();
      }),

    put: async (blobName, bytes, mediaType, sha256) => {
      if (sha256Hex(bytes) !== sha256) throw corrupt(blobName, 'was handed over with a digest that is not its own');
      await createBlob(blobName, { sha256, bytes: bytes.byteLength }, (blob, common) =>
        blob.upload(bytes, bytes.byteLength, {
          ...common,
          blobHTTPHeaders: { blobContentType: mediaType },
          transactionalContentMD5: transitMd5(bytes),
        }),
      );
    },

    putStream: async (source, { maxBytes, mediaType, nameOf }) => {
      const file = await spool(source, maxBytes);
      try {
        const { sha256, bytes, head, md5, path } = file;
        const blobName = nameOf(sha256);
        await createBlob(blobName, { sha256, bytes }, (blob, common) =>
          // One request commits all or nothing; block lists of two writers of one name would disturb each other.
          blob.upload(() => createReadStream(path), bytes, {
            ...common,
            blobHTTPHeaders: { blobContentType: mediaType },
            transactionalContentMD5: md5,
          }),
        );
        return { sha256, bytes, blobName, head };
      } finally {
        await file.dispose();
      }
    },

    read,
  };
}

class Fault extends StoreUnavailable {
  readonly fault: ReturnType<typeof storageFault>;

  constructor(fault: ReturnType<typeof storageFault>, cause: unknown) {
    super(`The artifact store does not answer as it should (${fault}).`, { cause });
    this.fault = fault;
  }
}

const unavailable = (fault: ReturnType<typeof storageFault>, cause: unknown): Fault => new Fault(fault, cause);
const causeOf = (error: unknown): ReturnType<typeof storageFault> | undefined =>
  error instanceof Fault ? error.fault : undefined;
