/** One segment of a route template. */
type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  | {
      readonly kind: 'param';
      readonly name: string;
      readonly optional: boolean;
      readonly fallback: string | undefined;
      readonly accepts: (value: string) => boolean;
    }
  | { readonly kind: 'rest'; readonly name: string };

export interface RouteTemplate {
  readonly text: string;
  readonly segments: readonly Segment[];
}

/** A template that cannot be used; the message says why. */
export class RouteTemplateError extends Error {}

const inRange = (value: string, min: number, max: number): boolean =>
  /^-?\d+$/.test(value) && Number(value) >= min && Number(value) <= max;

/** Inline constraints of ASP.NET route templates that this host knows. */
function constraint(text: string): (value: string) => boolean {
  const match = /^([a-z]+)(?:\((.*)\))?$/i.exec(text);
  const name = match?.[1]?.toLowerCase() ?? '';
  const argument = match?.[2] ?? '';
  const [a, b] = argument.split(',').map(Number);
  switch (name) {
    case 'int':
      return (v) => inRange(v, -2_147_483_648, 2_147_483_647);
    case 'long':
      return (v) => /^-?\d{1,19}$/.test(v);
    case 'guid':
      return (v) => /^\{?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\}?$/i.test(v);
    case 'bool':
      return (v) => /^(?:true|false)$/i.test(v);
    case 'alpha':
      return (v) => /^[a-z]*$/i.test(v);
    case 'min':
      return (v) => inRange(v, a ?? 0, Number.MAX_SAFE_INTEGER);
    case 'max':
      return (v) => inRange(v, Number.MIN_SAFE_INTEGER, a ?? 0);
    case 'range':
      return (v) => inRange(v, a ?? 0, b ?? 0);
    case 'length':
      return (v) => v.length >= (a ?? 0) && v.length <= (b ?? a ?? 0);
    case 'regex': {
      const pattern = new RegExp(argument, 'i');
      return (v) => pattern.test(v);
    }
    default:
      throw new RouteTemplateError(`the route constraint '${text}' is not supported`);
  }
}

function parseParam(inside: string): Segment {
  if (inside.startsWith('*')) return { kind: 'rest', name: inside.replace(/^\*+/, '') };
  const equals = inside.indexOf('=');
  const fallback = equals < 0 ? undefined : inside.slice(equals + 1);
  let head = equals < 0 ? inside : inside.slice(0, equals);
  const optional = head.endsWith('?');
  if (optional) head = head.slice(0, -1);
  const colon = head.indexOf(':');
  const name = colon < 0 ? head : head.slice(0, colon);
  // Constraints are chained with colons; a colon inside parentheses belongs to its argument.
  const checks =
    colon < 0
      ? []
      : head
          .slice(colon + 1)
          .split(/:(?![^(]*\))/)
          .map(constraint);
  return { kind: 'param', name, optional, fallback, accepts: (value) => checks.every((check) => check(value)) };
}

/** Splits at slashes outside braces: a regex constraint may hold one. */
function splitSegments(text: string): string[] {
  const parts: string[] = [''];
  let depth = 0;
  for (const char of text) {
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    if (char === '/' && depth === 0) parts.push('');
    else parts[parts.length - 1] = (parts.at(-1) ?? '') + char;
  }
  return parts.filter((part) => part !== '');
}

/**
 * Parses a route template: literals, `{x}`, `{x?}`, `{x=1}`, `{x:int}` and other constraints, `{*rest}`.
 * @throws RouteTemplateError when a segment mixes text and parameters, or a constraint is unknown
 */
export function parseTemplate(text: string): RouteTemplate {
  const segments = splitSegments(text).map((part): Segment => {
    if (!part.includes('{')) return { kind: 'literal', text: part.toLowerCase() };
    if (!part.startsWith('{') || !part.endsWith('}')) {
      throw new RouteTemplateError(
        `the segment '${part}' mixes text and parameters, which the embedded host does not support`,
      );
    }
    return parseParam(part.slice(1, -1));
  });
  return { text, segments };
}

/** Percent-decodes a path segment, except `%2F`, which stays as it is. Undefined when it is not decodable. */
function decodeSegment(segment: string): string | undefined {
  try {
    return segment
      .split(/(%2f)/i)
      .map((part) => (/^%2f$/i.test(part) ? part : decodeURIComponent(part)))
      .join('');
  } catch {
    return undefined;
  }
}

/**
 * Matches a raw (still encoded) path; literals ignore case, values keep theirs.
 * @returns the parameters, without absent optional ones; undefined when the path does not match
 */
export function matchTemplate(template: RouteTemplate, path: string): Map<string, string> | undefined {
  const parts: string[] = [];
  for (const raw of path.split('/').filter((part) => part !== '')) {
    const decoded = decodeSegment(raw);
    if (decoded === undefined) return undefined;
    parts.push(decoded);
  }
  const params = new Map<string, string>();
  let at = 0;
  for (const segment of template.segments) {
    if (segment.kind === 'rest') {
      if (at < parts.length) params.set(segment.name, parts.slice(at).join('/'));
      return params;
    }
    const value = parts[at];
    at += 1;
    if (segment.kind === 'literal') {
      if (value?.toLowerCase() !== segment.text) return undefined;
    } else if (value === undefined) {
      if (segment.fallback !== undefined) params.set(segment.name, segment.fallback);
      else if (!segment.optional) return undefined;
    } else {
      if (!segment.accepts(value)) return undefined;
      params.set(segment.name, value);
    }
  }
  return at >= parts.length ? params : undefined;
}
