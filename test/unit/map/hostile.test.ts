import { describe, expect, it } from 'vitest';
import type { ToolRun } from '../../../src/catalog/tool.ts';
import { dataBlock } from '../../../src/tools/gis/map/checks.ts';
import { jsonForScript, renderHtml } from '../../../src/tools/gis/map/html.ts';
import { scriptHash, scriptHashes } from '../../../src/tools/gis/map/scriptHashes.ts';
import { svgMap } from '../../../src/tools/gis/map/svg/svgMap.ts';
import { pageBundle } from '../../../src/tools/gis/map/pageBundle.ts';
import { prepareMap } from '../../../src/tools/gis/map/prepareMap.ts';
import { rasterise } from '../../../src/tools/gis/map/rasterise.ts';
import { HOSTILE_NAMES } from '../../support/hostileNames.ts';
import { exposureItems, featuresInput, gaugesInput, mapRun, surfaceInput } from '../../support/mapData.ts';

const name = (index: number): string => HOSTILE_NAMES[index % HOSTILE_NAMES.length]!;
const hostileRun = mapRun({
  args: { title: '</title><script>alert(1)</script>' },
  inputs: new Map([
    ['exposure', featuresInput(exposureItems({ count: 48, name }))],
    ['surface', surfaceInput()],
    ['observations', gaugesInput({ name })],
  ]),
});

describe('hostile names', async () => {
  const prepared = await prepareMap(hostileRun as ToolRun<object>);
  const html = renderHtml(prepared.data, await pageBundle());
  const data = dataBlock(html)!;

  it('leave exactly one script that runs: ours', () => {
    expect(html.match(/<script/gi)).toHaveLength(2);
    expect(html.match(/<\/script/gi)).toHaveLength(2);
    expect(scriptHashes(html)).toHaveLength(1);
    const script = html.slice(html.lastIndexOf('<script>') + 8, html.lastIndexOf('</script>'));
    expect(scriptHashes(html)).toEqual([scriptHash(script)]);
    expect(html.includes(`script-src &#39;${scriptHash(script)}&#39;`)).toBe(true);
  });

  it('stand in the data block and nowhere else, with no character that HTML reads', () => {
    const block = /<script type="application\/json" id="map-data">([\s\S]*?)<\/script>/.exec(html)![1]!;
    expect(/[<\u2028\u2029]/.test(block)).toBe(false);
    // Without the data block, our own script and our own styles.
    const rest = html
      .replace(block, '')
      .replace(/<script>[\s\S]*<\/script>/, '')
      .replace(/<style>[\s\S]*<\/style>/, '');
    for (const marker of ['__pwned', 'onerror=', 'onload=alert', 'autofocus'])
      expect(rest.includes(marker), marker).toBe(false);
    expect(rest.includes('<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>')).toBe(true);
  });

  it('arrive as text: same words, invisible characters made visible, a megabyte cut', () => {
    const names = data.assets.map((one) => one.name);
    expect(names).toContain('<script>window.__pwned = 1</script>');
    expect(names).toContain('{title} {constructor} ${alert(1)} $& $1');
    expect(names).toContain('pay[U+202E]gnp.exe');
    expect(names.every((one) => Array.from(one).length <= 120)).toBe(true);
    expect(html.length).toBeLessThan(600_000);
  });

  it('leave a well-formed picture: every element and entity in the SVG is ours', { timeout: 60_000 }, async () => {
    const svg = svgMap(data, null);
    const elements = new Set([...svg.matchAll(/<\/?([A-Za-z:]+)/g)].map((match) => match[1]));
    expect([...elements].sort()).toEqual(['circle', 'clipPath', 'defs', 'g', 'image', 'path', 'pattern', 'rect', 'svg', 'text'].filter((one) => elements.has(one))); // prettier-ignore
    expect(/&(?!(?:amp|lt|gt|quot|#39);)/.test(svg)).toBe(false);
    const attributes = svg.replace(/>[^<]*</g, '><');
    expect(/\son\w+=|javascript:/.test(attributes)).toBe(false);
    expect((await rasterise(svg)).length).toBeGreaterThan(50_000);
  });
});

describe('data in a script block', () => {
  it('is read back as it was, whatever it holds', () => {
    const value = { text: '</script><!--\u2028\u2029', list: ['<', '\\u003c', '"'] };
    const text = jsonForScript(value);
    expect(text).not.toMatch(/[<\u2028\u2029]/);
    expect(JSON.parse(text)).toEqual(value);
  });
});
