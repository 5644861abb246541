/** Table of all assets: sortable by its headings, searchable, with a button in each row that shows the asset on the map. */
import { fill } from '../../tools/gis/map/fill.ts';
import type { MapAsset, MapData } from '../../tools/gis/map/mapData.ts';
import { measureText, probabilityText, rainText, slopeText } from './assetText.ts';
import { el } from './dom.ts';
import { classSymbol } from './symbol.ts';

interface Column {
  readonly key: string;
  readonly title: string;
  readonly numeric: boolean;
  /** Order of values; null sorts last in both directions. */
  readonly value: (asset: MapAsset) => number | string | null;
  readonly cell: (asset: MapAsset) => Node | string;
}

const PAGE = 200;
const share = ({ measure }: MapAsset): number | null =>
  !measure || measure.kind === 'count'
    ? null
    : measure.exposed / (measure.kind === 'area_share' ? measure.total || 1 : 1);

function columnsOf(data: MapData, zoomTo: (asset: MapAsset) => void): Column[] {
  const { labels } = data;
  const nameCell = (asset: MapAsset): Node => {
    if (!asset.geometry) {
      return el('span', { dir: 'auto' }, asset.name, el('em', { class: 'quiet' }, ` (${labels.noGeometry})`));
    }
    const label = fill(labels.zoomTo, { name: asset.name });
    const button = el(
      'button',
      { type: 'button', class: 'link', dir: 'auto', 'aria-label': label, title: label },
      asset.name,
    );
    button.addEventListener('click', () => zoomTo(asset));
    return button;
  };
  const classCell = (asset: MapAsset): Node => {
    const style = data.classes[asset.classIndex];
    return el('span', { class: 'class' }, style ? classSymbol(style, 14) : null, style?.label ?? '');
  };
  const all: Column[] = [
    { key: 'class', title: labels.class, numeric: false, value: (one) => one.classIndex, cell: classCell },
    { key: 'name', title: labels.asset, numeric: false, value: (one) => one.name.toLowerCase(), cell: nameCell },
    { key: 'rain', title: labels.rain, numeric: true, value: (one) => one.rain, cell: (one) => rainText(one, data) },
    { key: 'probability', title: labels.probability, numeric: true, value: (one) => one.probability, cell: (one) => probabilityText(one, data) },
    { key: 'measure', title: labels.measure, numeric: true, value: share, cell: (one) => measureText(one, data) },
    { key: 'slope', title: labels.slope, numeric: true, value: (one) => one.slope, cell: (one) => slopeText(one, data) },
  ]; // prettier-ignore
  return all.filter(({ numeric, value }) => !numeric || data.assets.some((one) => value(one) !== null));
}

function compare(a: number | string | null, b: number | string | null, sign: number): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -sign : sign;
}

/** Most urgent first: class, then probability, then rain. */
function urgency(a: MapAsset, b: MapAsset): number {
  return (
    a.classIndex - b.classIndex ||
    compare(a.probability, b.probability, -1) ||
    compare(a.rain, b.rain, -1) ||
    a.index - b.index
  );
}

/** Builds the table section. `zoomTo` is called for the row's button and for a click on the row. */
export function createTable(data: MapData, zoomTo: (asset: MapAsset) => void): HTMLElement {
  const { labels } = data;
  const columns = columnsOf(data, zoomTo);
  const body = el('tbody');
  const status = el('p', { class: 'quiet', role: 'status' });
  const more = el('button', { type: 'button', class: 'more' });
  const search = el('input', {
    type: 'search',
    'aria-label': labels.filter,
    placeholder: labels.filter,
    autocomplete: 'off',
  });
  let sorted: { column: Column; sign: number } | null = null;
  let limit = PAGE;

  const row = (asset: MapAsset): HTMLElement => {
    const cells = columns.map((column) =>
      column.key === 'name'
        ? el('th', { scope: 'row' }, column.cell(asset))
        : el('td', column.numeric ? { class: 'number' } : {}, column.cell(asset)),
    );
    const line = el('tr', { 'data-class': data.classes[asset.classIndex]?.key ?? 'notAssessed' }, ...cells);
    if (asset.geometry) {
      line.classList.add('placed');
      line.addEventListener('click', (event) => {
        if (!(event.target instanceof HTMLButtonElement)) zoomTo(asset);
      });
    }
    return line;
  };
  const draw = (): void => {
    const wanted = search.value.trim().toLowerCase();
    const found = data.assets.filter((one) => wanted === '' || `${one.name} ${one.id}`.toLowerCase().includes(wanted));
    found.sort((a, b) => {
      const chosen = sorted ? compare(sorted.column.value(a), sorted.column.value(b), sorted.sign) : 0;
      return chosen || urgency(a, b);
    });
    body.replaceChildren(...found.slice(0, limit).map(row));
    const shown = Math.min(limit, found.length);
    status.textContent = fill(labels.shown, { n: shown, total: data.assets.length });
    more.hidden = shown >= found.length;
    more.textContent = fill(labels.more, { n: Math.min(PAGE * 5, found.length - shown) });
  };
  const headings = columns.map((column) => {
    const button = el('button', { type: 'button', title: fill(labels.sortBy, { column: column.title }) }, column.title);
    const heading = el('th', { scope: 'col', 'aria-sort': 'none', class: column.numeric ? 'number' : '' }, button);
    button.addEventListener('click', () => {
      const first = column.numeric ? -1 : 1;
      sorted = { column, sign: sorted?.column === column ? -sorted.sign : first };
      for (const other of headings) other.setAttribute('aria-sort', 'none');
      heading.setAttribute('aria-sort', sorted.sign > 0 ? 'ascending' : 'descending');
      draw();
    });
    return heading;
  });
  search.addEventListener('input', () => {
    limit = PAGE;
    draw();
  });
  more.addEventListener('click', () => {
    limit += PAGE * 5;
    draw();
  });
  draw();
  const table = el('table', {}, el('thead', {}, el('tr', {}, ...headings)), body);
  const note = data.withoutGeometry > 0 ? el('p', {}, fill(labels.noGeometryNote, { n: data.withoutGeometry })) : null;
  return el(
    'section',
    { class: 'assets', 'aria-labelledby': 'assets-title' },
    el('div', { class: 'bar' }, el('h2', { id: 'assets-title' }, labels.assets), search, status),
    note,
    el('div', { class: 'scroll' }, table),
    more,
  );
}
