/** The warrant: the immutable contract that is executed (design §4). Every activity recomputes its digest. */
import { z } from 'zod';
import { digest } from './canonical.ts';

export const EFFECTS = ['none', 'temporary', 'publishes', 'modifiesAuthoritative', 'notifies'] as const;

const hex = z.string().regex(/^[0-9a-f]{64}$/);

/** What the request may lead to (contracts.md `allow`); a replan can only narrow it. */
export const allowSchema = z.strictObject({
  effects: z.array(z.enum(EFFECTS)).max(EFFECTS.length),
  targets: z.array(z.string().max(256)).max(100),
  egress: z.array(z.string().max(256)).max(100),
});

const warrantSchema = z.strictObject({
  runId: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/),
  revision: z.int().min(1),
  tenant: z.string().min(1).max(128),
  /** `oid` of the principal. */
  requester: z.string().min(1).max(128),
  planDigest: hex,
  policyVersion: z.string().min(1).max(128),
  catalogDigest: hex,
  /** Major version of the interpreter that may run it, for example `run1`. */
  interpreter: z.string().min(1).max(64),
  allow: allowSchema,
  limits: z.strictObject({
    deadlineSeconds: z.number().positive(),
    maxParallelNodes: z.int().min(1),
    maxNodes: z.int().min(1),
  }),
  budget: z.strictObject({ maxCostCents: z.number().nonnegative(), estimatedCents: z.number().nonnegative() }),
  requiredApprovals: z.array(z.strictObject({ nodeId: z.string(), policyIds: z.array(z.string()) })),
  provenance: z.strictObject({
    origin: z.enum(['caller', 'llm', 'offline', 'recipe', 'import', 'replan']),
    model: z.string().max(128).optional(),
    promptVersion: z.string().max(64).optional(),
    proposalDigest: hex.optional(),
  }),
  /** Milliseconds since the epoch. */
  expiresAt: z.int().nonnegative(),
});

export type Allow = z.infer<typeof allowSchema>;
export type Warrant = z.infer<typeof warrantSchema>;

/** What a request allows when it says nothing (contracts.md "HTTP details"). */
export const DEFAULT_ALLOW: Allow = { effects: ['none', 'temporary'], targets: [], egress: [] };

/** Parses a stored warrant; a changed or foreign shape is `undefined` (callers answer STATE_INVALID). */
export function parseWarrant(value: unknown): Warrant | undefined {
  const parsed = warrantSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** SHA-256 of `warrant.v1:` and RFC 8785 JSON. Throws on a value that is no warrant. */
export function warrantDigest(warrant: Warrant): string {
  return digest('warrant.v1:', warrantSchema.parse(warrant));
}
