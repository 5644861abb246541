import { UPLOAD_LIMITS } from './limits.ts';
import { uploadInvalid } from './refuse.ts';

export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
export type LineEnd = 'LF' | 'CRLF' | 'CR' | 'mixed' | 'none';

export interface DecodedText {
  /** Without byte order mark, line ends as `\n`. */
  readonly text: string;
  readonly encoding: TextEncodingName;
  readonly bom: boolean;
  readonly lineEnd: LineEnd;
  /** Lines (from 1) that are not UTF-8 in a file whose other lines are; read as windows-1252. */
  readonly mixedLines: readonly number[];
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Text of an untrusted file. UTF-8 unless a byte order mark says otherwise; a file that is not UTF-8 anywhere is
 * windows-1252; one that is UTF-8 on some lines and not on others is decoded line by line and says which.
 * @throws UPLOAD_INVALID for binary content or a line above the record cap.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const bom = byteOrderMark(bytes);
  if (bom !== null && bom !== 'utf-8') {
    const raw = new TextDecoder(bom).decode(bytes.subarray(2));
    return { ...normaliseLines(raw), encoding: bom, bom: true, mixedLines: [] };
  }
  const body = bom === 'utf-8' ? bytes.subarray(3) : bytes;
  if (body.subarray(0, 65_536).includes(0)) throw uploadInvalid('The file is binary, not text.');
  refuseLongLines(body);
  const decoded = decodeBody(body);
  return { ...normaliseLines(decoded.text), encoding: decoded.encoding, bom: bom !== null, mixedLines: decoded.mixed };
}

function byteOrderMark(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return null;
}

/** Looks at bytes, not at text: a 100 MB line must not become a string first. */
function refuseLongLines(bytes: Uint8Array): void {
  const ends = (from: number): number => {
    const lf = bytes.indexOf(LF, from);
    if (lf >= 0 && lf - from <= UPLOAD_LIMITS.recordBytes) return lf;
    const cr = bytes.subarray(from, from + UPLOAD_LIMITS.recordBytes + 1).indexOf(CR);
    return cr >= 0 ? from + cr : lf;
  };
  let start = 0;
  while (start < bytes.length) {
    const found = ends(start);
    const end = found < 0 ? bytes.length : found;
    if (end - start > UPLOAD_LIMITS.recordBytes) {
      throw uploadInvalid(
        `A line is longer than ${UPLOAD_LIMITS.recordBytes / 1024 / 1024} MiB: this is not a table with one record a line.`,
      );
    }
    start = end + 1;
  }
}

function decodeBody(body: Uint8Array): { text: string; encoding: TextEncodingName; mixed: number[] } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(body), encoding: 'utf-8', mixed: [] };
  } catch {
    return decodeLines(body);
  }
}

function decodeLines(body: Uint8Array): { text: string; encoding: TextEncodingName; mixed: number[] } {
  const strict = new TextDecoder('utf-8', { fatal: true });
  const legacy = new TextDecoder('windows-1252');
  const parts: string[] = [];
  const mixed: number[] = [];
  let multibyte = false;
  let start = 0;
  for (let line = 1; start <= body.length; line += 1) {
    const found = body.indexOf(LF, start);
    const end = found < 0 ? body.length : found;
    const slice = body.subarray(start, end);
    try {
      const text = strict.decode(slice);
      multibyte ||= text.length !== slice.length;
      parts.push(text);
    } catch {
      parts.push(legacy.decode(slice));
      mixed.push(line);
    }
    start = end + 1;
  }
  const text = parts.join('\n');
  return multibyte ? { text, encoding: 'utf-8', mixed } : { text, encoding: 'windows-1252', mixed: [] };
}

function normaliseLines(raw: string): { text: string; lineEnd: LineEnd } {
  if (!raw.includes('\r')) return { text: raw, lineEnd: raw.includes('\n') ? 'LF' : 'none' };
  const lone = /\r(?!\n)/.test(raw);
  const crlf = raw.includes('\r\n');
  const bareLf = /(?:^|[^\r])\n/.test(raw);
  const kinds = [crlf && 'CRLF', bareLf && 'LF', lone && 'CR'].filter((kind) => kind !== false);
  const only = kinds.length === 1 ? kinds[0] : undefined;
  return { text: raw.replace(/\r\n?/g, '\n'), lineEnd: (only ?? 'mixed') as LineEnd };
}
