import { inflateSync } from 'node:zlib';
import { addDecoder, BaseDecoder, type ImageFileDirectory } from 'geotiff';
import { decodeLzw } from './lzw.ts';
import { MAX_CELLS } from './tiffScan.ts';

/** Nothing that passed the scan has a block of more bytes than this. */
const MAX_BLOCK_BYTES = MAX_CELLS * 8;

function blockBytes(decoder: BaseDecoder): number {
  const { tileWidth, tileHeight, bitsPerSample, planarConfiguration } = decoder.parameters;
  const bits = typeof bitsPerSample === 'number' ? [bitsPerSample] : Array.from(bitsPerSample);
  const perPixel = planarConfiguration === 2 ? (bits[0] ?? 8) : bits.reduce((sum, value) => sum + value, 0);
  return Math.min(MAX_BLOCK_BYTES, tileWidth * tileHeight * (perPixel / 8));
}

const standalone = (bytes: Uint8Array): ArrayBuffer => {
  const copy = new Uint8Array(bytes.length);
  copy.set(bytes);
  return copy.buffer;
};

class BoundedDeflate extends BaseDecoder {
  override decodeBlock(buffer: ArrayBufferLike): ArrayBufferLike {
    return standalone(inflateSync(new Uint8Array(buffer), { maxOutputLength: Math.max(1, blockBytes(this)) }));
  }
}

class BoundedLzw extends BaseDecoder {
  override decodeBlock(buffer: ArrayBufferLike): ArrayBufferLike {
    return standalone(decodeLzw(new Uint8Array(buffer), blockBytes(this)));
  }
}

async function parameters(directory: ImageFileDirectory) {
  const number = async (
    tag:
      'ImageWidth' | 'ImageLength' | 'TileWidth' | 'TileLength' | 'RowsPerStrip' | 'PlanarConfiguration' | 'Predictor',
  ) => Number(await directory.loadValue(tag));
  const tiled = directory.hasTag('TileOffsets');
  const height = await number('ImageLength');
  return {
    tileWidth: await number(tiled ? 'TileWidth' : 'ImageWidth'),
    tileHeight: tiled ? await number('TileLength') : Math.min(height, (await number('RowsPerStrip')) || height),
    planarConfiguration: (await number('PlanarConfiguration')) || 1,
    bitsPerSample: (await directory.loadValue('BitsPerSample')) ?? 1,
    predictor: (await number('Predictor')) || 1,
  };
}

let installed = false;

/**
 * Replaces geotiff's DEFLATE and LZW decoders, which grow as far as the data say, by ones that stop at the size of a
 * block: a few kilobytes must not become gigabytes. Done once a process.
 */
export function installBoundedDecoders(): void {
  if (installed) return;
  installed = true;
  addDecoder([8, 32946], () => Promise.resolve(BoundedDeflate), parameters, false);
  addDecoder(5, () => Promise.resolve(BoundedLzw), parameters, false);
}
