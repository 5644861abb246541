import type { Geometry } from 'geojson';
import { describe, expect, it } from 'vitest';
import { AssetFindings, describeCounts } from '../../../src/tools/gis/assets/assetReport.ts';
import { boxOf, cleanGeometry, crosses180 } from '../../../src/tools/gis/assets/cleanGeometry.ts';
import { cleanProperties, FeatureIds, fieldsOf } from '../../../src/tools/gis/assets/properties.ts';

const clean = (value: unknown): unknown => {
  const cleaned = cleanGeometry(value, new AssetFindings());
  return 'reason' in cleaned ? cleaned.reason : cleaned.geometry;
};
const SQUARE = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [0, 0],
];

describe('geometries', () => {
  it.each([
    { type: 'Point', coordinates: [1, 2] },
    {
      type: 'MultiPoint',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    },
    {
      type: 'LineString',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    },
    {
      type: 'MultiLineString',
      coordinates: [
        [
          [1, 2],
          [3, 4],
        ],
        [
          [5, 6],
          [7, 8],
        ],
      ],
    },
    { type: 'Polygon', coordinates: [SQUARE] },
    { type: 'MultiPolygon', coordinates: [[SQUARE], [SQUARE]] },
    { type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] },
  ])('a clean $type stays as it is', (geometry) => {
    expect(clean(geometry)).toEqual(geometry);
  });

  it.each([
    ['GEOMETRY_INVALID', 5],
    ['GEOMETRY_INVALID', []],
    ['GEOMETRY_INVALID', { type: 'Point', coordinates: 'x' }],
    ['GEOMETRY_INVALID', { type: 'Point', coordinates: [[1, 2]] }],
    ['GEOMETRY_INVALID', { type: 'Point', coordinates: [null, 2] }],
    ['GEOMETRY_INVALID', { type: 'Point' }],
    [
      'GEOMETRY_INVALID',
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 1],
          ],
        ],
      },
    ],
    ['GEOMETRY_EMPTY', { type: 'MultiPolygon', coordinates: [] }],
    ['GEOMETRY_EMPTY', { type: 'Polygon', coordinates: [[]] }],
    ['GEOMETRY_EMPTY', { type: 'GeometryCollection', geometries: [] }],
    [
      'RING_INVALID',
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
    ],
    [
      'RING_INVALID',
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 1],
            [2, 2],
            [0, 0],
          ],
        ],
      },
    ],
    ['GEOMETRY_UNSUPPORTED', { type: 'point', coordinates: [1, 2] }],
    ['GEOMETRY_UNSUPPORTED', {}],
    ['NULL_GEOMETRY', undefined],
  ])('%s: %j', (reason, geometry) => {
    expect(clean(geometry)).toBe(reason);
  });

  it('one bad part makes a whole geometry unusable: half a feature would be another feature', () => {
    expect(
      clean({
        type: 'MultiPolygon',
        coordinates: [
          [SQUARE],
          [
            [
              [0, 0],
              [1, 1],
              [0, 0],
            ],
          ],
        ],
      }),
    ).toBe('RING_INVALID');
  });

  it('a small ring far from the origin keeps its orientation', () => {
    const far = SQUARE.map(([x = 0, y = 0]) => [2_600_000 + x * 0.01, 1_200_000 + y * 0.01]);
    expect(clean({ type: 'Polygon', coordinates: [far] })).toEqual({ type: 'Polygon', coordinates: [far] });
  });

  it('box, first position and count', () => {
    const geometry = {
      type: 'GeometryCollection',
      geometries: [
        {
          type: 'LineString',
          coordinates: [
            [3, 4],
            [1, 9],
          ],
        },
        { type: 'MultiPolygon', coordinates: [[SQUARE]] },
      ],
    } as Geometry;
    expect(boxOf(geometry)).toEqual({ minX: 0, minY: 0, maxX: 3, maxY: 9, first: [3, 4], count: 7 });
  });

  it.each([
    [
      {
        type: 'LineString',
        coordinates: [
          [179, 0],
          [-179, 0],
        ],
      },
      true,
    ],
    [
      {
        type: 'LineString',
        coordinates: [
          [-90, 0],
          [80, 0],
        ],
      },
      false,
    ],
    [
      {
        type: 'MultiPoint',
        coordinates: [
          [179, 0],
          [-179, 0],
        ],
      },
      false,
    ],
    [
      {
        type: 'MultiPolygon',
        coordinates: [
          [
            [
              [170, 0],
              [-170, 0],
              [-170, 5],
              [170, 0],
            ],
          ],
        ],
      },
      true,
    ],
    [
      {
        type: 'GeometryCollection',
        geometries: [
          {
            type: 'LineString',
            coordinates: [
              [179, 0],
              [-179, 0],
            ],
          },
        ],
      },
      true,
    ],
  ])('O-38 %j crosses 180°: %s', (geometry, crosses) => {
    expect(crosses180(geometry as Geometry)).toBe(crosses);
  });
});

describe('properties', () => {
  const findings = (): AssetFindings => new AssetFindings();

  it('scalars stay, nested values become text, no properties are none', () => {
    expect(cleanProperties({ a: 1, b: 'x', c: true, d: null, e: [1, { f: 2 }] }, findings())).toEqual({
      a: 1,
      b: 'x',
      c: true,
      d: null,
      e: '[1,{"f":2}]',
    });
    expect(cleanProperties(null, findings())).toEqual({});
    expect(cleanProperties([1], findings())).toEqual({});
  });

  it('fields have the type that all values share', () => {
    expect(
      fieldsOf([
        { a: 1, b: 'x', c: null },
        { a: 2, b: 3, d: true },
      ]),
    ).toEqual({ a: { type: 'number' }, b: { type: 'text' }, d: { type: 'boolean' } });
  });

  it('thousands of field names do not make a type of thousands of fields', () => {
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`f${n}`, n]));
    expect(Object.keys(fieldsOf([wide]) ?? {})).toHaveLength(200);
  });

  it('ids: own, then the property, then a number; empty texts are none', () => {
    const ids = new FeatureIds(findings());
    expect([
      ids.next('a', {}, 1),
      ids.next('', { id: 'b' }, 2),
      ids.next(undefined, { id: 0 }, 3),
      ids.next({}, {}, 4),
    ]).toEqual(['a', 'b', '0', 'asset-4']);
  });

  it('counts in words', () => {
    const some = findings();
    some.reject(1, 'NULL_GEOMETRY');
    some.flag('RING_CLOSED');
    some.flag('RING_CLOSED');
    expect(describeCounts(some.report(3))).toBe('1 NULL_GEOMETRY, 2 RING_CLOSED');
    expect(describeCounts(findings().report(0))).toBe('nothing');
  });
});
