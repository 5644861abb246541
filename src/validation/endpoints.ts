import type { Finding } from '../plan/finding.ts';
import { templatesOf } from '../plan/nodeReferences.ts';
import { pointer } from '../plan/pointer.ts';
import type { JsonValue, Plan } from '../plan/types.ts';
import { refuse } from './findings.ts';

/** What a text looks like that no plan may carry; the first that applies names it. Repetitions are bounded: texts are hostile. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/[a-z0-9]:\/\//i, 'a URL'],
  [/^\s*(?:javascript|vbscript|data|file|blob|about):/i, 'a URL'],
  [/^\s*\/\/[^/\s]/, 'a URL without scheme'],
  [/^\s*\\\\[^\\\s]/, 'a network path'],
  [/^\s*[a-z]:[\\/]/i, 'a file path'],
  [/^\s*(?:\/|~\/)[^/\s]+(?:\/|$)/, 'a file path'],
  [/(?:^|[\\/])\.\.(?:[\\/]|$)/, 'a path that leaves its folder'],
  [/\b(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\]):\d{1,5}\b/i, 'a host and port'],
  [/^\s*(?:localhost|\d{1,3}(?:\.\d{1,3}){3})\s*$/i, 'a host'],
  [/\beyJ[A-Za-z0-9_-]{8,400}\.[A-Za-z0-9_-]{8,400}/, 'a token'],
  [/-----BEGIN [A-Z ]+-----/, 'a key'],
  [/\bbearer\s+[A-Za-z0-9._~+/-]{16}/i, 'a token'],
  [/\b(?:AKIA[A-Z0-9]{16}|gh[a-z]_[A-Za-z0-9]{20}|sk-[A-Za-z0-9_-]{20}|xox[a-z]-[A-Za-z0-9-]{10})/, 'a key'],
  [
    /\b(?:sig|token|password|passwd|pwd|secret|api_?key|access_?key|account_?key|shared_?access_?key|client_?secret|code)\s*=\s*[^\s&;]{8}/i,
    'a secret',
  ],
];

/** Zero-width and bidi characters, which hide a text from a reader but not from a program. */
const INVISIBLE = /[\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\u00AD]/g;

/** A long single word of mixed letters and digits. Digests in plain hex are no secret. */
function looksRandom(text: string): boolean {
  if (!/^[A-Za-z0-9+/_=-]{40,512}$/.test(text) || /^[0-9a-f]+$/i.test(text)) return false;
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && /[0-9]/.test(text) && new Set(text).size >= 20;
}

/** What the text looks like, if it is something that no plan may carry. */
export function endpointIn(text: string): string | undefined {
  const plain = text.normalize('NFKC').replace(INVISIBLE, '');
  for (const [sign, what] of SIGNS) if (sign.test(plain)) return what;
  return looksRandom(plain.trim()) ? 'a secret' : undefined;
}

/** Every text inside a JSON value with the path to it, keys included (under the path of their member). */
function* texts(
  value: JsonValue,
  base: readonly (string | number)[],
): Generator<[string, readonly (string | number)[]]> {
  const stack: [JsonValue, readonly (string | number)[]][] = [[value, base]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [current, path] = next;
    if (typeof current === 'string') yield [current, path];
    if (typeof current !== 'object' || current === null) continue;
    const entries: [string | number, JsonValue][] = Array.isArray(current)
      ? [...current.entries()]
      : Object.entries(current);
    for (const [key, member] of entries) {
      if (typeof key === 'string') yield [key, [...path, key]];
      stack.push([member, [...path, key]]);
    }
  }
}

/** No endpoint, host, path or secret comes from a plan (design §4): arguments, conditions, items and inputs are searched, wherever deep. */
export function checkEndpoints(plan: Plan, bodyInputs: Readonly<Record<string, JsonValue>> = {}): Finding[] {
  const findings: Finding[] = [];
  const search = (value: JsonValue, base: readonly (string | number)[], nodeId?: string): void => {
    for (const [text, path] of texts(value, base)) {
      const what = endpointIn(text);
      if (what === undefined) continue;
      findings.push(
        refuse('ENDPOINT_IN_PLAN', pointer(...path), `the text looks like ${what}; a plan may not name one`, {
          ...(nodeId === undefined ? {} : { nodeId }),
          hint: 'name an upload as {"upload": "<sha256>"} or a configured connection by its name',
        }),
      );
    }
  };
  for (const [i, node] of plan.nodes.entries()) {
    for (const { path, template } of templatesOf(node)) search(template, ['nodes', i, ...path], node.id);
  }
  search(plan.inputs, ['inputs']);
  search(bodyInputs, ['inputs']);
  for (const [name, output] of Object.entries(plan.outputs)) {
    if (output.default !== undefined) search(output.default, ['outputs', name, 'default']);
  }
  return findings;
}
