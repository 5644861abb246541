import { fill } from '../../tools/gis/map/fill.ts';
import type { MapAsset, MapData } from '../../tools/gis/map/mapData.ts';
import { formatLength, formatNumber, formatShare } from '../../tools/gis/map/numbers.ts';
import { el } from './dom.ts';
import { classSymbol } from './symbol.ts';

/** `34.2 ± 3.1`, or a dash. */
export function rainText({ rain, se }: MapAsset, data: MapData): string {
  if (rain === null) return '–';
  const value = formatNumber(rain, 1, data.locale);
  return se === null ? value : `${value} ± ${formatNumber(se, 1, data.locale)}`;
}

export const probabilityText = ({ probability }: MapAsset, data: MapData): string =>
  probability === null ? '–' : formatShare(probability, data.locale);

export const slopeText = ({ slope }: MapAsset, data: MapData): string =>
  slope === null ? '–' : formatNumber(slope, 1, data.locale);

/** Part of a line or an area that exceeds; a point is its own class and says nothing more. */
export function measureText({ measure }: MapAsset, data: MapData): string {
  if (!measure || measure.kind === 'count') return '–';
  if (measure.kind === 'area_share')
    return formatShare(measure.total > 0 ? measure.exposed / measure.total : 0, data.locale);
  const [part, whole] = [formatLength(measure.exposed, data.locale), formatLength(measure.total, data.locale)];
  return fill(data.labels.of, { part, whole });
}

/** Popup of an asset: all that the table says about it. */
export function assetDetails(asset: MapAsset, data: MapData): HTMLElement {
  const style = data.classes[asset.classIndex];
  const { labels } = data;
  const rows: [string, string][] = [
    [labels.rain, rainText(asset, data)],
    [labels.probability, probabilityText(asset, data)],
    [labels.measure, measureText(asset, data)],
    [labels.slope, slopeText(asset, data)],
  ];
  const list = rows
    .filter(([, text]) => text !== '–')
    .flatMap(([name, text]) => [el('dt', {}, name), el('dd', {}, text)]);
  return el(
    'div',
    { class: 'details' },
    el('strong', { dir: 'auto' }, asset.name),
    asset.id === asset.name ? null : el('div', { class: 'quiet', dir: 'auto' }, asset.id),
    el('div', { class: 'class' }, style ? classSymbol(style) : null, style?.label ?? ''),
    el('dl', {}, ...list),
  );
}
