/** Debian's Chromium driven by playwright-core. Browser tests skip, with the reason, only where there is none. */
import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';

/** Path of the browser: `GEOAGENT_CHROMIUM`, else the usual places; undefined when there is none. */
export const chromiumPath = [process.env['GEOAGENT_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'].find(
  (path): path is string => path !== undefined && path !== '' && existsSync(path),
);

export const NO_CHROMIUM = 'no Chromium: install it (apt-get install chromium) or set GEOAGENT_CHROMIUM';

/** A headless browser that talks to nobody but the page under test. */
export function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(NO_CHROMIUM);
  const quiet = ['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
  return chromium.launch({
    executablePath: chromiumPath,
    headless: true,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', ...quiet],
  });
}

export interface Witness {
  /** Console errors and uncaught exceptions. */
  readonly errors: string[];
  /** Dialogs that opened: proof that foreign script ran. */
  readonly dialogs: string[];
  /** Every request URL except data: and blob:. */
  readonly requests: string[];
}

/** Records what a page does that it should not. Attach before the first navigation. */
export function watchPage(page: Page): Witness {
  const witness: Witness = { errors: [], dialogs: [], requests: [] };
  page.on('console', (message) => {
    if (message.type() === 'error') witness.errors.push(message.text());
  });
  page.on('pageerror', (error) => witness.errors.push(error.message));
  page.on('dialog', (dialog) => {
    witness.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url())) witness.requests.push(request.url());
  });
  return witness;
}
