/** The contract of every ledger store; each store's test file runs it (design §6). */
import { afterEach, beforeEach, describe } from 'vitest';
import type { Ledger } from '../../../src/ledger/port.ts';
import { auditCases } from './auditCases.ts';
import { childCases } from './childCases.ts';
import { itemCases } from './itemCases.ts';
import { janitorCases } from './janitorCases.ts';
import { lateCases } from './lateCases.ts';
import { operationCases } from './operationCases.ts';
import { retryCases } from './retryCases.ts';
import { runCases } from './runCases.ts';
import { uploadCases } from './uploadCases.ts';

/** A fresh, migrated ledger, and what to do with it afterwards. */
export interface LedgerFixture {
  readonly ledger: Ledger;
  dispose(): Promise<void>;
}

/** The ledger of the running test. */
export type Subject = () => Ledger;

export function ledgerContract(name: string, create: () => Promise<LedgerFixture>): void {
  describe(`ledger contract: ${name}`, () => {
    let fixture: LedgerFixture | undefined;
    beforeEach(async () => {
      fixture = await create();
    });
    afterEach(async () => {
      await fixture?.dispose();
    });
    const subject: Subject = () => fixture!.ledger;
    describe('runs', () => runCases(subject));
    describe('operations', () => operationCases(subject));
    describe('attempts and cancelling', () => retryCases(subject));
    describe('uploads and grants', () => uploadCases(subject));
    describe('control and children', () => childCases(subject));
    describe('items', () => itemCases(subject));
    describe('what the janitor asks', () => janitorCases(subject));
    describe('late work', () => lateCases(subject));
    describe('audit', () => auditCases(subject));
  });
}
