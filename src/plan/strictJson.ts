/**
 * JSON from people, planners and callers, read so that what is parsed is what was written, or it is refused with its
 * path (design §2). The parser keeps its own stack, so no depth can exhaust ours. Grammar: RFC 8259.
 *
 * Refused beyond the grammar: duplicate keys (O-28; also those that only escapes hide), `__proto__` and
 * `constructor` holding `prototype`, lone surrogates, numbers that a double cannot hold (O-30), and whatever exceeds
 * the limits. Every other key becomes an own property, `constructor` and `toString` included.
 */
import type { Finding, FindingCode } from './finding.ts';
import { scanNumber, readNumber } from './numberText.ts';
import { pointer } from './pointer.ts';
import { scanString } from './stringText.ts';
import type { JsonValue } from './types.ts';

export interface JsonLimits {
  /** UTF-8 bytes of the whole text. */
  readonly maxBytes: number;
  /** Nested arrays and objects; `[]` has depth 1. */
  readonly maxDepth: number;
  /** Object members in all. */
  readonly maxKeys: number;
}

/** Design §2. */
export const PLAN_JSON_LIMITS: JsonLimits = { maxBytes: 256 * 1024, maxDepth: 32, maxKeys: 10_000 };

export type ParseResult =
  { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly findings: readonly Finding[] };

const MAX_FINDINGS = 100;
/** Characters of all paths together: a huge key must not be repeated in a hundred findings. */
const MAX_FINDINGS_SIZE = 64 * 1024;
const LITERALS: readonly (readonly [string, JsonValue])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

interface ObjectFrame {
  readonly kind: 'object';
  readonly value: { [key: string]: JsonValue };
  /** The member being read; stays set while its value is open. */
  key: string;
}
interface ArrayFrame {
  readonly kind: 'array';
  readonly value: JsonValue[];
}
type Frame = ObjectFrame | ArrayFrame;

/** Thrown inside the parser only, to leave it at the first error after which reading on has no meaning. */
class Stop extends Error {}

class Parser {
  private at = 0;
  private keys = 0;
  private findingsSize = 0;
  private readonly frames: Frame[] = [];
  readonly findings: Finding[] = [];
  private readonly text: string;
  private readonly limits: JsonLimits;

  constructor(text: string, limits: JsonLimits) {
    this.text = text;
    this.limits = limits;
  }

  /** The whole document. Throws `Stop` when it cannot be read to the end; the reason is in `findings`. */
  document(): JsonValue {
    this.skipSpace();
    let value = this.open();
    // One turn a completed value: hand it to the container that waits for it, until no container is left.
    for (;;) {
      const frame = this.frames.at(-1);
      if (value === undefined || frame === undefined) {
        if (value !== undefined) break;
        value = this.openMember();
        continue;
      }
      if (frame.kind === 'array') frame.value.push(value);
      else this.define(frame, value);
      this.skipSpace();
      const closing = frame.kind === 'array' ? ']' : '}';
      const character = this.text[this.at];
      if (character === closing) {
        this.at += 1;
        this.frames.pop();
        value = frame.value;
      } else if (character === ',') {
        this.at += 1;
        value = this.openMember();
      } else {
        this.stop(`"," or "${closing}" expected`);
      }
    }
    this.skipSpace();
    if (this.at < this.text.length) this.stop('nothing may follow the value');
    return value;
  }

