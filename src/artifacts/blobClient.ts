/** The blob SDK, loaded at first use (0.3–0.5 s) and pointed at the account that the settings name. */
import type { ContainerClient, StoragePipelineOptions } from '@azure/storage-blob';
import { StoreUnavailable } from '../ledger/port.ts';

export interface BlobSettings {
  readonly storageConnectionString: string | null;
  readonly artifacts: {
    readonly container: string;
    readonly accountUrl: string | null;
    /** Client id of a user-assigned managed identity; null = the default chain. */
    readonly clientId: string | null;
  };
}

/** The SDK's own retries are short: activities and callers have theirs, and a person may be waiting. */
const PIPELINE: StoragePipelineOptions = {
  retryOptions: { maxTries: 3, retryDelayInMs: 100, maxRetryDelayInMs: 1_000, tryTimeoutInMs: 120_000 },
};

/** An account URL (managed identity) wins over the connection string. Throws `StoreUnavailable` when neither is set. */
export async function connectContainer(settings: BlobSettings): Promise<ContainerClient> {
  const { BlobServiceClient } = await import('@azure/storage-blob');
  const { container, accountUrl, clientId } = settings.artifacts;
  if (accountUrl !== null) {
    const { DefaultAzureCredential, ManagedIdentityCredential } = await import('@azure/identity');
    const credential = clientId === null ? new DefaultAzureCredential() : new ManagedIdentityCredential({ clientId });
    return new BlobServiceClient(accountUrl, credential, PIPELINE).getContainerClient(container);
  }
  if (settings.storageConnectionString === null) throw new StoreUnavailable('No artifact storage is configured.');
  const service = BlobServiceClient.fromConnectionString(settings.storageConnectionString, PIPELINE);
  return service.getContainerClient(container);
}
