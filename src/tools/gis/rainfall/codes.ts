/** Why a row, a station or a file is not used (contracts "Observation report", data README). */
export type RejectCode =
  | 'MISSING_SENTINEL'
  | 'MISSING_BLANK'
  | 'VALUE_UNREADABLE'
  | 'THOUSANDS_SEPARATOR'
  | 'NEGATIVE'
  | 'ABSURD_VALUE'
  | 'COORD_MISSING'
  | 'COORD_SWAP_SUSPECTED'
  | 'ZERO_ZERO'
  | 'DEGREES_EXPECTED'
  | 'OUT_OF_AREA'
  | 'TIME_UNREADABLE'
  | 'FUTURE_TIME'
  | 'COLUMN_COUNT'
  | 'QUALITY_FAILED'
  | 'DUPLICATE_SAME_VALUE'
  | 'DUPLICATE_CONFLICT'
  | 'STATION_MOVED'
  | 'COUNTER_NO_START'
  | 'COUNTER_NO_END'
  | 'COUNTER_RESET_IN_GAP'
  | 'INCOMPLETE_WINDOW'
  | 'OUTLIER'
  | 'STUCK_ZERO'
  | FlagCode;

/** What an accepted row, station or file carries as a mark. */
export type FlagCode =
  | 'TRACE_AS_ZERO'
  | 'UNIT_CONVERTED'
  | 'UNIT_SUSPECT'
  | 'COUNTER_RESET'
  | 'COUNTER_GAP'
  | 'COUNTER_DIP_IGNORED'
  | 'DST_DAY'
  | 'ELEVATION_ABSURD'
  | 'MIXED_ENCODING'
  | 'THOUSANDS_SEPARATOR'
  | 'QUALITY_UNKNOWN'
  | 'COORD_SWAP_SUSPECTED'
  | 'CRS_MISMATCH_LV03'
  | 'DUPLICATE_CONFLICT'
  | 'STATION_MOVED'
  | 'OUTLIER'
  | 'STUCK_ZERO'
  | 'POOR_SPREAD'
  | 'COLLINEAR';

/** Why a whole file is stopped; nothing of it is used until a person decides. */
export type FileErrorCode = 'CRS_MISMATCH_LV03' | 'CRS_MISMATCH' | 'DEGREES_EXPECTED';

/** What a tool calls out for a decision, and how a person decides (`choices`). */
export type ChoiceAction = 'acceptSuggestion' | 'keepFirst' | 'keepSecond' | 'drop';

export interface Choice {
  readonly code: string;
  readonly stationId?: string | undefined;
  readonly action: ChoiceAction;
}

/** A person's decision for a code: one about these stations beats one about the code as a whole. */
export function decisionFor(
  choices: readonly Choice[],
  code: string,
  stationIds: readonly string[],
): ChoiceAction | null {
  const ids = new Set(stationIds);
  const own = choices.find(
    (choice) => choice.code === code && choice.stationId !== undefined && ids.has(choice.stationId),
  );
  const general = choices.find((choice) => choice.code === code && choice.stationId === undefined);
  return (own ?? general)?.action ?? null;
}
