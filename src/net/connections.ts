/** Named connections: the only places the app can call. What `src/net` reads of them; other members belong to others. */
import type { BlockList } from 'node:net';
import { z } from 'zod';
import { networks } from './address.ts';

const schema = z.looseObject({
  /** Exact: scheme, host and port, nothing behind. */
  origin: z.url({ protocol: /^https?$/ }),
  /** Networks in CIDR notation that this connection may reach although they are not public. */
  networks: z.array(z.string()).default([]),
  /** Sent as `Authorization: Bearer …`, to this origin alone. */
  token: z.string().min(1).optional(),
  timeoutMs: z.int().min(1).max(600_000).default(30_000),
  maxBytes: z.int().min(1).max(1_073_741_824).default(50_000_000),
  /** Media types that an answer may have; empty = any. */
  types: z.array(z.string()).default([]),
});

export interface Connection {
  readonly name: string;
  readonly origin: string;
  readonly networks: BlockList;
  readonly token: string | undefined;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly types: readonly string[];
}

/** Throws `TypeError` naming the connection and its members at fault. Plain http needs listed networks. */
export function parseConnections(settings: Readonly<Record<string, unknown>>): ReadonlyMap<string, Connection> {
  const connections = new Map<string, Connection>();
  for (const [name, value] of Object.entries(settings)) {
    const parsed = schema.safeParse(value);
    if (!parsed.success) {
      const fields = parsed.error.issues.map((issue) => issue.path.join('.') || 'its value');
      throw new TypeError(`Connection ${name} is not valid: ${[...new Set(fields)].join(', ')}.`);
    }
    const { origin, networks: ranges, token, timeoutMs, maxBytes, types } = parsed.data;
    const url = new URL(origin);
    if (url.origin !== origin.replace(/\/$/, ''))
      throw new TypeError(`Connection ${name}: origin has more than an origin.`);
    // In the clear only inside networks that somebody named.
    if (url.protocol === 'http:' && ranges.length === 0)
      throw new TypeError(`Connection ${name}: origin must be https.`);
    connections.set(name, { name, origin: url.origin, networks: networks(ranges), token, timeoutMs, maxBytes, types });
  }
  return connections;
}
