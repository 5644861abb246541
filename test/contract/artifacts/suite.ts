/** The contract of every artifact store (design §6, O-17). */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../src/plan/sha256.ts';
import { artifactBlobName, uploadBlobName } from '../../../src/artifacts/names.ts';
import type { ArtifactStore } from '../../../src/artifacts/port.ts';

export interface StoreFixture {
  readonly store: ArtifactStore;
  /** Replaces or removes what lies under a name, behind the store's back. */
  damage(blobName: string, bytes: Uint8Array | null): Promise<void>;
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** A name nobody used before: stores outlive a single test. */
export const freshName = (sha256: string): string =>
  artifactBlobName({
    tenant: 'local',
    runId: randomBytes(8).toString('hex'),
    nodeId: 'constructor',
    item: -1,
    output: 'raster',
    sha256,
  });

async function* chunks(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

export function artifactContract(name: string, create: () => Promise<StoreFixture>): void {
  describe(`artifact store contract: ${name}`, () => {
    let fixture: StoreFixture;
    beforeAll(async () => {
      fixture = await create();
      await fixture.store.ready();
    });
    const put = async (bytes: Uint8Array, blobName = freshName(sha256Hex(bytes))): Promise<string> => {
      await fixture.store.put(blobName, bytes, 'application/json', sha256Hex(bytes));
      return blobName;
    };
    const read = (blobName: string, bytes: Uint8Array) =>
      fixture.store.read(blobName, { sha256: sha256Hex(bytes), bytes: bytes.byteLength });

    it.each([
      ['nothing', new Uint8Array(0)],
      ['one byte', Uint8Array.of(0)],
      ['5 MB', new Uint8Array(randomBytes(5_000_000))],
    ])('gives back %s as it was put', async (_what, bytes) => {
      const blobName = await put(bytes);
      expect(sha256Hex(await read(blobName, bytes))).toBe(sha256Hex(bytes));
    });

    it('O-17 the same bytes again are a success', async () => {
      const bytes = text('again');
      const blobName = await put(bytes);
      await put(bytes, blobName);
      expect(await read(blobName, bytes)).toEqual(bytes);
    });

    it('O-17 other bytes under a taken name are refused and the first stay', async () => {
      const bytes = text('first');
      const blobName = await put(bytes);
      await expect(put(text('other'), blobName)).rejects.toMatchObject({ code: 'ARTIFACT_CORRUPT' });
      expect(await read(blobName, bytes)).toEqual(bytes);
    });

    it('O-17 two writers of different bytes at once: one wins whole, the other is told', async () => {
      const [one, two] = [new Uint8Array(randomBytes(2_000_000)), new Uint8Array(randomBytes(2_000_000))];
      const blobName = freshName(sha256Hex(one));
      const results = await Promise.allSettled([put(one, blobName), put(two, blobName)]);
      expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
      const winner = results[0].status === 'fulfilled' ? one : two;
      expect(sha256Hex(await read(blobName, winner))).toBe(sha256Hex(winner));
    });

    it('bytes that are not those of the digest are refused before they are stored', async () => {
      const blobName = freshName(sha256Hex(text('a')));
      const wrong = fixture.store.put(blobName, text('b'), 'text/plain', sha256Hex(text('a')));
      await expect(wrong).rejects.toMatchObject({ code: 'ARTIFACT_CORRUPT' });
      await expect(read(blobName, text('b'))).rejects.toMatchObject({ code: 'ARTIFACT_LOST' });
    });

    it('O-17 one flipped byte is found by the read, not by the parser', async () => {
      const bytes = text('{"rain": 12}');
      const blobName = await put(bytes);
      const flipped = Uint8Array.from(bytes);
      flipped[9] = 0x32;
      await fixture.damage(blobName, flipped);
      await expect(read(blobName, bytes)).rejects.toMatchObject({ code: 'ARTIFACT_CORRUPT', class: 'permanent' });
      await fixture.damage(blobName, bytes.subarray(0, 5));
      await expect(read(blobName, bytes)).rejects.toMatchObject({ code: 'ARTIFACT_CORRUPT' });
    });

    it('O-17 bytes that are gone have a code of their own', async () => {
      const bytes = text('gone');
      const blobName = await put(bytes);
      await fixture.damage(blobName, null);
      await expect(read(blobName, bytes)).rejects.toMatchObject({ code: 'ARTIFACT_LOST' });
    });

    it('O-14 (4) bytes past their retention are removed; removing them again, or what never was, is success', async () => {
      const [bytes, other] = [text('old'), text('kept')];
      const [blobName, kept] = [await put(bytes), await put(other)];
      await Promise.all([fixture.store.remove(blobName), fixture.store.remove(blobName)]);
      await fixture.store.remove(blobName);
      await fixture.store.remove(freshName(sha256Hex(bytes)));
      await expect(read(blobName, bytes)).rejects.toMatchObject({ code: 'ARTIFACT_LOST' });
      expect(await read(kept, other)).toEqual(other);
    });

    const upload = (source: AsyncIterable<Uint8Array>, maxBytes = 1_000, owner = randomBytes(4).toString('hex')) =>
      fixture.store.putStream(source, {
        maxBytes,
        mediaType: 'text/csv',
        temporaryName: `local/uploads/${owner}/temporary`,
        nameOf: (sha256) => uploadBlobName({ tenant: 'local', owner, sha256 }),
      });

    it('streams an upload to the name of its digest and keeps the head', async () => {
      const result = await upload(chunks(text('id,rain\n'), text(''), text('a,1\n')));
      const whole = text('id,rain\na,1\n');
      expect(result).toMatchObject({ sha256: sha256Hex(whole), bytes: 12 });
      expect(result.blobName.endsWith(`/${sha256Hex(whole)}`)).toBe(true);
      expect(Uint8Array.from(result.head)).toEqual(whole);
      expect(await read(result.blobName, whole)).toEqual(whole);
    });

    it('the same upload twice, even at once, is one blob', async () => {
      const results = await Promise.all([1, 2, 3].map(() => upload(chunks(text('same')), 100, 'twins')));
      expect(new Set(results.map((result) => result.blobName)).size).toBe(1);
    });

    it('takes exactly the cap and stops reading the source right after it', async () => {
      expect((await upload(chunks(new Uint8Array(1_000)))).bytes).toBe(1_000);
      let pulled = 0;
      async function* endless(): AsyncGenerator<Uint8Array> {
        for (;;) {
          pulled += 1;
          yield new Uint8Array(100);
        }
      }
      await expect(upload(endless())).rejects.toMatchObject({ code: 'BODY_TOO_LARGE', maxBytes: 1_000 });
      expect(pulled).toBe(11);
    });

    it('a source that breaks off leaves nothing under the name of what came', async () => {
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield text('half');
        throw new Error('connection reset');
      }
      await expect(upload(broken(), 100, 'broken')).rejects.toThrow('connection reset');
      const name = uploadBlobName({ tenant: 'local', owner: 'broken', sha256: sha256Hex(text('half')) });
      await expect(read(name, text('half'))).rejects.toMatchObject({ code: 'ARTIFACT_LOST' });
    });
  });
}
