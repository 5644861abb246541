/**
 * The one gate for text from outside (and for our own messages that may quote it) before logs, prompts, streams and
 * terminals (design §6, O-40): nothing invisible, nothing that steers a terminal, no secret, bounded.
 */
export type Sink = 'log' | 'prompt' | 'stream' | 'terminal';

/** ECMA-48 escape sequences, 7 and 8 bit: CSI, OSC and other strings, two-character ones. */
const ANSI =
  // eslint-disable-next-line no-control-regex -- controls are what this removes
  /(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,16}[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]{0,4096}(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]{0,4}[0-~]/g;
/** Format characters: bidi, zero-width, soft hyphen, tags; and blank letters and fillers that draw nothing. */
const INVISIBLE = /\p{Cf}|\p{Variation_Selector}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0/gu;
const LINE_BREAKS = /\r\n?|[\u0085\u2028\u2029]/g;
/** Controls but tab and line feed. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;
const MASK = '***';

const NAMES =
  'code|sig|token|key|secret|password|passwd|pwd|credential|signature|api[-_]?key|access[-_]?token|refresh[-_]?token|id[-_]?token|client[-_]?secret|accountkey|sharedaccesskey|sharedaccesssignature|subscription[-_]?key|x-functions-key|authorization|cookie';

/** Every quantifier is bounded, so hostile text costs linear time. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]{0,16384}?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, MASK],
  [/\beyJ[\w-]{5,8192}\.[\w-]{2,16384}(?:\.[\w-]{0,4096})?/g, MASK],
  [/\b(Bearer|Basic|Negotiate|SharedAccessSignature|SharedKey)(\s{1,4}|%20)[^\s"',;<>]{4,16384}/gi, `$1 ${MASK}`],
  [/([a-z][a-z0-9+.-]{1,31}:\/\/)[^\s/?#@]{1,512}@/gi, `$1${MASK}@`],
  // name=value and name%3Dvalue, in queries, connection strings and cookies
  [
    new RegExp(
      `(?:(?<![a-z0-9])|(?<=%[0-9a-f]{2}))((?:[\\w-]{0,64}[-_.])?(?:${NAMES}))(\\s{0,4}=|%3D)\\s{0,4}("?)[^\\s"'&;,<>)\\]}]{1,16384}`,
      'gi',
    ),
    `$1$2$3${MASK}`,
  ],
  // "name": "value" in JSON, also escaped inside another string, and name: value of headers
  [
    new RegExp(
      `(\\\\{0,4}["'](?:[\\w-]{0,64}[-_.])?(?:${NAMES})\\\\{0,4}["']\\s{0,8}:\\s{0,8}\\\\{0,4}["'])[^"'\\\\]{1,16384}`,
      'gi',
    ),
    `$1${MASK}`,
  ],
  [
    /\b(authorization|cookie|set-cookie|x-functions-key|api-key|ocp-apim-subscription-key)\s{0,4}:\s{0,4}[^\s"'][^\n"']{0,16384}/gi,
    `$1: ${MASK}`,
  ],
  [/\b(?:sk|pk|ghp|gho|xox[abp])[-_][\w-]{16,512}/g, MASK],
];

/**
 * `text` as `sink` may have it, at most `max` UTF-16 units (an ellipsis marks the cut). Logs and streams get one line;
 * prompts and terminals keep line feeds and tabs. Invisible characters go before secrets are looked for, so that none
 * can hide one.
 */
export function sanitize(text: string, sink: Sink, max: number): string {
  // Bounds the work; what is masked or removed needs some room more than what remains.
  let clean = text.slice(0, max * 2 + 4_096).toWellFormed();
  clean = clean.replace(ANSI, '').replace(LINE_BREAKS, '\n').replace(INVISIBLE, '').replace(CONTROLS, '');
  for (const [pattern, replacement] of SECRETS) clean = clean.replace(pattern, replacement);
  if (sink === 'log' || sink === 'stream') clean = clean.replace(/\s*\n\s*/g, ' ⏎ ').replaceAll('\t', ' ');
  return cut(clean, max);
}

function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max < 1) return '';
  // Not between the halves of a pair.
  const end = (text.codePointAt(max - 2) ?? 0) > 0xffff ? max - 2 : max - 1;
  return `${text.slice(0, Math.max(0, end))}…`;
}
