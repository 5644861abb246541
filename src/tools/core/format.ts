import { ToolError } from '../../plan/errors.ts';

const PLACEHOLDER = /\{([A-Za-z][A-Za-z0-9_]{0,63})\}|\{\{|\}\}/g;
/** A text longer than this is no message any more. */
export const MAX_TEXT = 256 * 1024;

/**
 * Puts values into `{name}` placeholders, each once, from left to right; what a value contains is never looked at again, so
 * data cannot name another placeholder. `{{` and `}}` stand for braces.
 * @throws INVALID_ARGUMENT for a placeholder without a value, or a text above 256 KiB.
 */
export function formatTemplate(template: string, values: ReadonlyMap<string, string>): string {
  let length = template.length;
  return template.replace(PLACEHOLDER, (match: string, name: string | undefined) => {
    if (name === undefined) return match.charAt(0);
    const value = values.get(name);
    if (value === undefined) {
      const known = [...values.keys()].sort().join(', ');
      throw new ToolError(
        'INVALID_ARGUMENT',
        `The template names {${name}}, but values has only: ${known === '' ? 'nothing' : known}.`,
      );
    }
    // Counted on the way: many placeholders with a long value must not become a text of gigabytes first.
    length += value.length;
    if (length > MAX_TEXT) throw new ToolError('RESULT_TOO_LARGE', `The text is longer than ${MAX_TEXT / 1024} KiB.`);
    return value;
  });
}

/** A value as text: texts as they are, numbers and booleans as JSON writes them, null as an empty text. */
export function valueText(value: string | number | boolean | null): string {
  return value === null ? '' : String(value);
}
