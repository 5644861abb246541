/**
 * The coordinate systems that GeoAgent knows, written out so that no registry is needed at run time.
 *
 * Sources of the facts: EPSG registry (code, name, unit, area of use, projection parameters; rounded outwards to 0.1°)
 * and, for datum shifts, the seven- or three-parameter transformations that the registry lists for the area
 * (position-vector convention, as `+towgs84` takes it). Shifts without a national grid file are good to some metres:
 * enough for rain, not for surveying. The tests hold every definition against GDAL.
 */

export interface CrsDefinition {
  readonly code: number;
  readonly name: string;
  readonly kind: 'geographic' | 'projected';
  /**
   * Whether a unit is a metre on the ground, to a percent or so, within the area of use. False for degrees and for
   * pseudo-Mercator, whose metres are those of the equator.
   */
  readonly metric: boolean;
  /** Area of use in degrees: west, south, east, north. */
  readonly area: readonly [number, number, number, number];
  /** proj4 text; axis order is always east (longitude), north (latitude). */
  readonly proj: string;
  /** Best accuracy in metres to be had from `proj` against WGS 84 (datum shift). */
  readonly accuracyM: number;
}

type Row = readonly [
  code: number,
  name: string,
  area: readonly [number, number, number, number],
  proj: string,
  accuracyM: number,
];

const GRS80 = '+ellps=GRS80 +towgs84=0,0,0,0,0,0,0';
const MONTE_MARIO = '+ellps=intl +towgs84=-104.1,-49.1,-9.9,0.971,-2.917,0.714,-11.68';
const CH1903 = '+ellps=bessel +towgs84=674.374,15.056,405.346,0,0,0,0';
const ED50 = '+ellps=intl +towgs84=-87,-98,-121,0,0,0,0';
const MGI = '+ellps=bessel +towgs84=577.326,90.129,463.919,5.137,1.474,5.297,2.4232';
const DHDN = '+ellps=bessel +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7';
const SWISS = '+proj=somerc +lat_0=46.9524055555556 +lon_0=7.43958333333333 +k_0=1';

const ITALY = [5.9, 34.7, 19, 47.1] as const;
const SWITZERLAND = [5.9, 45.8, 10.5, 47.9] as const;
const EUROPE = [-35.6, 24.6, 44.9, 84.8] as const;

const GEOGRAPHIC: readonly Row[] = [
  [4326, 'WGS 84', [-180, -90, 180, 90], '+proj=longlat +datum=WGS84', 0],
  [4258, 'ETRS89', [-16.1, 32.8, 40.2, 84.8], `+proj=longlat ${GRS80}`, 1],
  [6706, 'RDN2008', ITALY, `+proj=longlat ${GRS80}`, 1],
  [4269, 'NAD83', [-180, 14.9, -40.7, 86.5], `+proj=longlat ${GRS80}`, 2],
  [4265, 'Monte Mario', ITALY, `+proj=longlat ${MONTE_MARIO}`, 4],
  [4149, 'CH1903', SWITZERLAND, `+proj=longlat ${CH1903}`, 2],
  [4230, 'ED50', [-16.1, 25.7, 48.7, 84.8], `+proj=longlat ${ED50}`, 10],
];

