import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StateInvalid } from '../../../src/ledger/port.ts';
import { openSqliteLedger } from '../../../src/ledger/sqlite/open.ts';
import { completion, decision, newRun, planRow, reservation, T0, uploadRow } from '../../support/ledger/samples.ts';
import { temporaryFolder } from '../../support/ledger/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let ledger: ReturnType<typeof openSqliteLedger>;
/** Somebody with the file in hand. */
let intruder: DatabaseSync;

beforeEach(async () => {
  folder = await temporaryFolder();
  const path = join(folder.path, 'ledger.db');
  ledger = openSqliteLedger({ path });
  await ledger.migrate();
  await ledger.saveUpload(uploadRow());
  await ledger.createRun(newRun({ uploads: [uploadRow().sha256] }));
  await ledger.savePlan(planRow());
  await ledger.reserve(reservation({ decisions: [decision()] }));
  await ledger.complete('op1', 1, completion());
  intruder = new DatabaseSync(path);
});
afterEach(async () => {
  intruder.close();
  await ledger.close();
  await folder.dispose();
});

describe('audit log', () => {
  it.each([
    ['update', "UPDATE AuditEvents SET Actor = 'mallory'"],
    ['delete', 'DELETE FROM AuditEvents WHERE Id = 3'],
    [
      'replace',
      "REPLACE INTO AuditEvents SELECT Id, RunId, Seq, At, Type, NodeId, 'mallory', Data, PrevHash, Hash FROM AuditEvents WHERE Id = 3",
    ],
    [
      'insert or replace on the seq',
      'INSERT OR REPLACE INTO AuditEvents SELECT 7, RunId, Seq, At, Type, NodeId, Actor, Data, PrevHash, Hash FROM AuditEvents WHERE Id = 3',
    ],
    [
      'insert out of order',
      "INSERT INTO AuditEvents SELECT 99, 'run1', 99, At, Type, NodeId, Actor, Data, PrevHash, Hash FROM AuditEvents WHERE Id = 3",
    ],
  ])('the store itself refuses %s', async (_what, statement) => {
    expect(() => {
      intruder.exec(statement);
    }).toThrow('append-only');
    expect(await ledger.verifyAudit()).toEqual({ ok: true, checked: 6, brokenAt: null });
  });

  it.each([
    ['an actor', "UPDATE AuditEvents SET Actor = 'mallory' WHERE Id = 3", 3],
    ['a time by one millisecond', 'UPDATE AuditEvents SET At = At + 1 WHERE Id = 4', 4],
    ['data', `UPDATE AuditEvents SET Data = '{"forged":true}' WHERE Id = 2`, 2],
    ['data into no JSON', "UPDATE AuditEvents SET Data = '{' WHERE Id = 2", 2],
    ['a hash', "UPDATE AuditEvents SET Hash = 'x' WHERE Id = 5", 5],
    ['a removed event', 'DELETE FROM AuditEvents WHERE Id = 3', 3],
    ['a cut tail', 'DELETE FROM AuditEvents WHERE Id > 4', 5],
    ['everything', 'DELETE FROM AuditEvents', 1],
  ])('with the triggers dropped, %s is still found where it happened', async (_what, statement, brokenAt) => {
    intruder.exec('DROP TRIGGER AuditEventsNoUpdate; DROP TRIGGER AuditEventsNoDelete;');
    intruder.exec(statement);
    expect(await ledger.verifyAudit()).toEqual({ ok: false, checked: brokenAt - 1, brokenAt });
  });
});

describe('rows of another making', () => {
  const cases: [string, string, () => Promise<unknown>][] = [
    ['a status', "UPDATE Runs SET Status = 'done'", () => ledger.getRun('run1')],
    ['roles that are no list', `UPDATE Runs SET Roles = '"root"'`, () => ledger.getRun('run1')],
    ['an error that is no JSON', "UPDATE Runs SET Error = 'oops'", () => ledger.getRun('run1')],
    ['a plan digest', "UPDATE Plans SET PlanDigest = 'short'", () => ledger.latestPlan('run1')],
    ['a state', "UPDATE WorkflowOperations SET State = 'finished'", () => ledger.getOperation('op1')],
    ['attempt zero', 'UPDATE WorkflowOperations SET Attempt = 0', () => ledger.reserve(reservation())],
    ['checks', `UPDATE WorkflowOperations SET Checks = '[{"name":1}]'`, () => ledger.project('run1')],
    ['a decision kind', "UPDATE Decisions SET Kind = 'whatever'", () => ledger.project('run1')],
    [
      'an artifact type',
      `UPDATE Artifacts SET Type = '{"kind":"secret"}'`,
      () => ledger.artifactsOf('run1', 'rainfall', -1),
    ],
    ['artifact labels', `UPDATE Artifacts SET Labels = '{"integrity":[]}'`, () => ledger.getArtifact('run1', 'art_1')],
    ['an upload digest', 'UPDATE RunUploads SET Bytes = -1', () => ledger.uploadOfRun('run1', uploadRow().sha256)],
  ];
  it.each(cases)('%s is STATE_INVALID, and the message repeats no value', async (_what, statement, read) => {
    intruder.exec(statement);
    const error = await read().then(
      () => undefined,
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(StateInvalid);
    expect((error as StateInvalid).code).toBe('STATE_INVALID');
    expect((error as StateInvalid).message).not.toMatch(/done|root|oops|finished|whatever|secret/);
  });
});

describe('erasing', () => {
  it('takes goal, request, plan and file names of a run away, and the chain still verifies', async () => {
    expect(await ledger.eraseTextsOfRun('run1', 'officer', T0 + 99)).toBe(4);
    expect(await ledger.eraseTextsOfRun('run1', 'officer', T0 + 100)).toBe(0);
    expect(await ledger.getRun('run1')).toMatchObject({ goal: '', request: '{}', requester: 'alice' });
    expect(await ledger.latestPlan('run1')).toMatchObject({ plan: '{}', planDigest: planRow().planDigest });
    expect(await ledger.uploadOfRun('run1', uploadRow().sha256)).toMatchObject({ name: '' });
    expect((await ledger.events('run1', 5, 10)).map((event) => event.type)).toEqual(['run.textsErased']);
    expect((await ledger.verifyAudit()).ok).toBe(true);
    // The upload itself is the person's, not the run's.
    expect(await ledger.getUpload('local', 'alice', uploadRow().sha256)).toMatchObject({ name: uploadRow().name });
  });

  it('takes every text of a person away, salts included', async () => {
    await ledger.createRun(newRun({ runId: 'run2', requester: 'bob' }));
    expect(await ledger.erasePerson('local', 'alice', T0 + 99)).toBe(5);
    const left = intruder.prepare('SELECT Text, Salt FROM Texts WHERE Owner = ?').all('alice');
    expect(left.every((row) => row['Text'] === null && row['Salt'] === null)).toBe(true);
    expect(await ledger.getRun('run2')).toMatchObject({ goal: 'Where did it rain?' });
  });
});
