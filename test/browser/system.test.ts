/** The page against the running product, as a first-time user meets it: one sentence in, a map out. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { chromiumPath, launchChromium, NO_CHROMIUM, watchPage } from '../support/chromium.ts';
import { startProcess, temporaryState, type RunningSystem } from '../support/system/process.ts';

describe.skipIf(chromiumPath === undefined)(`system${chromiumPath === undefined ? ` (${NO_CHROMIUM})` : ''}`, () => {
  let browser: Browser;
  let system: RunningSystem;
  beforeAll(async () => {
    [browser, system] = await Promise.all([launchChromium(), startProcess({ state: temporaryState() })]);
  });
  afterAll(async () => {
    await browser.close();
    await system.stop();
  });

  it('starts the Italian example, shows every step succeed, the map with its classes, and the report', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
    const witness = watchPage(page);
    await page.goto(`${system.baseUrl}/api/ui`);
    await page.getByRole('button', { name: 'Infrastrutture e pioggia' }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.waitForSelector('.run[data-status=succeeded]', { timeout: 90_000 });
    const map = page.frameLocator('iframe');
    await map.locator('table').first().waitFor();
    const picture = process.env['GEOAGENT_SCREENSHOT'];
    if (picture !== undefined) await page.screenshot({ path: picture, fullPage: true });
    await map.getByText('Supera', { exact: true }).first().waitFor();
    for (const name of ['Indeciso', 'Sotto la soglia', 'Non valutato']) {
      expect(await map.getByText(name).count(), name).toBeGreaterThan(0);
    }
    await page
      .getByText(/Almeno \d+ e fino a \d+ elementi su \d+/)
      .first()
      .waitFor();
    expect(witness.errors).toEqual([]);
    expect(witness.requests.every((url) => url.startsWith(system.baseUrl))).toBe(true);

    const own = await browser.newPage();
    const alone = watchPage(own);
    const source = await page.locator('iframe').getAttribute('src');
    await own.goto(new URL(source ?? '', system.baseUrl).href);
    await own.getByText('Supera', { exact: true }).first().waitFor();
    expect(alone.errors).toEqual([]);
  });
});