const PROJECTED: readonly Row[] = [
  [2056, 'CH1903+ / LV95', SWITZERLAND, `${SWISS} +x_0=2600000 +y_0=1200000 ${CH1903}`, 1],
  [21781, 'CH1903 / LV03', SWITZERLAND, `${SWISS} +x_0=600000 +y_0=200000 ${CH1903}`, 2],
  [
    3035,
    'ETRS89-extended / LAEA Europe',
    EUROPE,
    `+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 ${GRS80}`,
    1,
  ],
  [
    3034,
    'ETRS89-extended / LCC Europe',
    EUROPE,
    `+proj=lcc +lat_0=52 +lon_0=10 +lat_1=35 +lat_2=65 +x_0=4000000 +y_0=2800000 ${GRS80}`,
    1,
  ],
  [
    3003,
    'Monte Mario / Italy zone 1',
    [5.9, 36.5, 12, 47.1],
    `+proj=tmerc +lat_0=0 +lon_0=9 +k=0.9996 +x_0=1500000 +y_0=0 ${MONTE_MARIO}`,
    4,
  ],
  [
    3004,
    'Monte Mario / Italy zone 2',
    [12, 34.7, 19, 47.1],
    `+proj=tmerc +lat_0=0 +lon_0=15 +k=0.9996 +x_0=2520000 +y_0=0 ${MONTE_MARIO}`,
    4,
  ],
  [6707, 'RDN2008 / UTM zone 32N (N-E)', [5.9, 36.5, 12, 47.1], `+proj=utm +zone=32 ${GRS80}`, 1],
  [6708, 'RDN2008 / UTM zone 33N (N-E)', [12, 34.7, 18, 47.1], `+proj=utm +zone=33 ${GRS80}`, 1],
  [6709, 'RDN2008 / UTM zone 34N (N-E)', [17.9, 34.7, 19, 41.7], `+proj=utm +zone=34 ${GRS80}`, 1],
  [7791, 'RDN2008 / UTM zone 32N', [5.9, 36.5, 12, 47.1], `+proj=utm +zone=32 ${GRS80}`, 1],
  [7792, 'RDN2008 / UTM zone 33N', [12, 34.7, 18, 47.1], `+proj=utm +zone=33 ${GRS80}`, 1],
  [7793, 'RDN2008 / UTM zone 34N', [17.9, 34.7, 19, 41.7], `+proj=utm +zone=34 ${GRS80}`, 1],
  [
    7794,
    'RDN2008 / Italy zone (E-N)',
    ITALY,
    `+proj=tmerc +lat_0=0 +lon_0=12 +k=0.9985 +x_0=7000000 +y_0=0 ${GRS80}`,
    1,
  ],
  [
    6875,
    'RDN2008 / Italy zone (N-E)',
    ITALY,
    `+proj=tmerc +lat_0=0 +lon_0=12 +k=0.9985 +x_0=7000000 +y_0=0 ${GRS80}`,
    1,
  ],
  [23032, 'ED50 / UTM zone 32N', [5.9, 36.5, 12.1, 84.4], `+proj=utm +zone=32 ${ED50}`, 10],
  [23033, 'ED50 / UTM zone 33N', [12, 34.4, 18.1, 84.5], `+proj=utm +zone=33 ${ED50}`, 10],
  [
    31254,
    'MGI / Austria GK West',
    [9.5, 46.7, 11.9, 47.7],
    `+proj=tmerc +lat_0=0 +lon_0=10.3333333333333 +k=1 +x_0=0 +y_0=-5000000 ${MGI}`,
    2,
  ],
  [
    31255,
    'MGI / Austria GK Central',
    [11.8, 46.4, 14.9, 48.8],
    `+proj=tmerc +lat_0=0 +lon_0=13.3333333333333 +k=1 +x_0=0 +y_0=-5000000 ${MGI}`,
    2,
  ],
  [
    31256,
    'MGI / Austria GK East',
    [14.8, 46.5, 17.2, 49.1],
    `+proj=tmerc +lat_0=0 +lon_0=16.3333333333333 +k=1 +x_0=0 +y_0=-5000000 ${MGI}`,
    2,
  ],
  [
    31287,
    'MGI / Austria Lambert',
    [9.5, 46.4, 17.2, 49.1],
    `+proj=lcc +lat_0=47.5 +lon_0=13.3333333333333 +lat_1=49 +lat_2=46 +x_0=400000 +y_0=400000 ${MGI}`,
    2,
  ],
  [
    31467,
    'DHDN / 3-degree Gauss-Kruger zone 3',
    [7.5, 47.2, 10.6, 55.1],
    `+proj=tmerc +lat_0=0 +lon_0=9 +k=1 +x_0=3500000 +y_0=0 ${DHDN}`,
    5,
  ],
  [
    31468,
    'DHDN / 3-degree Gauss-Kruger zone 4',
    [10.5, 47.3, 13.6, 54.6],
    `+proj=tmerc +lat_0=0 +lon_0=12 +k=1 +x_0=4500000 +y_0=0 ${DHDN}`,
    5,
  ],
  [
    2154,
    'RGF93 v1 / Lambert-93',
    [-9.9, 41.1, 10.4, 51.6],
    `+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +x_0=700000 +y_0=6600000 ${GRS80}`,
    1,
  ],
  [
    3763,
    'ETRS89 / Portugal TM06',
    [-9.6, 36.9, -6.1, 42.2],
    `+proj=tmerc +lat_0=39.6682583333333 +lon_0=-8.13310833333333 +k=1 +x_0=0 +y_0=0 ${GRS80}`,
    1,
  ],
  [
    3794,
    'Slovenia 1996 / Slovene National Grid',
    [13.3, 45.4, 16.7, 46.9],
    `+proj=tmerc +lat_0=0 +lon_0=15 +k=0.9999 +x_0=500000 +y_0=-5000000 ${GRS80}`,
    1,
  ],
  [
    3765,
    'HTRS96 / Croatia TM',
    [13.4, 42.3, 19.5, 46.6],
    `+proj=tmerc +lat_0=0 +lon_0=16.5 +k=0.9999 +x_0=500000 +y_0=0 ${GRS80}`,
    1,
  ],
  [
    2180,
    'ETRF2000-PL / CS92',
    [14.1, 49, 24.2, 56],
    `+proj=tmerc +lat_0=0 +lon_0=19 +k=0.9993 +x_0=500000 +y_0=-5300000 ${GRS80}`,
    1,
  ],
  [3006, 'SWEREF99 TM', [10, 54.9, 24.2, 69.1], `+proj=utm +zone=33 ${GRS80}`, 1],
  [3067, 'ETRS89 / TM35FIN(E,N)', [19, 58.8, 31.6, 70.1], `+proj=utm +zone=35 ${GRS80}`, 1],
  [
    2157,
    'IRENET95 / Irish Transverse Mercator',
    [-10.6, 51.3, -5.3, 55.5],
    `+proj=tmerc +lat_0=53.5 +lon_0=-8 +k=0.99982 +x_0=600000 +y_0=750000 ${GRS80}`,
    1,
  ],
  [
    27700,
    'OSGB36 / British National Grid',
    [-9, 49.7, 2.1, 61.1],
    '+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy +towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489',
    5,
  ],
  [
    28992,
    'Amersfoort / RD New',
    [3.2, 50.7, 7.3, 53.7],
    '+proj=sterea +lat_0=52.1561605555556 +lon_0=5.38763888888889 +k=0.9999079 +x_0=155000 +y_0=463000 +ellps=bessel +towgs84=565.4171,50.3319,465.5524,-0.398957,0.343988,-1.87740,4.0725',
    2,
  ],
  [
    5070,
    'NAD83 / Conus Albers',
    [-124.8, 24.4, -66.9, 49.4],
    `+proj=aea +lat_0=23 +lon_0=-96 +lat_1=29.5 +lat_2=45.5 +x_0=0 +y_0=0 ${GRS80}`,
    2,
  ],
];

