import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../../src/catalog/catalog.ts';
import { allTools } from '../../../src/tools/index.ts';
import { accepted } from '../../support/catalog/context.ts';

const text = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
const plans = [...text.matchAll(/```json\n([^]*?)```/g)].map(([, json = '']) => JSON.parse(json) as { plan: unknown });

describe("the README's plans", () => {
  it('loops over the sample as it stands: accepted by the real catalog without a note', () => {
    const sample = plans.filter((one) => !JSON.stringify(one).includes('<sha256'));
    expect(sample).toHaveLength(1);
    for (const { plan } of sample) {
      const { plan: approved, findings } = accepted(plan, { catalog: createCatalog(allTools) });
      expect(findings).toEqual([]);
      expect(approved.nodes.filter((node) => node.forEach !== undefined)).toHaveLength(1);
    }
  });
});
