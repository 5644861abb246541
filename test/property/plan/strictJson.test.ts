import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkEncodable, encode } from '../../../src/plan/codec.ts';
import { parseStrict } from '../../../src/plan/strictJson.ts';

const ROOMY = { maxBytes: 1e7, maxDepth: 1000, maxKeys: 1e6 };

/** JSON values that JSON carries unchanged. */
const carried = fc
  .jsonValue({ maxDepth: 6 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
  .filter((value) => checkEncodable(value) === undefined);

const text = carried.chain((value) =>
  fc.constantFrom(JSON.stringify(value), JSON.stringify(value, null, 2), ` ${JSON.stringify(value, null, '\t')}\n`),
);

describe('the strict parser', () => {
  it('reads every valid text exactly as JSON.parse does', () => {
    fc.assert(
      fc.property(text, (json) => {
        expect(parseStrict(json, ROOMY)).toEqual({ ok: true, value: JSON.parse(json) as unknown });
      }),
      { numRuns: 500 },
    );
  });

  it('never throws, and never accepts what JSON.parse refuses', () => {
    const mutated = fc.tuple(text, fc.nat(), fc.string({ maxLength: 3, unit: 'binary' })).map(([json, at, put]) => {
      const place = at % (json.length + 1);
      return json.slice(0, place) + put + json.slice(place + (at % 3));
    });
    fc.assert(
      fc.property(
        fc.oneof(mutated, fc.string({ unit: 'binary' }), fc.stringMatching(/^[[\]{}",:0-9eE+.tfn\\u -]*$/)),
        (json) => {
          const result = parseStrict(json, ROOMY);
          let plain: unknown;
          try {
            plain = JSON.parse(json);
          } catch {
            expect(result.ok).toBe(false);
            return;
          }
          if (result.ok) expect(result.value).toEqual(plain);
          else expect(result.findings.every(({ code }) => code !== 'BAD_JSON')).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('reads bytes and text alike', () => {
    fc.assert(
      fc.property(text, (json) => {
        expect(parseStrict(new TextEncoder().encode(json), ROOMY)).toEqual(parseStrict(json, ROOMY));
      }),
    );
  });

  it('accepts exactly the doubles that come back as they were written', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        if (Object.is(number, -0)) return;
        expect(parseStrict(JSON.stringify(number))).toEqual({ ok: true, value: number });
      }),
    );
  });

  it('refuses any integer that a double does not hold', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }), (number) => {
        const held = BigInt(Number(number)) === number;
        expect(parseStrict(String(number)).ok).toBe(held);
      }),
    );
  });
});

describe('the codec', () => {
  it('O-12.1 encode then decode is the identity', () => {
    fc.assert(
      fc.property(carried, (value) => {
        expect(JSON.parse(encode(value))).toEqual(value);
      }),
    );
  });

  it('accepts only what comes back equal', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withMap: true,
          withSet: true,
          withDate: true,
          withSparseArray: true,
          withTypedArray: true,
          withNullPrototype: true,
        }),
        (value) => {
          if (checkEncodable(value) !== undefined) return;
          expect(encode(JSON.parse(encode(value)))).toBe(encode(value));
        },
      ),
      { numRuns: 500 },
    );
  });
});
