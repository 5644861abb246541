import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import type { ToolInput, ToolRun } from '../../src/catalog/tool.ts';
import { artifactCsp } from '../../src/artifacts/serve.ts';
import { renderHtml } from '../../src/tools/gis/map/html.ts';
import { pageBundle } from '../../src/tools/gis/map/pageBundle.ts';
import { prepareMap } from '../../src/tools/gis/map/prepareMap.ts';
import { scriptHashes } from '../../src/tools/gis/map/scriptHashes.ts';
import { chromiumPath, launchChromium, NO_CHROMIUM, watchPage, type Witness } from '../support/chromium.ts';
import { CANVAS_COLOURS, contrastOf, NAMELESS_CONTROLS, SIDEWAYS_OVERFLOW } from '../support/pageProbes.ts';
import { HOSTILE_NAMES } from '../support/hostileNames.ts';
import { exposureItems, featuresInput, gaugesInput, mapRun, screeningItems, surfaceInput } from '../support/mapData.ts';

const hostile = (index: number): string => HOSTILE_NAMES[index % HOSTILE_NAMES.length]!;

async function pageOf(run: ToolRun<unknown>): Promise<string> {
  const { data } = await prepareMap(run as ToolRun<object>);
  return renderHtml(data, await pageBundle());
}

describe.skipIf(chromiumPath === undefined)(`map page${chromiumPath === undefined ? ` (${NO_CHROMIUM})` : ''}`, () => {
  let browser: Browser;
  let server: Server;
  let origin: string;
  const pages = new Map<string, string>();

  beforeAll(async () => {
    const three = (exposure: ToolInput, gauges = gaugesInput()): Map<string, ToolInput> =>
      new Map([['exposure', exposure], ['surface', surfaceInput()], ['observations', gauges]]); // prettier-ignore
    pages.set('/plain', await pageOf(mapRun()));
    pages.set('/synthetic', await pageOf(mapRun({ locale: 'it-IT' }, true)));
    pages.set('/screening', await pageOf(mapRun({ inputs: three(featuresInput(screeningItems())) })));
    pages.set('/many', await pageOf(mapRun({ inputs: three(featuresInput(exposureItems({ count: 3000 }))) })));
    const names = { count: 48, name: hostile };
    pages.set('/hostile', await pageOf(mapRun({ args: { title: hostile(1) }, inputs: three(featuresInput(exposureItems(names)), gaugesInput(names)) }))); // prettier-ignore
    server = createServer((request, response) => {
      const html = pages.get(request.url ?? '');
      // Exactly what the artifact route answers.
      const policy = html === undefined ? '' : artifactCsp(scriptHashes(html));
      response
        .writeHead(html === undefined ? 404 : 200, {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': policy,
        })
        .end(html);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });

  async function open(path: string, width = 1280): Promise<{ page: Page; witness: Witness }> {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const witness = watchPage(page);
    await page.goto(origin + path);
    await page.waitForSelector('html[data-ready=true]');
    return { page, witness };
  }

  /** Colours on the canvas of the assets, as `r,g,b` with how many pixels each. */
  const colours = (page: Page): Promise<Record<string, number>> =>
    page.evaluate<Record<string, number>>(CANVAS_COLOURS);

  it('opens under the policy of the artifact route without an error and without a request', async () => {
    const { page, witness } = await open('/plain');
    expect(witness.errors).toEqual([]);
    expect(witness.requests).toEqual([`${origin}/plain`]);
    await page.close();
  });

  it('draws the four classes in their colours, and a class that is switched off goes away', async () => {
    const { page } = await open('/plain');
    const classes = { exceeds: '200,16,46', undecided: '230,159,0', below: '0,121,92', notAssessed: '85,85,85' };
    const drawn = await colours(page);
    for (const [name, colour] of Object.entries(classes)) expect(drawn[colour] ?? 0, name).toBeGreaterThan(60);
    await page.locator('.legend .classes li').first().locator('input').uncheck();
    await expect.poll(async () => (await colours(page))[classes.exceeds] ?? 0).toBeLessThan(60);
    await page.close();
  });

  it('says in words what it shows: legend, scale, north, systems, window twice, sources, disclaimer', async () => {
    const { page } = await open('/plain');
    const text = await page.locator('body').innerText();
    for (const part of [
      'At least 6, up to 20 of 60 assets exceed the rain threshold (9 undecided, 5 not assessed).',
      'Screening, not an official warning.',
      'Rain over the window (mm)',
      'No data: not assessed',
      '2026-05-12 06:00 – 2026-05-13 06:00 UTC',
      '2026-05-12 08:00 – 2026-05-13 08:00 (Europe/Rome, UTC+2)',
      'EPSG:32632',
      'EPSG:3857',
      'ODbL 1.0',
      'Natural Earth',
    ]) {
      expect(text.includes(part), part).toBe(true);
    }
    expect(await page.locator('.leaflet-control-scale-line').innerText()).toMatch(/\d+ k?m/);
    expect(await page.getByRole('img', { name: 'North is up' }).count()).toBe(1);
    expect(await page.locator('.gauge-labels span').count()).toBeGreaterThan(10);
    expect(await page.locator('.watermark').count()).toBe(0);
    await page.close();
  });

  it('sorts the table by keyboard and keeps empty values last in both directions', async () => {
    const { page } = await open('/plain');
    const rain = page.getByRole('columnheader', { name: 'Rain (mm)' });
    const column = (): Promise<string[]> => page.locator('tbody tr td:nth-child(3)').allInnerTexts();
    const numbers = async (): Promise<number[]> => (await column()).filter((one) => one !== '–').map((one) => Number.parseFloat(one)); // prettier-ignore
    await rain.locator('button').focus();
    await page.keyboard.press('Enter');
    expect(await rain.getAttribute('aria-sort')).toBe('descending');
    expect(await numbers()).toEqual((await numbers()).toSorted((a, b) => b - a));
    expect((await column()).at(-1)).toBe('–');
    await page.keyboard.press('Enter');
    expect(await rain.getAttribute('aria-sort')).toBe('ascending');
    expect(await numbers()).toEqual((await numbers()).toSorted((a, b) => a - b));
    expect((await column()).at(-1)).toBe('–');
    await page.close();
  });

  it('shows an asset on the map from its row, with its values', async () => {
    const { page } = await open('/plain');
    await page.locator('tbody button').first().click();
    const popup = page.locator('.leaflet-popup');
    await popup.waitFor();
    expect(await popup.innerText()).toContain((await page.locator('tbody button').first().innerText()).trim());
    expect(await popup.innerText()).toMatch(/\d+\.\d ± 4\.0/);
    await page.close();
  });

  it('finds an asset by name', async () => {
    const { page } = await open('/plain');
    await page.getByRole('searchbox').fill('impianto 22');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    expect(await page.getByRole('status').innerText()).toBe('1 of 60 assets');
    await page.close();
  });

  it('marks synthetic data on the map and above it, in the language of the run', async () => {
    const { page } = await open('/synthetic');
    expect(await page.locator('.watermark').innerText()).toContain('DATI SINTETICI');
    expect(await page.locator('.badge').innerText()).toContain('DATI SINTETICI');
    expect(await page.title()).toContain('DATI SINTETICI');
    expect(await page.locator('html').getAttribute('lang')).toBe('it');
    await page.close();
  });

  it('draws a screening result with the classes of its matrix', async () => {
    const { page, witness } = await open('/screening');
    const legend = await page.locator('.legend .classes').innerText();
    for (const name of ['high', 'moderate', 'low', 'Not assessed']) expect(legend).toContain(name);
    expect(await page.getByRole('columnheader', { name: 'Slope' }).count()).toBe(1);
    expect(await page.getByRole('columnheader', { name: 'Probability' }).count()).toBe(0);
    expect(witness.errors).toEqual([]);
    await page.close();
  });

  it('runs nothing from hostile names, in table, tooltip and popup', async () => {
    const { page, witness } = await open('/hostile');
    const buttons = page.locator('tbody button');
    for (let index = 0; index < (await buttons.count()); index += 5) {
      await buttons.nth(index).click();
      await page.locator('.leaflet-popup').first().waitFor();
    }
    await page.locator('.map').hover();
    expect(await page.evaluate(() => '__pwned' in globalThis)).toBe(false);
    expect(witness.dialogs).toEqual([]);
    expect(witness.errors).toEqual([]);
    expect(witness.requests).toEqual([`${origin}/hostile`]);
    const names = await page.locator('tbody th').allInnerTexts();
    expect(names).toContain('<script>window.__pwned = 1</script>');
    expect(await page.locator('body script').count()).toBe(2);
    expect(await page.locator('h1').innerText()).toBe(hostile(1));
    await page.close();
  });

  it('would notice a script that runs: the same names as markup do open a dialog', async () => {
    const page = await browser.newPage();
    const witness = watchPage(page);
    await page.setContent('<img src=x onerror="window.__pwned=1;alert(1)">');
    await expect.poll(() => witness.dialogs).toEqual(['1']);
    await page.close();
  });

  it('stays usable with 3000 assets and on a telephone', async () => {
    const { page, witness } = await open('/many', 390);
    expect(await page.locator('tbody tr').count()).toBe(200);
    await page.getByRole('button', { name: /Show 1000 more/ }).click();
    expect(await page.locator('tbody tr').count()).toBe(1200);
    const overflow = await page.evaluate<number>(SIDEWAYS_OVERFLOW);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(witness.errors).toEqual([]);
    await page.close();
  });

  it('gives every control a name, and text enough contrast', async () => {
    const { page } = await open('/plain');
    const nameless = await page.evaluate<string[]>(NAMELESS_CONTROLS);
    expect(nameless).toEqual([]);
    const selectors = ['h1', '.headline', '.disclaimer', '.facts dd', '.legend .name', 'tbody td', '.link', '.quiet'];
    const contrasts = await page.evaluate<{ selector: string; ratio: number }[]>(contrastOf(selectors));
    expect(contrasts).toHaveLength(selectors.length);
    // WCAG 2.2, 1.4.3: 4.5 : 1 for text.
    expect(contrasts.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
    await page.close();
  });
});
