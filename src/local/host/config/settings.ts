export type Settings = Readonly<Record<string, string | undefined>>;

/** A `%NAME%` that no setting resolves. */
export class UnresolvedSettingError extends Error {
  readonly code = 'UNRESOLVED_SETTING';
}

/**
 * Replaces `%NAME%` by settings (names match exactly; empty values count as missing, as in the real host).
 * @throws UnresolvedSettingError naming the setting
 */
export function resolveText(text: string, settings: Settings): string {
  return text.replace(/%([^%\s]+)%/g, (_whole, name: string) => {
    const value = settings[name];
    if (value === undefined || value === '')
      throw new UnresolvedSettingError(`The setting ${name} in "${text}" has no value.`);
    return value;
  });
}
