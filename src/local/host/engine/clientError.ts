/** A refused client call; `kind` decides the HTTP status (argument 400, conflict 500 as on the real engine, Q28). */
export class ClientError extends Error {
  readonly kind: 'argument' | 'conflict';

  constructor(kind: 'argument' | 'conflict', message: string) {
    super(message);
    this.kind = kind;
  }
}
