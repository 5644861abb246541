/**
 * `npm run token -- --oid alice --tenant local --roles approver`: prints one JWT for the local server of this state
 * folder. Options: `--application`, `--hours N`, `--state FOLDER`.
 */
import { parseArgs } from 'node:util';
import { readSettings, SettingsInvalid } from '../../config/read.ts';
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

async function main(): Promise<void> {
  const { values } = parseArgs({
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
  const state =
    values.state ?? readSettings({ ...process.env, AZURE_FUNCTIONS_ENVIRONMENT: 'Development' }).stateDirectory;
  const token = await signLocalToken(state, {
    oid: idOf('oid', values.oid),
    tenant: idOf('tenant', values.tenant),
    roles: rolesOf(values.roles),
    application: values.application,
    now: Date.now(),
    lifetimeSeconds: Math.round(hours * 3_600),
  });
  console.log(token);
}

try {
  await main();
} catch (error) {
  const expected = error instanceof Usage || error instanceof SettingsInvalid || error instanceof TypeError;
  console.error(expected ? error.message : error);
  process.exitCode = 2;
}
