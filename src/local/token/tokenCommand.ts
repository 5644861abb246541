/**
 * What `npm run token -- --oid alice --tenant local --roles approver`: does: one JWT for the local server of this state
 * folder. Options: `--application`, `--hours N`, `--state FOLDER`.
 */
import { parseArgs } from 'node:util';
import { readSettings, type Environment } from '../../config/read.ts';
import { signLocalToken } from '../../identity/localKeys.ts';
import { ROLES, type Role } from '../../identity/principal.ts';

const ID = /^[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/;

class Usage extends Error {}

function rolesOf(text: string): Role[] {
  const names = text.split(',').map((name) => name.trim());
  const roles = ROLES.filter((role) => names.includes(role));
  if (roles.length !== new Set(names).size) throw new Usage(`--roles takes ${ROLES.join(', ')}, separated by commas.`);
  return roles;
}

function idOf(option: string, value: string | undefined): string {
  if (value === undefined || value.length > 128 || !ID.test(value))
    throw new Usage(`--${option} takes letters, digits, - and _.`);
  return value;
}

async function tokenFor(argv: readonly string[], env: Environment, now: number): Promise<string> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      oid: { type: 'string' },
      tenant: { type: 'string', default: 'local' },
      roles: { type: 'string', default: 'requester' },
      hours: { type: 'string', default: '8' },
      state: { type: 'string' },
      application: { type: 'boolean', default: false },
    },
  });
  const hours = Number(values.hours);
  if (!(hours > 0 && hours <= 24 * 31)) throw new Usage('--hours takes a number up to 744.');
  const state = values.state ?? readSettings({ ...env, AZURE_FUNCTIONS_ENVIRONMENT: 'Development' }).stateDirectory;
  return signLocalToken(state, {
    oid: idOf('oid', values.oid),
    tenant: idOf('tenant', values.tenant),
    roles: rolesOf(values.roles),
    application: values.application,
    now,
    lifetimeSeconds: Math.round(hours * 3_600),
  });
}

/** Never throws: what is wrong is one line on `error`, with exit code 2. `now` in milliseconds. */
export async function tokenCommand(
  argv: readonly string[],
  env: Environment,
  now: number,
): Promise<{ readonly code: 0 | 2; readonly output: string; readonly error: string }> {
  try {
    return { code: 0, output: await tokenFor(argv, env, now), error: '' };
  } catch (error) {
    // Everything that can go wrong here is about options, settings or the key file: the message says which.
    return { code: 2, output: '', error: error instanceof Error ? error.message : String(error) };
  }
}
