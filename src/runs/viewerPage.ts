import { readFile } from 'node:fs/promises';
import type { HttpResponseInit } from '@azure/functions';
import { scriptHashes } from '../tools/gis/map/scriptHashes.ts';

let page: Promise<{ readonly html: string; readonly csp: string }> | undefined;

/** The viewer: one self-contained file made by the build, under a policy that lets only its own script run. */
export async function viewerPage(): Promise<HttpResponseInit> {
  page ??= load().catch((error: unknown) => {
    page = undefined;
    throw error;
  });
  const { html, csp } = await page;
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': csp,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    },
    body: html,
  };
}

async function load(): Promise<{ readonly html: string; readonly csp: string }> {
  const fromSource = import.meta.url.endsWith('.ts');
  const file = new URL(fromSource ? '../../dist/viewer/index.html' : '../viewer/index.html', import.meta.url);
  const html = await readFile(file, 'utf8');
  const hashes = scriptHashes(html).map((hash) => `'${hash}'`);
  const csp = [
    "default-src 'none'",
    `script-src ${hashes.join(' ')}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { html, csp };
}
