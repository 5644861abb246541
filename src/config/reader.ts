/** Reads single variables and collects what is wrong with them. Messages name the variable, never its value. */
export class Reader {
  readonly problems: string[] = [];
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  problem(name: string, what: string): void {
    const line = `${name} ${what}.`;
    if (!this.problems.includes(line)) this.problems.push(line);
  }

  /** Trimmed; absent and empty are null. */
  text(name: string): string | null {
    const value = this.#env[name]?.trim();
    return value === undefined || value === '' ? null : value;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const text = this.text(name);
    if (text === null) return fallback;
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= min && value <= max) return value;
    this.problem(name, `must be a whole number from ${min} to ${max}`);
    return fallback;
  }

  oneOf<Value extends string>(name: string, values: readonly Value[], fallback: Value): Value {
    const text = this.text(name);
    if (text === null) return fallback;
    const found = values.find((value) => value === text);
    if (found === undefined) this.problem(name, `must be one of ${values.join(', ')}`);
    return found ?? fallback;
  }

  /** A JSON object, or null when absent. */
  record(name: string): Readonly<Record<string, unknown>> | null {
    const text = this.text(name);
    if (text === null) return null;
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    } catch {
      // Told below; the parser's message would repeat the value.
    }
    this.problem(name, 'must be a JSON object');
    return null;
  }
}
