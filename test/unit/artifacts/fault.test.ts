import { describe, expect, it } from 'vitest';
import { storageFault } from '../../../src/artifacts/fault.ts';

const rest = (statusCode: number | undefined, code?: string, errorCode?: string) =>
  Object.assign(new Error('x'), {
    name: 'RestError',
    statusCode,
    code,
    details: errorCode === undefined ? {} : { errorCode },
  });

describe('O-17 one reading of cloud and emulator', () => {
  it.each([
    ['cloud: name taken', rest(409, 'BlobAlreadyExists'), 'exists'],
    ['emulator: condition not met', rest(412, 'ConditionNotMet'), 'exists'],
    ['a 412 without code', rest(412), 'exists'],
    ['code in the details alone', rest(409, undefined, 'BlobAlreadyExists'), 'exists'],
    ['overwrite forbidden by policy', rest(403, 'UnauthorizedBlobOverwrite'), 'exists'],
    ['blob gone', rest(404, 'BlobNotFound'), 'blobMissing'],
    ['HEAD: 404 without code', rest(404), 'blobMissing'],
    ['container gone', rest(404, 'ContainerNotFound'), 'containerMissing'],
    ['container being deleted', rest(409, 'ContainerBeingDeleted'), 'containerBeingDeleted'],
    ['body damaged on the way', rest(400, 'Md5Mismatch'), 'damagedInTransit'],
    ['throttled', rest(503, 'ServerBusy'), 'unavailable'],
    ['too many', rest(429), 'unavailable'],
    ['their failure', rest(500), 'unavailable'],
    ['refused connection', rest(undefined, 'REQUEST_SEND_ERROR'), 'unavailable'],
    ['plain network error', Object.assign(new Error('x'), { code: 'ECONNRESET' }), 'unavailable'],
    ['aborted', Object.assign(new Error('x'), { name: 'AbortError' }), 'unavailable'],
    ['wrong key', rest(403, 'AuthenticationFailed'), 'denied'],
    ['no permission', rest(403, 'AuthorizationPermissionMismatch'), 'denied'],
    ['a 409 that is something else', rest(409, 'LeaseIdMissing'), 'unexpected'],
    ['a mistake of ours', rest(400, 'InvalidHeaderValue'), 'unexpected'],
    ['no storage error at all', new TypeError('x'), 'unexpected'],
    ['nothing', undefined, 'unexpected'],
  ])('%s', (_what, error, fault) => {
    expect(storageFault(error)).toBe(fault);
  });
});
