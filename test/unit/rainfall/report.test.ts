import { describe, expect, it } from 'vitest';
import { decisionFor, type Choice } from '../../../src/tools/gis/rainfall/codes.ts';
import { networkRegion } from '../../../src/tools/gis/rainfall/region.ts';
import { acceptedPart, Findings } from '../../../src/tools/gis/rainfall/report.ts';
import { REPORT_JSON_SCHEMA } from '../../../src/tools/gis/rainfall/reportSchema.ts';
import { read, gauges } from './support.ts';

describe('findings', () => {
  it('are listed by line, whatever the order they were found in', () => {
    const findings = new Findings();
    findings.reject(9, { line: 9, reason: 'NEGATIVE' });
    findings.reject(2, { line: 2, reason: 'MISSING_BLANK' });
    findings.flag(5, { line: 5, flag: 'TRACE_AS_ZERO' });
    findings.flag(1, { flag: 'DST_DAY' });
    const lists = findings.lists();
    expect(lists.rejected.map((entry) => entry.line)).toEqual([2, 9]);
    expect(lists.flagged.map((entry) => entry.flag)).toEqual(['DST_DAY', 'TRACE_AS_ZERO']);
    expect(Object.keys(lists.counts)).toEqual(['DST_DAY', 'MISSING_BLANK', 'NEGATIVE', 'TRACE_AS_ZERO']);
  });

  it('lists are cut at ten thousand, counts are not, and the cut is told', () => {
    const findings = new Findings();
    for (let n = 0; n < 10_500; n += 1) findings.reject(n, { line: n, reason: 'NEGATIVE' });
    const lists = findings.lists();
    expect([lists.rejected.length, lists.counts['NEGATIVE'], lists.lists_cut]).toEqual([10_000, 10_500, true]);
    expect(new Findings().lists()).not.toHaveProperty('lists_cut');
  });

  it('a decision is noted once', () => {
    const findings = new Findings();
    findings.decided('OUTLIER', 'drop', 'a');
    findings.decided('OUTLIER', 'drop', 'a');
    findings.decided('OUTLIER', 'drop');
    expect(findings.lists().choices_applied).toEqual([
      { code: 'OUTLIER', station_id: 'a', action: 'drop' },
      { code: 'OUTLIER', action: 'drop' },
    ]);
  });

  it('long texts are shortened in every member', () => {
    const findings = new Findings();
    findings.reject(1, { line: 1, station_id: 'x'.repeat(1000), reason: 'NEGATIVE', value: 'y'.repeat(1000) });
    expect(JSON.stringify(findings.lists()).length).toBeLessThan(600);
  });
});

describe('the accepted part', () => {
  it('sums to three decimals, and is empty for nothing', () => {
    expect(
      acceptedPart([
        { id: 'a', mm: 0.1 },
        { id: 'b', mm: 0.2 },
      ]),
    ).toEqual({ accepted_count: 2, accepted_sum_mm: 0.3, accepted_max_mm: 0.2, accepted_mm: { a: 0.1, b: 0.2 } });
    expect(acceptedPart([])).toEqual({ accepted_count: 0, accepted_sum_mm: 0, accepted_max_mm: null, accepted_mm: {} });
  });

  it('zero is a maximum', () => {
    expect(acceptedPart([{ id: 'a', mm: 0 }]).accepted_max_mm).toBe(0);
  });
});

describe('the report as a port', () => {
  it('every member that a report can have is in its schema, and what the schema requires is there', () => {
    const files = [
      gauges(['1', '', 'T']),
      'id,easting_lv95,northing_lv95,rain_in\na,600000,200000,1\n',
      'id,easting_lv95,northing_lv95,rain_in\na,2600000,1200000,1\n',
    ];
    for (const file of files) {
      const { report } = read(file);
      for (const key of Object.keys(report)) expect(REPORT_JSON_SCHEMA.properties, key).toHaveProperty(key);
      for (const key of REPORT_JSON_SCHEMA.required) expect(report, key).toHaveProperty(key);
    }
  });
});

describe('choices', () => {
  const choices: Choice[] = [
    { code: 'A', action: 'drop' },
    { code: 'A', stationId: 's', action: 'keepFirst' },
    { code: 'B', stationId: 's', action: 'keepSecond' },
  ];
  it.each([
    ['A', ['s'], 'keepFirst'],
    ['A', ['other'], 'drop'],
    ['A', ['other', 's'], 'keepFirst'],
    ['B', ['other'], null],
    ['C', ['s'], null],
  ])('for %s at %j: %s', (code, ids, action) => {
    expect(decisionFor(choices, code, ids)).toBe(action);
  });
});

describe('where the bulk of a network lies', () => {
  const places = Array.from({ length: 20 }, (_, n) => ({ x: 8 + (n % 5) * 0.1, y: 46 + Math.floor(n / 5) * 0.1 }));
  const any = (): boolean => true;

  it('reaches beyond its edge, and not to another country', () => {
    const region = networkRegion(places, 'EPSG:4326', any);
    expect([
      region?.contains(8.2, 46.2),
      region?.contains(7.2, 45.3),
      region?.contains(20, 46),
      region?.contains(46, 8),
    ]).toEqual([true, true, false, false]);
  });

  it('is not enlarged by a fifth of misplaced ones', () => {
    const odd = Array.from({ length: 4 }, (_, n) => ({ x: 46 + n, y: 8 }));
    expect(networkRegion([...places, ...odd], 'EPSG:4326', any)?.contains(46, 8)).toBe(false);
  });

  it('a station with many rows counts as one place; few places have no bulk', () => {
    const many = Array.from({ length: 100 }, () => ({ x: 46, y: 8 }));
    expect(networkRegion([...places, ...many], 'EPSG:4326', any)?.contains(46, 8)).toBe(false);
    expect(networkRegion(places.slice(0, 4), 'EPSG:4326', any)).toBeNull();
    expect(networkRegion(places, 'EPSG:4326', () => false)).toBeNull();
  });
});
