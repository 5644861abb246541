import { test, type TestFunction } from 'vitest';
import type { HostName } from './types.ts';

/** Between host and case in a test's name; the table (table.ts) splits there. */
export const SEPARATOR = ' · ';

/**
 * A test that stands in the table host × case: the same `name` on both hosts makes one row.
 * @param skip why the case is not for this host (it needs a clock, the SDK is missing); shown as skipped
 */
export function caseOn(
  host: HostName,
  name: string,
  fn: TestFunction,
  options: { readonly skip?: boolean; readonly timeout?: number } = {},
): void {
  const title = `${host}${SEPARATOR}${name}`;
  const settings = options.timeout === undefined ? {} : { timeout: options.timeout };
  if (options.skip === true) test.skip(title, settings, fn);
  else test(title, settings, fn);
}
