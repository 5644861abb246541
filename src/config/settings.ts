/** Everything the app reads from its environment, read once by `readSettings` (contracts.md "Settings"). */
export interface Settings {
  readonly development: boolean;
  readonly port: number;
  readonly stateDirectory: string;
  readonly storageConnectionString: string | null;
  readonly artifacts: {
    readonly container: string;
    readonly accountUrl: string | null;
    readonly clientId: string | null;
  };
  readonly sql: {
    readonly connectionString: string | null;
    readonly server: string | null;
    readonly database: string | null;
  };
  readonly taskHub: string;
  readonly maxParallelNodes: number;
  readonly maxNodes: number;
  readonly maxRuns: number;
  readonly maxRunsPerTenant: number;
  readonly resources: Readonly<Record<string, number>>;
  readonly connections: Readonly<Record<string, unknown>>;
  readonly auth: AuthSettings;
  readonly llmConfigured: boolean;
  /** Terminal runs older than this are purged; their audit events stay. */
  readonly retentionDays: number;
  /** When the janitor passes, NCRONTAB. */
  readonly janitorSchedule: string;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
}

export interface AuthSettings {
  /** `local`: development only. `entra`: bearer tokens. `easyAuth`: the platform's header, only when it says it is on. */
  readonly mode: 'local' | 'entra' | 'easyAuth';
  readonly issuer: string | null;
  readonly audience: string | null;
  readonly jwksUrl: string | null;
  /** Tenant ids that may sign in. */
  readonly tenants: readonly string[];
  /** True only when the platform's own flag says that authentication is on. */
  readonly easyAuthEnabled: boolean;
}
