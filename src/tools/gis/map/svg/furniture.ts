/** What belongs to a map beside the map: scale bar, north arrow, watermark. */
import type { MapData } from '../mapData.ts';
import { niceFloor } from '../niceSteps.ts';
import { formatNumber } from '../numbers.ts';
import type { Frame } from './frame.ts';
import { textAt } from './text.ts';

/** Scale bar at the lower left; a Mercator map is true to scale at one latitude only, so it says where. */
export function scaleBar(data: MapData, frame: Frame): string {
  const metres = niceFloor(frame.metresPerPixel * 220);
  const width = metres / frame.metresPerPixel;
  const [x, y] = [frame.x + 22, frame.y + frame.height - 26];
  const [unit, size] = metres >= 2000 ? ['km', 1000] : ['m', 1];
  const text = (value: number): string => formatNumber(value / size, (value / size) % 1 === 0 ? 0 : 1, data.locale);
  const half = width / 2;
  return `<rect x="${x - 12}" y="${y - 26}" width="${(width + 72).toFixed(1)}" height="42" rx="3" fill="#fff" fill-opacity="0.85"/><rect x="${x}" y="${y}" width="${half.toFixed(1)}" height="7" fill="#111"/><rect x="${(x + half).toFixed(1)}" y="${y}" width="${half.toFixed(1)}" height="7" fill="#fff" stroke="#111"/><rect x="${x}" y="${y}" width="${width.toFixed(1)}" height="7" fill="none" stroke="#111" stroke-width="1.2"/>${textAt('0', x, y - 7, { size: 13, anchor: 'middle' })}${textAt(text(metres / 2), x + half, y - 7, { size: 13, anchor: 'middle' })}${textAt(`${text(metres)} ${unit}`, x + width, y - 7, { size: 13, anchor: 'middle' })}`;
}

/** North arrow at the upper right: up is north everywhere on a Mercator map. */
export function northArrow(data: MapData, frame: Frame): string {
  const [x, y] = [frame.x + frame.width - 36, frame.y + 18];
  return `<rect x="${x - 20}" y="${y - 8}" width="40" height="68" rx="3" fill="#fff" fill-opacity="0.85"/>${textAt(data.labels.north, x, y + 10, { size: 16, bold: true, anchor: 'middle' })}<path d="M${x},${y + 16} L${x + 11},${y + 52} L${x},${y + 43} Z" fill="#fff" stroke="#111" stroke-width="1.2"/><path d="M${x},${y + 16} L${x - 11},${y + 52} L${x},${y + 43} Z" fill="#111" stroke="#111" stroke-width="1.2"/>`;
}

/** "Synthetic data" across the map, so that a cut-out still says so. */
export function watermark(data: MapData, frame: Frame): string {
  if (!data.synthetic) return '';
  const marks: string[] = [];
  for (let row = 0; row < 4; row += 1) {
    for (let column = 0; column < 3; column += 1) {
      const x = frame.x + (frame.width * (column + 0.5)) / 3;
      const y = frame.y + (frame.height * (row + 0.5)) / 4;
      marks.push(
        `<g transform="translate(${x.toFixed(1)},${y.toFixed(1)}) rotate(-24)" fill-opacity="0.24">${textAt(data.labels.synthetic, 0, 0, { size: 34, bold: true, anchor: 'middle', colour: '#5b1a8b' })}</g>`,
      );
    }
  }
  return marks.join('');
}
