/** The static map as one SVG text: equal data gives equal text. */
import { fill } from '../fill.ts';
import type { MapData } from '../mapData.ts';
import type { SurfacePicture } from '../warp.ts';
import { createFrame } from './frame.ts';
import { northArrow, scaleBar, watermark } from './furniture.ts';
import { assetNames, assetsLayer, blockSymbols, bordersLayer, gaugesLayer, gaugeValues, graticuleLayer, Labelling, patternDefinitions, surfaceLayer } from './layers.ts'; // prettier-ignore
import { panel } from './panel.ts';
import { textAt, wrapText } from './text.ts';

export const MAP_WIDTH = 1600;
export const MAP_HEIGHT = 1130;
const MARGIN = 30;
const PANEL_WIDTH = 330;
const FONT = 'DejaVu Sans';

function header(data: MapData): string {
  const width = MAP_WIDTH - 2 * MARGIN;
  const [title = ''] = wrapText(data.title, width, 30, 1, true);
  const [line = ''] = wrapText(data.headline, width, 19, 1, true);
  const parts = [textAt(title, MARGIN, 48, { size: 30, bold: true }), textAt(line, MARGIN, 80, { size: 19 })];
  const note = data.synthetic ? `${data.labels.disclaimer} ${data.labels.syntheticNote}` : data.labels.disclaimer;
  parts.push(
    textAt(wrapText(note, width, 15, 1, true)[0] ?? '', MARGIN, 106, { size: 15, bold: true, colour: '#a8071a' }),
  );
  return parts.join('');
}

function footer(data: MapData, y: number): string {
  const text = data.sources.length > 0 ? data.sources.join(' · ') : data.labels.sourceNone;
  const simplified = data.simplifiedM > 0 ? ` · ${fill(data.labels.simplified, { m: data.simplifiedM })}` : '';
  const lines = wrapText(`${data.labels.sources}: ${text}${simplified}`, MAP_WIDTH - 2 * MARGIN, 12, 3);
  return lines.map((line, index) => textAt(line, MARGIN, y + index * 16, { size: 12, colour: '#445' })).join('');
}

/** SVG of 1600 × 1130 pixels with map, legend, scale, north, window, systems, sources and (synthetic) watermark. */
export function svgMap(data: MapData, picture: SurfacePicture | null): string {
  const top = 122;
  const width = MAP_WIDTH - 2 * MARGIN - PANEL_WIDTH - 70;
  const height = MAP_HEIGHT - top - 92;
  const frame = createFrame(data.box, MARGIN, top, width, height);
  const labelling = new Labelling(frame);
  labelling.block([frame.x, frame.y + height - 60, frame.x + 330, frame.y + height]);
  labelling.block([frame.x + width - 64, frame.y, frame.x + width, frame.y + 84]);
  blockSymbols(data, frame, labelling);
  const names = assetNames(data, frame, labelling);
  const values = gaugeValues(data, frame, labelling);
  const layers = [
    surfaceLayer(data, picture, frame),
    bordersLayer(data, frame),
    gaugesLayer(data, frame),
    assetsLayer(data, frame),
    values,
    names,
    watermark(data, frame),
    scaleBar(data, frame),
    northArrow(data, frame),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${MAP_WIDTH}" height="${MAP_HEIGHT}" viewBox="0 0 ${MAP_WIDTH} ${MAP_HEIGHT}" font-family="${FONT}"><defs><clipPath id="frame"><rect x="${frame.x}" y="${frame.y}" width="${width}" height="${height}"/></clipPath><pattern id="noData" width="9" height="9" patternUnits="userSpaceOnUse"><rect width="9" height="9" fill="#eee"/><path d="M-2,2 L2,-2 M0,9 L9,0 M7,11 L11,7" stroke="#4a4a4a" stroke-width="1"/></pattern>${patternDefinitions(data.classes)}</defs><rect width="100%" height="100%" fill="#fff"/>${header(data)}<rect x="${frame.x}" y="${frame.y}" width="${width}" height="${height}" fill="#e9eef3"/><g clip-path="url(#frame)">${layers.slice(0, 1).join('')}</g>${graticuleLayer(data, frame)}<g clip-path="url(#frame)">${layers.slice(1).join('')}</g><rect x="${frame.x}" y="${frame.y}" width="${width}" height="${height}" fill="none" stroke="#39424e" stroke-width="1.2"/>${panel(data, MAP_WIDTH - MARGIN - PANEL_WIDTH, top - 12, PANEL_WIDTH, top + height)}${footer(data, MAP_HEIGHT - 50)}</svg>`;
}
