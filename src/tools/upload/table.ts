import type { DecodedText } from './decodeText.ts';

/** How a file was written; keys as in the observation report. */
export interface TableFormat {
  readonly encoding: DecodedText['encoding'];
  readonly bom: boolean;
  readonly line_end: DecodedText['lineEnd'];
  /** Null for JSON. */
  readonly delimiter: string | null;
  readonly decimal: '.' | ',';
  /** Line of the header, counted from 1; null for JSON. */
  readonly header_line: number | null;
  /** Mark of comment lines, when the file has any. */
  readonly comment?: string;
}

export interface TableRow {
  /** Line of the file where the record starts, from 1; for JSON the number of the element, from 1. */
  readonly line: number;
  /** As they stand in the file, not trimmed. */
  readonly cells: readonly string[];
}

/** A file as header and rows, whatever it was written in. */
export interface Table {
  readonly kind: 'csv' | 'json' | 'geojson' | 'openMeteo';
  readonly format: TableFormat;
  readonly header: readonly string[];
  readonly rows: readonly TableRow[];
  /** Lines before the header and comment lines: they may state unit and CRS. */
  readonly notes: readonly string[];
  readonly mixedLines: readonly number[];
  /** What the format itself fixes: a GeoJSON is EPSG:4326, Open-Meteo names its unit. */
  readonly fixed: {
    readonly crs?: string;
    readonly unit?: string;
    /** A time labels the end of the interval it sums. */
    readonly timeLabel?: 'start' | 'end';
    readonly remarks?: readonly string[];
  };
}
