import type { ClassStyle } from '../../tools/gis/map/classes.ts';
import { SYMBOL_PATHS } from '../../tools/gis/map/symbols.ts';
import { svg } from './dom.ts';

/** The symbol of a class for legend and table. */
export function classSymbol({ symbol, colour }: ClassStyle, size = 16): SVGElement {
  return svg(
    'svg',
    { viewBox: '-1.5 -1.5 3 3', width: String(size), height: String(size), 'aria-hidden': 'true', class: 'symbol' },
    svg('path', { d: SYMBOL_PATHS[symbol], fill: colour, stroke: '#222', 'stroke-width': '0.12' }),
  );
}

/** Legend sample of a line or an area of a class. */
export function lineSample({ colour, dash }: ClassStyle): SVGElement {
  const line = {
    x1: '1',
    y1: '7',
    x2: '33',
    y2: '7',
    stroke: colour,
    'stroke-width': '3',
    'stroke-dasharray': dash.join(' '),
  };
  return svg('svg', { viewBox: '0 0 34 14', width: '34', height: '14', 'aria-hidden': 'true' }, svg('line', line));
}

/** A gauge as it stands on the map. */
export function gaugeSymbol(): SVGElement {
  return svg(
    'svg',
    { viewBox: '-8 -8 16 16', width: '16', height: '16', 'aria-hidden': 'true', class: 'symbol' },
    svg('circle', { r: '4', fill: '#fff', stroke: '#111', 'stroke-width': '1.6' }),
    svg('circle', { r: '1.2', fill: '#111' }),
  );
}
