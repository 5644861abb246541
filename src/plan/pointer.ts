/** RFC 6901 JSON pointers. */

/** One segment, escaped. */
const escape = (segment: string | number): string => String(segment).replaceAll('~', '~0').replaceAll('/', '~1');

/** Pointer for a list of keys and indexes; the whole document is `""`. */
export function pointer(...segments: readonly (string | number)[]): string {
  let text = '';
  for (const segment of segments) text += `/${escape(segment)}`;
  return text;
}

/** Segments of a pointer, unescaped; `undefined` when the text is no pointer. */
export function parsePointer(text: string): string[] | undefined {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return undefined;
  return text
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}
