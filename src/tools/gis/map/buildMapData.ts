/** Inputs of `gis.generateMap` → what both maps show. No drawing here. */
import type { Labels as DataLabels } from '../../../catalog/tool.ts';
import type { TimeWindow } from '../../../catalog/portTypes.ts';
import { transformer } from '../crs/transformer.ts';
import type { Raster, SourceInfo } from '../formats.ts';
import { bordersNear, BORDERS_SOURCE } from './borders.ts';
import { displayText } from './displayText.ts';
import { classify, headline } from './exposureClasses.ts';
import { placeGeometry, thinGeometry, type Placed } from './geometry.ts';
import { LABELS, type Locale } from './labels.ts';
import type { MapAsset, MapData, MapGauge, MapSurface, MapWindow } from './mapData.ts';
import { fromMercator, unionBox, type Box } from './mercator.ts';
import { formatTime, zoneOffset } from './numbers.ts';
import type { ExposureInput, GaugeInput } from './readInputs.ts';
import { ruleLines } from './rule.ts';
import { surfaceMethod, surfaceWindow } from './surfaceWindow.ts';
import { warpSurface, type SurfacePicture } from './warp.ts';

export interface MapRequest {
  readonly exposure: ExposureInput;
  readonly surface: Raster | null;
  readonly gauges: GaugeInput | null;
  readonly title: string | undefined;
  readonly locale: Locale;
  readonly timeZone: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly labels: DataLabels;
  /** For an empty collection: whether its type promises screening classes. */
  readonly expectScreening: boolean;
}

/** More points than this are thinned for display. */
const MAX_POINTS = 150_000;
const NAME_KEYS = ['name', 'nome', 'Name', 'NAME', 'NOME', 'denominazione', 'label', 'title'];
const WORLD: Box = [-170, -58, 170, 75];

type Properties = Readonly<Record<string, unknown>>;

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

function nameOf(own: Properties, id: string): string {
  const key = NAME_KEYS.find((one) => Object.hasOwn(own, one) && typeof own[one] === 'string' && own[one] !== '');
  const text = key === undefined ? '' : displayText(String(own[key]));
  return text === '' ? id : text;
}

function measureOf(value: unknown): MapAsset['measure'] {
  if (typeof value !== 'object' || value === null) return null;
  const { kind, exposed, total } = value as Properties;
  const known = kind === 'count' || kind === 'length_m' || kind === 'area_share';
  return known && typeof exposed === 'number' && typeof total === 'number' ? { kind, exposed, total } : null;
}

function assetsOf(exposure: ExposureInput, indexes: readonly number[]): { assets: MapAsset[]; simplifiedM: number } {
  const toLonLat = transformer(exposure.crs, 'EPSG:4326');
  const placed = exposure.features.map((one) => placeGeometry(one.geometry, toLonLat));
  const points = placed.reduce((sum, one) => sum + (one?.points ?? 0), 0);
  const all = placed.reduce<Box | null>((box, one) => unionBox(box, one?.box ?? null), null);
  // A six-thousandth of the width is under half a pixel of any screen.
  const tolerance = points > MAX_POINTS && all ? Math.max(all[2] - all[0], all[3] - all[1]) / 6000 : 0;
  const shown = (one: Placed): Placed['geometry'] =>
    tolerance > 0 ? thinGeometry(one.geometry, tolerance) : one.geometry;
  const assets = exposure.features.map((one, index): MapAsset => {
    const own = one.properties ?? {};
    const place = placed[index] ?? null;
    const id = displayText(String(one.id ?? (typeof own['id'] === 'string' ? own['id'] : index + 1)), 60);
    return {
      index,
      id,
      name: nameOf(own, id),
      classIndex: indexes[index] ?? 0,
      rain: numberOf(own['rain_mm']),
      se: numberOf(own['se_mm']),
      probability: numberOf(own['probability']),
      slope: numberOf(own['slope_deg']),
      measure: measureOf(own['measure']),
      geometry: place ? shown(place) : null,
      box: place?.box ?? null,
    };
  });
  return { assets, simplifiedM: Math.ceil(tolerance * 111_320) };
}

function gaugesOf(input: GaugeInput | null): MapGauge[] {
  if (!input) return [];
  const toLonLat = transformer(input.crs, 'EPSG:4326');
  return input.stations.flatMap((one): MapGauge[] => {
    const [lon, lat] = toLonLat(one.x, one.y);
    if (Number.isNaN(lon) || Number.isNaN(lat)) return [];
    const id = displayText(one.id, 60);
    return [{ id, name: displayText(one.name ?? one.id), lon, lat, mm: one.mm, flags: one.flags ?? [] }];
  });
}

