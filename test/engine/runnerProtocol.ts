/** What harness, runner and .NET host tell each other. */

/** The runner's only argument, as JSON. */
export interface RunnerSetup {
  readonly appDirectory: string;
  /** None: package.json's main. */
  readonly entryFiles: readonly string[];
  /** Port on which the .NET host calls functions. */
  readonly controlPort: number;
  /** The app's port. */
  readonly httpPort: number;
  readonly keys: { readonly master: string; readonly function: string; readonly durable: string };
  readonly enableAuth: boolean;
}

/** What the .NET host prints when it is ready; the harness passes it on to the runner. */
export interface EngineAddress {
  /** The durable client binding as the extension gives it, JSON text. */
  readonly client: string;
  /** Origin of the extension's own webhook handler. */
  readonly webhooks: string;
}

/** One call of a durable function. */
export interface Call {
  readonly name: string;
  readonly payload: string | null;
}
