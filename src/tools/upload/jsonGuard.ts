import { UPLOAD_LIMITS } from './limits.ts';
import { uploadInvalid } from './refuse.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * One pass over the bytes before `JSON.parse` sees them: nesting and number of members are bounded, brackets balance.
 * The walk is a loop, so a file nested 5 000 deep costs nothing. Returns the depth.
 * @throws UPLOAD_INVALID when too deep, too many members, truncated or unbalanced.
 */
export function scanJson(bytes: Uint8Array): number {
  const closers: number[] = [];
  let deepest = 0;
  let members = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      i = skipString(bytes, i);
    } else if (byte === 0x7b || byte === 0x5b) {
      closers.push(byte === 0x7b ? 0x7d : 0x5d);
      if (closers.length > UPLOAD_LIMITS.jsonDepth) {
        throw uploadInvalid(`The JSON is nested deeper than ${UPLOAD_LIMITS.jsonDepth} levels.`);
      }
      deepest = Math.max(deepest, closers.length);
    } else if (byte === 0x7d || byte === 0x5d) {
      if (closers.pop() !== byte) throw uploadInvalid(`The JSON is malformed: brackets do not match at byte ${i}.`);
    } else if (byte === 0x2c) {
      members += 1;
      if (members > UPLOAD_LIMITS.jsonKeys) throw uploadInvalid('The JSON has too many members.');
    }
  }
  if (closers.length > 0) throw uploadInvalid('The JSON ends before it is complete: the file is truncated.');
  return deepest;
}

/** Index of the closing quote. Jumps from quote to quote, so long strings are cheap. */
function skipString(bytes: Uint8Array, open: number): number {
  let at = open;
  for (;;) {
    at = bytes.indexOf(QUOTE, at + 1);
    if (at < 0) throw uploadInvalid('The JSON ends inside a text: the file is truncated.');
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
}

/** Parsed JSON of an untrusted file, UTF-8 with or without byte order mark. @throws UPLOAD_INVALID */
export function parseUntrustedJson(bytes: Uint8Array): unknown {
  if (bytes.length > UPLOAD_LIMITS.bytes) throw uploadInvalid('The file is larger than 100 MiB.');
  scanJson(bytes);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw uploadInvalid('The JSON is not UTF-8 text.');
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const detail = error instanceof Error ? error.message.slice(0, 200) : '';
    throw uploadInvalid(`The JSON is malformed: ${detail}`);
  }
}

/** True for a JSON object (not null, not an array). */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