const toDefinition =
  (kind: CrsDefinition['kind']) =>
  ([code, name, area, proj, accuracyM]: Row): CrsDefinition => ({
    code,
    name,
    kind,
    metric: kind === 'projected',
    area,
    proj: `${proj}${kind === 'projected' ? ' +units=m' : ''} +no_defs`,
    accuracyM,
  });

/** UTM zones follow a rule, so they are made and not listed: WGS 84 north 32601–60, south 32701–60; ETRS89 25828–38. */
function utmZones(): CrsDefinition[] {
  const zones: CrsDefinition[] = [];
  for (let zone = 1; zone <= 60; zone += 1) {
    const west = zone * 6 - 186;
    const make = (code: number, name: string, area: CrsDefinition['area'], proj: string, accuracyM: number) =>
      zones.push({
        code,
        name,
        kind: 'projected',
        metric: true,
        area,
        proj: `+proj=utm +zone=${zone} ${proj} +units=m +no_defs`,
        accuracyM,
      });
    make(32600 + zone, `WGS 84 / UTM zone ${zone}N`, [west, 0, west + 6, 84], '+datum=WGS84', 0);
    make(32700 + zone, `WGS 84 / UTM zone ${zone}S`, [west, -80, west + 6, 0], '+south +datum=WGS84', 0);
    if (zone >= 28 && zone <= 38) {
      make(25800 + zone, `ETRS89 / UTM zone ${zone}N`, [west, 34, west + 6.1, 84.4], GRS80, 1);
    }
  }
  return zones;
}

const PSEUDO_MERCATOR: CrsDefinition = {
  code: 3857,
  name: 'WGS 84 / Pseudo-Mercator',
  kind: 'projected',
  metric: false,
  area: [-180, -85.06, 180, 85.06],
  proj: '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +no_defs',
  accuracyM: 0,
};

/** Every definition by its code. */
export const CRS_DEFINITIONS: ReadonlyMap<number, CrsDefinition> = new Map(
  [
    ...GEOGRAPHIC.map(toDefinition('geographic')),
    ...PROJECTED.map(toDefinition('projected')),
    PSEUDO_MERCATOR,
    ...utmZones(),
  ].map((definition) => [definition.code, definition]),
);

/** Codes that mean another code: Esri's and Google's numbers for pseudo-Mercator (O-38). */
export const CRS_ALIASES: ReadonlyMap<number, number> = new Map([
  [102100, 3857],
  [102113, 3857],
  [900913, 3857],
  [3785, 3857],
]);