function surfaceOf(picture: SurfacePicture | null, unit: string): MapSurface | null {
  if (!picture) return null;
  const [west, south] = fromMercator(picture.box[0], picture.box[1]);
  const [east, north] = fromMercator(picture.box[2], picture.box[3]);
  return {
    url: `data:image/png;base64,${Buffer.from(picture.png).toString('base64')}`,
    box: [west, south, east, north],
    ramp: picture.ramp,
    unit: displayText(unit, 12),
    hasNoData: picture.noDataCells > 0,
  };
}

function windowOf(window: TimeWindow | null, timeZone: string): MapWindow | null {
  if (!window || Number.isNaN(Date.parse(window.from)) || Number.isNaN(Date.parse(window.to))) return null;
  const span = (zone: string): string => `${formatTime(window.from, zone)} – ${formatTime(window.to, zone)}`;
  const offsets = [...new Set([zoneOffset(window.from, timeZone), zoneOffset(window.to, timeZone)])];
  return { utc: span('UTC'), local: span(timeZone), zone: `${timeZone}, ${offsets.join(' → ')}` };
}

const sameWindow = (a: TimeWindow, b: TimeWindow): boolean =>
  Date.parse(a.from) === Date.parse(b.from) && Date.parse(a.to) === Date.parse(b.to);

const sourceText = (one: SourceInfo): string =>
  displayText(`${one.name} (${one.kind}${one.licence === '' ? '' : `; ${one.licence}`})`, 200);

/** Box of everything drawn, with a margin, at least about 2 km wide. */
function viewBox(boxes: readonly (Box | null)[]): Box {
  const box = boxes.reduce<Box | null>((sum, one) => unionBox(sum, one), null);
  if (!box) return WORLD;
  const padX = Math.max((box[2] - box[0]) * 0.04, 0.01);
  const padY = Math.max((box[3] - box[1]) * 0.04, 0.01);
  return [box[0] - padX, Math.max(-85, box[1] - padY), box[2] + padX, Math.min(85, box[3] + padY)];
}

/**
 * Everything both maps show, with texts already fit for display, and the warped picture for the static map.
 * @throws ToolError `STATE_INVALID` for features without classes, `INVALID_ARGUMENT` for an unknown coordinate system
 */
export async function buildMapData(request: MapRequest): Promise<{ data: MapData; picture: SurfacePicture | null }> {
  const { exposure, surface, gauges, locale } = request;
  const labels = LABELS[locale];
  const properties = exposure.features.map((one) => one.properties ?? {});
  const expected = { screening: request.expectScreening, names: exposure.matrix?.classes ?? [] };
  const classified = classify(properties, labels, locale, expected);
  const { assets, simplifiedM } = assetsOf(exposure, classified.indexes);
  const placedGauges = gaugesOf(gauges);
  const picture = surface ? warpSurface(surface) : null;
  const mapSurface = surfaceOf(picture, surface?.unit ?? 'mm');
  const windows = [gauges?.window, surface ? surfaceWindow(surface.metadata) : null, exposure.window];
  const stated = windows.flatMap((one) => one ?? []);
  const box = viewBox([
    ...assets.map((one) => one.box),
    ...placedGauges.map((one): Box => [one.lon, one.lat, one.lon, one.lat]),
    mapSurface?.box ?? null,
  ]);
  const [spanX, spanY] = [box[2] - box[0], box[3] - box[1]];
  const borders = await bordersNear([box[0] - spanX, box[1] - spanY, box[2] + spanX, box[3] + spanY]);
  const named = [sourceText(exposure.source), ...(gauges ? [sourceText(gauges.source)] : [])];
  // A licence that a source already names is not said twice.
  const licences = request.labels.licences.map((text) => displayText(text, 200)).filter((text) => !named.some((one) => one.includes(text))); // prettier-ignore
  const sources = [...named, ...licences, ...(borders.length > 0 ? [`${labels.borders}: ${BORDERS_SOURCE}`] : [])];
  const title = displayText(request.title ?? '', 140);
  const data: MapData = {
    version: 1,
    locale,
    labels,
    title: title === '' ? labels.defaultTitle : title,
    mode: classified.mode,
    headline: headline(classified, labels, locale, exposure.threshold?.mm ?? null),
    classes: classified.classes,
    assets,
    withoutGeometry: assets.filter((one) => one.geometry === null).length,
    gauges: placedGauges,
    surface: mapSurface,
    borders,
    window: windowOf(stated[0] ?? null, request.timeZone),
    windowDiffers: stated.some((one) => stated[0] && !sameWindow(one, stated[0])),
    created: formatTime(new Date(request.now).toISOString(), 'UTC'),
    dataCrs: [...new Set([exposure.crs, ...(surface ? [surface.crs] : []), ...(gauges ? [gauges.crs] : [])])].sort(),
    sources: [...new Set(sources)].sort(),
    method: surface ? surfaceMethod(surface.metadata, labels, locale).map((line) => displayText(line, 200)) : [],
    rule: ruleLines(exposure, labels, locale),
    synthetic: request.labels.integrity.includes('synthetic'),
    box,
    simplifiedM,
  };
  return { data, picture };
}
