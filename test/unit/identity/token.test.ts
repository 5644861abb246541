import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../../src/identity/authenticate.ts';
import { tokenCommand } from '../../../src/local/token/tokenCommand.ts';
import { incoming, localSettings, NOW } from '../../support/identity/requests.ts';
import { temporaryFolder } from '../../support/ledger/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.dispose());

const token = (...options: string[]) => tokenCommand(options, { GEOAGENT_STATE: folder.path }, NOW);

describe('npm run token', () => {
  it('makes one token that our server takes', async () => {
    const { code, output } = await token('--oid', 'alice', '--tenant', 'local', '--roles', 'approver,auditor');
    expect(code).toBe(0);
    const request = incoming({ headers: { authorization: `Bearer ${output}` } });
    expect(await createAuthenticator(localSettings(folder.path))(request, NOW)).toMatchObject({
      ok: true,
      principal: { oid: 'alice', tenant: 'local', roles: ['approver', 'auditor'], kind: 'person' },
    });
  });

  it('makes one for an application, of the life that was asked for', async () => {
    const { output } = await token('--oid', 'robot', '--application', '--hours', '0.5');
    const request = incoming({ headers: { authorization: `Bearer ${output}` } });
    const authenticate = createAuthenticator(localSettings(folder.path));
    expect(await authenticate(request, NOW + 1_700_000)).toMatchObject({ principal: { kind: 'application' } });
    expect(await authenticate(request, NOW + 1_900_000)).toMatchObject({ ok: false, detail: 'The token has expired.' });
  });

  it.each([
    [[], '--oid'],
    [['--oid', '../x'], '--oid'],
    [['--oid', 'a', '--tenant', 'a b'], '--tenant'],
    [['--oid', 'a', '--roles', 'approver,root'], '--roles'],
    [['--oid', 'a', '--hours', '0'], '--hours'],
    [['--oid', 'a', '--hours', 'x'], '--hours'],
    [['--nope'], '--nope'],
    [['stray'], 'stray'],
  ])('refuses %j, naming what is wrong', async (options, named) => {
    const { code, output, error } = await token(...options);
    expect([code, output]).toEqual([2, '']);
    expect(error).toContain(named);
  });
});
