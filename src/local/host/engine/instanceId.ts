import { ClientError } from './clientError.ts';

/**
 * Checks an instance id by the engine's rules (Q22).
 * @throws ClientError for `@` at the start, `/ \ # ?`, control characters, more than 256 characters
 */
export function checkInstanceId(id: string): void {
  if (id.length > 256) throw new ClientError('argument', 'Instance IDs must not be longer than 256 characters.');
  if (id.startsWith('@')) throw new ClientError('argument', 'Orchestration instance IDs must not start with @.');
  // eslint-disable-next-line no-control-regex -- control characters are what is refused
  if (/[/\\#?\u0000-\u001f\u007f-\u009f]/.test(id)) {
    throw new ClientError(
      'argument',
      'Orchestration instance IDs must not contain /, \\, #, ?, or control characters.',
    );
  }
}
