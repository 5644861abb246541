/**
 * One reading of everything a blob service may answer, cloud and emulator alike (O-17): they differ in status (409 or
 * 412 for "exists"), and answers to HEAD carry no body and sometimes no code.
 */
export type StorageFault =
  /** The name is taken (create-only write lost). */
  | 'exists'
  | 'blobMissing'
  | 'containerMissing'
  /** The container was just deleted; its name is free again in half a minute or so. */
  | 'containerBeingDeleted'
  /** The body did not arrive as sent. */
  | 'damagedInTransit'
  /** No answer, throttled, or the service's own failure: later. */
  | 'unavailable'
  /** Credentials or permission: an operator has to act. */
  | 'denied'
  | 'unexpected';

const BY_CODE: ReadonlyMap<string, StorageFault> = new Map([
  ['BlobAlreadyExists', 'exists'],
  ['ConditionNotMet', 'exists'],
  ['TargetConditionNotMet', 'exists'],
  ['UnauthorizedBlobOverwrite', 'exists'],
  ['BlobNotFound', 'blobMissing'],
  ['ResourceNotFound', 'blobMissing'],
  ['ContainerNotFound', 'containerMissing'],
  ['ContainerBeingDeleted', 'containerBeingDeleted'],
  ['ContainerDisabled', 'unavailable'],
  ['Md5Mismatch', 'damagedInTransit'],
  ['ServerBusy', 'unavailable'],
  ['InternalError', 'unavailable'],
  ['OperationTimedOut', 'unavailable'],
  ['AccountBeingCreated', 'unavailable'],
  ['AuthenticationFailed', 'denied'],
  ['AuthorizationFailure', 'denied'],
  ['AuthorizationPermissionMismatch', 'denied'],
  ['AuthorizationProtocolMismatch', 'denied'],
  ['InsufficientAccountPermissions', 'denied'],
  ['NoAuthenticationInformation', 'denied'],
  ['AccountIsDisabled', 'denied'],
]);

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Classifies an error thrown by `@azure/storage-blob` or by the network under it. */
export function storageFault(error: unknown): StorageFault {
  const codes = [member(member(error, 'details'), 'errorCode'), member(error, 'code')];
  for (const code of codes) {
    const fault = typeof code === 'string' ? BY_CODE.get(code) : undefined;
    if (fault !== undefined) return fault;
  }
  const status = member(error, 'statusCode');
  if (typeof status !== 'number') {
    // The SDK wraps refused, reset and timed out connections in an error without a status.
    const network = member(error, 'name') === 'RestError' || typeof codes[1] === 'string';
    return network || member(error, 'name') === 'AbortError' ? 'unavailable' : 'unexpected';
  }
  if (status === 404) return 'blobMissing';
  if (status === 412) return 'exists';
  if (status === 401 || status === 403) return 'denied';
  if (status === 408 || status === 429 || status >= 500) return 'unavailable';
  return 'unexpected';
}
