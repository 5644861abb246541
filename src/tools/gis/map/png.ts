import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

/** One colour of the palette: `#rrggbb` and opacity 0–255. */
export interface PaletteColour {
  readonly colour: string;
  readonly alpha: number;
}

/**
 * Palette PNG (8 bits a pixel, W3C PNG third edition §11) from row-major indexes. At most 256 colours.
 * Equal input gives equal bytes.
 */
export function encodePalettePng(
  width: number,
  height: number,
  pixels: Uint8Array,
  palette: readonly PaletteColour[],
): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Uint8Array.from(
    palette.flatMap(({ colour }) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))),
  );
  const scanlines = new Uint8Array((width + 1) * height);
  for (let row = 0; row < height; row += 1) {
    scanlines.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  }
  const parts = [
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk(
      'tRNS',
      Uint8Array.from(palette, ({ alpha }) => alpha),
    ),
    chunk('IDAT', deflateSync(scanlines, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ];
  const file = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}