  /** Reads a scalar or an empty container whole; pushes a frame for any other container and answers undefined. */
  private open(): JsonValue | undefined {
    const character = this.text[this.at];
    if (character === '{' || character === '[') return this.openContainer(character);
    if (character === '"') return this.string();
    for (const [word, value] of LITERALS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    return this.number();
  }

  private openContainer(character: '{' | '['): JsonValue | undefined {
    if (this.frames.length >= this.limits.maxDepth) {
      this.report('TOO_DEEP', `nested deeper than ${this.limits.maxDepth} levels`);
      throw new Stop();
    }
    this.at += 1;
    this.skipSpace();
    const closing = character === '{' ? '}' : ']';
    const value: JsonValue = character === '{' ? {} : [];
    if (this.text[this.at] === closing) {
      this.at += 1;
      return value;
    }
    this.frames.push(Array.isArray(value) ? { kind: 'array', value } : { kind: 'object', value, key: '' });
    return undefined;
  }

  /** Reads the key, in an object, and opens the next value of the innermost container. */
  private openMember(): JsonValue | undefined {
    const frame = this.frames.at(-1);
    this.skipSpace();
    if (frame?.kind === 'object') this.key(frame);
    this.skipSpace();
    return this.open();
  }

  private key(frame: ObjectFrame): void {
    if (this.text[this.at] !== '"') this.stop('a key in double quotes expected');
    // The path of problems inside the key itself is the object's.
    frame.key = '';
    const key = this.string();
    frame.key = key;
    this.keys += 1;
    if (this.keys > this.limits.maxKeys) {
      this.report('TOO_MANY_KEYS', `more than ${this.limits.maxKeys} keys`);
      throw new Stop();
    }
    if (key === '__proto__') this.report('FORBIDDEN_KEY', 'the key "__proto__" is not allowed');
    if (key === 'prototype' && this.parentKey() === 'constructor') {
      this.report('FORBIDDEN_KEY', 'the key "prototype" is not allowed inside "constructor"');
    }
    if (Object.hasOwn(frame.value, key)) {
      this.report('DUPLICATE_KEY', `the key ${JSON.stringify(key.slice(0, 80))} stands twice in one object`);
    }
    this.skipSpace();
    if (this.text[this.at] !== ':') this.stop('":" expected');
    this.at += 1;
  }

  private parentKey(): string | undefined {
    const parent = this.frames.at(-2);
    return parent?.kind === 'object' ? parent.key : undefined;
  }

  private define(frame: ObjectFrame, value: JsonValue): void {
    // Always an own property, whatever the name; a plain assignment to `__proto__` would not be.
    Object.defineProperty(frame.value, frame.key, { value, enumerable: true, configurable: true, writable: true });
  }

  private string(): string {
    const result = scanString(this.text, this.at);
    if ('problem' in result) {
      this.at = result.end;
      this.stop(result.problem);
    }
    this.at = result.end;
    if (!result.value.isWellFormed())
      this.report('LONE_SURROGATE', 'half of a surrogate pair stands alone in the text');
    return result.value;
  }

  private number(): number {
    const end = scanNumber(this.text, this.at);
    if (end === this.at) this.stop(this.at >= this.text.length ? 'the text ends too early' : 'a JSON value expected');
    const text = this.text.slice(this.at, end);
    const result = readNumber(text);
    this.at = end;
    if ('value' in result) return result.value;
    this.report(
      'NUMBER_NOT_FINITE',
      `the number ${text.length > 40 ? `${text.slice(0, 40)}…` : text} ${result.problem}`,
    );
    return 0;
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.at += 1;
    }
  }

  private report(code: FindingCode, message: string): void {
    const path = pointer(...this.frames.map((frame) => (frame.kind === 'array' ? frame.value.length : frame.key)));
    this.findings.push({ code, severity: 'error', path: path.toWellFormed(), message });
    this.findingsSize += path.length;
    if (this.findings.length >= MAX_FINDINGS || this.findingsSize > MAX_FINDINGS_SIZE) throw new Stop();
  }

  private stop(what: string): never {
    const line = this.text.slice(0, this.at).split('\n').length;
    const column = this.at - this.text.lastIndexOf('\n', this.at - 1);
    this.report('BAD_JSON', `no valid JSON at line ${line}, column ${column}: ${what}`);
    throw new Stop();
  }
}

/**
 * Parses text (or UTF-8 bytes) strictly. Never throws and never recurses. `findings` name what was refused and where:
 * PLAN_TOO_LARGE, BAD_JSON, TOO_DEEP, TOO_MANY_KEYS (reading stops there), DUPLICATE_KEY, FORBIDDEN_KEY,
 * LONE_SURROGATE, NUMBER_NOT_FINITE (reading goes on, up to 100 findings).
 */
export function parseStrict(input: string | Uint8Array, limits: JsonLimits = PLAN_JSON_LIMITS): ParseResult {
  const refuse = (code: FindingCode, message: string): ParseResult => ({
    ok: false,
    findings: [{ code, severity: 'error', path: '', message }],
  });
  const bytes = typeof input === 'string' ? input.length : input.byteLength;
  // A string has at least as many UTF-8 bytes as UTF-16 units: the cheap test first.
  if (bytes > limits.maxBytes) return refuse('PLAN_TOO_LARGE', `larger than ${limits.maxBytes} bytes`);
  let text: string;
  if (typeof input === 'string') {
    text = input;
    if (new TextEncoder().encode(text).byteLength > limits.maxBytes) {
      return refuse('PLAN_TOO_LARGE', `larger than ${limits.maxBytes} bytes`);
    }
  } else {
    try {
      text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(input);
    } catch {
      return refuse('BAD_JSON', 'the bytes are no valid UTF-8');
    }
  }
  const parser = new Parser(text, limits);
  try {
    const value = parser.document();
    return parser.findings.length === 0 ? { ok: true, value } : { ok: false, findings: parser.findings };
  } catch (error) {
    if (error instanceof Stop) return { ok: false, findings: parser.findings };
    throw error;
  }
}
