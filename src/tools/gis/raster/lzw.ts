import { ToolError } from '../../../plan/errors.ts';

const CLEAR = 256;
const END = 257;

/**
 * TIFF LZW (TIFF 6.0 section 13: codes of 9 to 12 bits, most significant bit first, width grows one code early).
 * Never writes more than `maxBytes`, whatever the input claims.
 *
 * @throws ToolError `UPLOAD_INVALID` for a broken stream
 */
export function decodeLzw(input: Uint8Array, maxBytes: number): Uint8Array {
  const out = new Uint8Array(maxBytes);
  // A code stands for a stretch of what was already written: where it starts and how long it is.
  const starts = new Int32Array(4097);
  const lengths = new Int32Array(4097);
  let written = 0;
  let next = 258;
  let width = 9;
  let previous = -1;
  let buffer = 0;
  let bits = 0;
  let at = 0;
  const broken = (): ToolError => new ToolError('UPLOAD_INVALID', 'This TIFF is refused: an LZW block is broken.');
  for (;;) {
    while (bits < width) {
      if (at >= input.length) return out.subarray(0, written);
      buffer = ((buffer << 8) | (input[at] as number)) & 0xff_ffff;
      at += 1;
      bits += 8;
    }
    const code = (buffer >>> (bits - width)) & ((1 << width) - 1);
    bits -= width;
    if (code === END) return out.subarray(0, written);
    if (code === CLEAR) {
      next = 258;
      width = 9;
      previous = -1;
      continue;
    }
    const start = written;
    const literal = code < 256;
    if (!literal && (previous < 0 || code >= next || code < 258)) throw broken();
    if (literal) {
      if (written < maxBytes) out[written] = code;
      written += 1;
    } else {
      const from = starts[code] as number;
      const length = lengths[code] as number;
      // The entry made last may reach into what is being written now: copy byte by byte.
      for (let i = 0; i < length && written < maxBytes; i += 1, written += 1) out[written] = out[from + i] as number;
    }
    if (written >= maxBytes) return out;
    // The next code will be entered as this stretch and one byte more.
    previous = code;
    if (next <= 4095) {
      starts[next] = start;
      lengths[next] = written - start + 1;
    }
    next = Math.min(next + 1, 4096);
    if (next === 512) width = 10;
    else if (next === 1024) width = 11;
    else if (next === 2048) width = 12;
  }
}
