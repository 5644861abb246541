/** `GEOAGENT_AUTH`: `{mode, issuer, audience, jwksUrl, tenants}`. */
import { z } from 'zod';
import type { AuthSettings } from './settings.ts';

const schema = z.strictObject({
  mode: z.enum(['local', 'entra', 'easyAuth']),
  issuer: z.url().exactOptional(),
  audience: z.string().min(1).exactOptional(),
  jwksUrl: z.url({ protocol: /^https$/ }).exactOptional(),
  tenants: z.array(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)).exactOptional(),
});

const CLOSED: AuthSettings = {
  mode: 'entra',
  issuer: null,
  audience: null,
  jwksUrl: null,
  tenants: [],
  easyAuthEnabled: false,
};
const LOCAL: AuthSettings = { ...CLOSED, mode: 'local', tenants: ['local'] };

/** Absent means `local` in development and is a problem elsewhere. On a problem nobody gets in: `CLOSED`. */
export function authFrom(
  given: Readonly<Record<string, unknown>> | null,
  where: { readonly development: boolean; readonly platformFlag: string | null },
): { readonly settings: AuthSettings; readonly problems: readonly string[] } {
  if (given === null) {
    if (where.development) return { settings: LOCAL, problems: [] };
    return { settings: CLOSED, problems: ['is needed outside development'] };
  }
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => issue.path.join('.') || 'its members');
    return { settings: CLOSED, problems: [`is not valid: ${[...new Set(fields)].join(', ')}`] };
  }
  const { mode, issuer, audience, jwksUrl, tenants } = parsed.data;
  const settings: AuthSettings = {
    mode,
    issuer: issuer ?? null,
    audience: audience ?? null,
    jwksUrl: jwksUrl ?? null,
    tenants: tenants ?? (mode === 'local' ? LOCAL.tenants : []),
    easyAuthEnabled: isOn(where.platformFlag),
  };
  return { settings, problems: problemsOf(settings, where.development) };
}

function problemsOf(settings: AuthSettings, development: boolean): string[] {
  const problems: string[] = [];
  const bearer = [settings.issuer, settings.audience, settings.jwksUrl];
  const complete = bearer.every((value) => value !== null);
  switch (settings.mode) {
    case 'local':
      if (!development) problems.push('mode local works in development only');
      break;
    case 'entra':
      if (!complete) problems.push('mode entra needs issuer, audience and jwksUrl');
      break;
    case 'easyAuth':
      if (!settings.easyAuthEnabled) problems.push('mode easyAuth needs the platform’s authentication switched on');
      if (!complete && bearer.some((value) => value !== null)) {
        problems.push('needs issuer, audience and jwksUrl together');
      }
      break;
  }
  if (settings.mode !== 'local' && settings.tenants.length === 0)
    problems.push('needs tenants, the list of tenant ids');
  return problems;
}

/** `WEBSITE_AUTH_ENABLED` as the platform spells it. */
function isOn(flag: string | null): boolean {
  return flag !== null && /^(true|1)$/i.test(flag);
}
