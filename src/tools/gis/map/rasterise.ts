import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

const require = createRequire(import.meta.url);
const FONTS = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'];

let ready: Promise<readonly Uint8Array[]> | undefined;

/** The wasm module can be initialised once a process; fonts come from the package, never from the system. */
async function prepare(): Promise<readonly Uint8Array[]> {
  await initWasm(await readFile(require.resolve('@resvg/resvg-wasm/index_bg.wasm')));
  return Promise.all(FONTS.map((name) => readFile(require.resolve(`dejavu-fonts-ttf/ttf/${name}`))));
}

/** SVG → PNG of the same size. Equal text gives equal bytes on every machine. */
export async function rasterise(svg: string): Promise<Uint8Array> {
  ready ??= prepare();
  const renderer = new Resvg(svg, {
    // The two option types of the package exclude each other; the wasm build knows no system fonts anyway.
    font: { fontBuffers: [...(await ready)], defaultFontFamily: 'DejaVu Sans', sansSerifFamily: 'DejaVu Sans' },
  });
  try {
    const image = renderer.render();
    const png = image.asPng();
    image.free();
    return png;
  } finally {
    renderer.free();
  }
}
