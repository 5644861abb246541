import { ACCEPTED_TYPES, uploadInvalid } from './refuse.ts';

export type FileFormat = 'csv' | 'json' | 'geojson' | 'geotiff' | 'asciiGrid';

export interface Sniffed {
  readonly format: FileFormat;
  readonly mediaType: string;
}

/** Signatures of what is refused by type, with the name a person knows it by. */
const REFUSED: readonly (readonly [name: string, signature: readonly number[], at: number])[] = [
  ['ZIP archive (also shapefile, KMZ, XLSX, DOCX)', [0x50, 0x4b, 0x03, 0x04], 0],
  ['ZIP archive', [0x50, 0x4b, 0x05, 0x06], 0],
  ['GeoPackage or other SQLite database', [...ascii('SQLite format 3')], 0],
  ['gzip file', [0x1f, 0x8b], 0],
  ['bzip2 file', [...ascii('BZh')], 0],
  ['xz file', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], 0],
  ['zstd file', [0x28, 0xb5, 0x2f, 0xfd], 0],
  ['7z archive', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], 0],
  ['RAR archive', [...ascii('Rar!')], 0],
  ['tar archive', [...ascii('ustar')], 257],
  ['executable', [0x7f, 0x45, 0x4c, 0x46], 0],
  ['executable', [0x4d, 0x5a, 0x90], 0],
  ['executable', [0xcf, 0xfa, 0xed, 0xfe], 0],
  ['WebAssembly module', [0x00, 0x61, 0x73, 0x6d], 0],
  ['script', [...ascii('#!')], 0],
  ['PDF', [...ascii('%PDF')], 0],
  ['HDF5 or NetCDF-4 file', [0x89, 0x48, 0x44, 0x46], 0],
  ['NetCDF file', [...ascii('CDF')], 0],
  ['GRIB file', [...ascii('GRIB')], 0],
  ['shapefile part (.shp, .shx)', [0x00, 0x00, 0x27, 0x0a], 0],
  ['PNG image', [0x89, 0x50, 0x4e, 0x47], 0],
  ['JPEG image', [0xff, 0xd8, 0xff], 0],
  ['GIF image', [...ascii('GIF8')], 0],
  ['Parquet file', [...ascii('PAR1')], 0],
];

function ascii(text: string): number[] {
  return Array.from(text, (char) => char.charCodeAt(0));
}

function matches(head: Uint8Array, signature: readonly number[], at: number): boolean {
  return head.length >= at + signature.length && signature.every((byte, index) => head[at + index] === byte);
}

/**
 * Format of an upload from its first bytes (4 KiB suffice); the name only separates JSON from GeoJSON and CSV from text
 * with few clues. Content decides: a zip called `.csv` is a zip.
 * @throws UPLOAD_INVALID for archives, databases, executables, images and other binary data, naming the type.
 */
export function sniffFormat(head: Uint8Array, name = ''): Sniffed {
  for (const [type, signature, at] of REFUSED) {
    if (matches(head, signature, at)) {
      throw uploadInvalid(`This is a ${type}; such files are not taken. Taken are ${ACCEPTED_TYPES}.`);
    }
  }
  if (isTiff(head)) return { format: 'geotiff', mediaType: 'image/tiff; application=geotiff' };
  if (head.length === 0) throw uploadInvalid('The file is empty.');
  const utf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (!utf16 && head.subarray(0, 4096).includes(0)) {
    throw uploadInvalid(`This is binary data of an unknown type. Taken are ${ACCEPTED_TYPES}.`);
  }
  return sniffText(new TextDecoder(utf16 ? utf16Name(head) : 'utf-8').decode(head.subarray(0, 4096)), name);
}

function utf16Name(head: Uint8Array): string {
  return head[0] === 0xff ? 'utf-16le' : 'utf-16be';
}

function isTiff(head: Uint8Array): boolean {
  const order = String.fromCharCode(head[0] ?? 0, head[1] ?? 0);
  const magic = order === 'II' ? head[2] : order === 'MM' ? head[3] : 0;
  return magic === 42 || magic === 43;
}

function sniffText(start: string, name: string): Sniffed {
  const text = start.replace(/^\ufeff/, '').trimStart();
  if (/^[{[]/.test(text)) {
    const geo = /"type"\s*:\s*"(?:FeatureCollection|Feature|Point|Multi\w+|LineString|Polygon|GeometryCollection)"/;
    const isGeo = geo.test(text) || /\.geojson$/i.test(name);
    return isGeo
      ? { format: 'geojson', mediaType: 'application/geo+json' }
      : { format: 'json', mediaType: 'application/json' };
  }
  if (/^(?:ncols|nrows|xllcorner|xllcenter|cellsize)\s+[-\d]/i.test(text)) {
    return { format: 'asciiGrid', mediaType: 'text/plain; charset=utf-8' };
  }
  if (/^<(?:!doctype|html|svg|\?xml|kml|gpx|gml|script)/i.test(text)) {
    throw uploadInvalid(`This is markup (HTML, XML, KML or GML), which is not taken. Taken are ${ACCEPTED_TYPES}.`);
  }
  return { format: 'csv', mediaType: 'text/csv' };
}

/** Media type to store an upload under. @throws UPLOAD_INVALID as `sniffFormat`. */
export function sniffMediaType(head: Uint8Array, name: string): string {
  return sniffFormat(head, name).mediaType;
}
