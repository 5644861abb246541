/**
 * A refused client call; `kind` decides how the management API answers: `exists` 409 (Q28), `argument` 400, `state` 500
 * as on the real engine.
 */
export class ClientError extends Error {
  readonly kind: 'argument' | 'exists' | 'state';

  constructor(kind: 'argument' | 'exists' | 'state', message: string) {
    super(message);
    this.kind = kind;
  }
}
