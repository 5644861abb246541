import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonicalJson, digest } from '../../../src/plan/canonical.ts';
import { planDigest } from '../../../src/plan/digest.ts';
import { parsePlan } from '../../../src/plan/schema.ts';
import { sha256Hex } from '../../../src/plan/sha256.ts';
import { parseStrict } from '../../../src/plan/strictJson.ts';
import type { Plan } from '../../../src/plan/types.ts';
import { parseWarrant, warrantDigest, type Warrant } from '../../../src/plan/warrant.ts';

function planOf(text: string): Plan {
  const json = parseStrict(text);
  const plan = parsePlan(json.ok ? json.value : null);
  if (!plan.ok) throw new Error(JSON.stringify(plan.findings));
  return plan.plan;
}

describe('canonical JSON', () => {
  it('follows RFC 8785: keys by UTF-16 unit, numbers as ECMAScript prints them', () => {
    const value = {
      '\u20ac': 1,
      '\r': 2,
      '\ufb33': 3,
      '1': 4,
      '😀': 5,
      '\u0080': 6,
      ö: 7,
      n: [333333333.3333333, 1e30, 4.5, 2e-3],
    };
    expect(canonicalJson(value)).toBe(
      '{"\\r":2,"1":4,"n":[333333333.3333333,1e+30,4.5,0.002],"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
    );
  });

  it('hashes UTF-8 text and bytes as anyone would', () => {
    expect(sha256Hex('città')).toBe(createHash('sha256').update('città', 'utf8').digest('hex'));
    expect(sha256Hex(new Uint8Array([1, 2, 3]))).toBe(
      createHash('sha256')
        .update(Buffer.from([1, 2, 3]))
        .digest('hex'),
    );
    expect(digest('x:', { b: 1, a: 2 })).toBe(createHash('sha256').update('x:{"a":2,"b":1}').digest('hex'));
  });

  it('refuses what has no JSON form', () => {
    expect(() => canonicalJson(undefined)).toThrow();
    expect(() => canonicalJson(Number.NaN)).toThrow();
  });
});

describe('plan digest', () => {
  const a = '{"id":"a","tool":"t.one","dependsOn":["c","b"],"args":{"x":1.0,"y":2}}';
  const b = '{"id":"b","tool":"t.two"}';
  const c = '{"id":"c","tool":"t.two"}';

  it('is the hash that the contract states', () => {
    const plan = planOf(`{"nodes":[${b}]}`);
    const text =
      '{"context":{"assumptions":[],"constraints":[]},"goal":"","inputs":{},"limits":{},"nodes":[{"args":{},"dependsOn":[],"id":"b","tool":"t.two"}],"outputs":{},"schemaVersion":"1.0","workflowId":"adhoc"}';
    expect(planDigest(plan)).toBe(createHash('sha256').update(`plan.v1:${text}`).digest('hex'));
  });

  it('does not depend on the order of nodes, dependencies, members, nor on how numbers are written', () => {
    const first = planDigest(planOf(`{"nodes":[${a},${b},${c}]}`));
    const other = '{"args":{"y":2e0,"x":1},"dependsOn":["b","c","b"],"tool":"t.one","id":"a"}';
    expect(planDigest(planOf(`{"goal":"","nodes":[${c},${other},${b}]}`))).toBe(first);
  });

  it('depends on everything that changes what runs', () => {
    const variants = [
      `{"nodes":[${a},${b},${c}]}`,
      `{"nodes":[${a.replace('1.0', '1.5')},${b},${c}]}`,
      `{"nodes":[${a.replace('["c","b"]', '["c"]')},${b},${c}]}`,
      `{"nodes":[${a},${b},${c.replace('t.two', 't.three')}]}`,
      `{"goal":"x","nodes":[${a},${b},${c}]}`,
      `{"inputs":{"h":1},"nodes":[${a},${b},${c}]}`,
      `{"limits":{"deadlineSeconds":5},"nodes":[${a},${b},${c}]}`,
      `{"outputs":{"m":{"ref":"a.x"}},"nodes":[${a},${b},${c}]}`,
    ];
    const digests = variants.map((text) => planDigest(planOf(text)));
    expect(new Set(digests).size).toBe(variants.length);
  });
});

describe('warrant', () => {
  const hex = 'a'.repeat(64);
  const warrant: Warrant = {
    runId: 'r1',
    revision: 1,
    tenant: 'local',
    requester: 'alice',
    planDigest: hex,
    policyVersion: 'policy-1',
    catalogDigest: hex,
    interpreter: 'run1',
    allow: { effects: ['none'], targets: [], egress: [] },
    limits: { deadlineSeconds: 1800, maxParallelNodes: 8, maxNodes: 200 },
    budget: { maxCostCents: 100, estimatedCents: 5 },
    requiredApprovals: [],
    provenance: { origin: 'caller' },
    expiresAt: 1_800_000_000_000,
  };

  it('parses what was stored and nothing else', () => {
    expect(parseWarrant(JSON.parse(JSON.stringify(warrant)))).toEqual(warrant);
    expect(parseWarrant({ ...warrant, more: 1 })).toBeUndefined();
    expect(parseWarrant({ ...warrant, planDigest: 'x' })).toBeUndefined();
    expect(parseWarrant({ ...warrant, provenance: { origin: 'somebody' } })).toBeUndefined();
    expect(parseWarrant(null)).toBeUndefined();
  });

  it('changes its digest with every part', () => {
    const changed: Warrant[] = [
      { ...warrant, runId: 'r2' },
      { ...warrant, revision: 2 },
      { ...warrant, tenant: 'x' },
      { ...warrant, requester: 'bob' },
      { ...warrant, planDigest: 'b'.repeat(64) },
      { ...warrant, policyVersion: 'policy-2' },
      { ...warrant, catalogDigest: 'b'.repeat(64) },
      { ...warrant, interpreter: 'run2' },
      { ...warrant, allow: { ...warrant.allow, effects: ['none', 'publishes'] } },
      { ...warrant, limits: { ...warrant.limits, maxParallelNodes: 9 } },
      { ...warrant, budget: { ...warrant.budget, maxCostCents: 101 } },
      { ...warrant, requiredApprovals: [{ nodeId: 'a', policyIds: [] }] },
      { ...warrant, provenance: { origin: 'llm' } },
      { ...warrant, expiresAt: 1 },
    ];
    const digests = [warrant, ...changed].map(warrantDigest);
    expect(new Set(digests).size).toBe(digests.length);
    expect(digests[0]).toBe(warrantDigest(JSON.parse(JSON.stringify(warrant)) as Warrant));
    expect(() => warrantDigest({ ...warrant, revision: 0 })).toThrow();
  });
});
