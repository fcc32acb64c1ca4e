import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as tick } from 'node:timers/promises';
import { type BlobStore, type SentPart } from '#infra/blob/blob-store';
import { MIN_PART_BYTES } from '#infra/blob/part-uploads';
import { inChunks, ownedChunks, stallingStream } from './blob-store.suite';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const mismatch = { errorCase: 'invalid_input', details: { reason: 'parts_mismatch' } };

/**
 * The tests that every driver with `PartUploads` runs.
 *
 * red when, in the local driver: parts are written directly under their name (a failed one replaces a complete one); the length is not
 * checked; `complete` does not check the sizes; `complete` rejects a blob that exists.
 */
export function describePartUploads(name: string, makeStore: () => Promise<BlobStore>): void {
  describe(`PartUploads: ${name}`, () => {
    const bytes = randomBytes(2 * MIN_PART_BYTES + 123_457);
    const pieces = [0, 1, 2].map((index) => bytes.subarray(index * MIN_PART_BYTES, (index + 1) * MIN_PART_BYTES));
    const parts: SentPart[] = pieces.map((piece, index) => ({
      partNumber: index + 1,
      sizeBytes: piece.length,
      offset: index * MIN_PART_BYTES,
    }));
    let store: BlobStore;
    let key: string;
    let uploadId: string;

    beforeEach(async () => {
      store = await makeStore();
      key = `suite/${randomUUID()}`;
      uploadId = await store.parts.begin(key);
    });

    const part = (partNumber: number): SentPart => parts[partNumber - 1] as SentPart;
    const piece = (partNumber: number): Buffer => pieces[partNumber - 1] as Buffer;
    const send = (partNumber: number, body: Readable = inChunks(piece(partNumber))) =>
      store.parts.writePart(key, uploadId, part(partNumber), body);
    const complete = () => store.parts.complete(key, uploadId, parts);
    const stored = async (): Promise<string> => sha256(await buffer(await store.read(key)));
    const listed = async (): Promise<number[]> =>
      (await store.parts.listParts(key, uploadId)).map(({ partNumber }) => partNumber);
    const keys = async (): Promise<string[]> => {
      const found = [];
      for await (const blob of store.list('')) found.push(blob.key);
      return found.filter((found) => found.includes(key));
    };

    it('assembles a blob of parts that arrive concurrently and in any order', async () => {
      expect(await send(3)).toEqual({ sizeBytes: piece(3).length });
      await Promise.all([send(2), send(1)]);
      expect(parts).toMatchObject(await store.parts.listParts(key, uploadId));
      expect(await listed()).toEqual([1, 2, 3]);
      expect(await complete()).toMatchObject({ sizeBytes: bytes.length });
      expect(await store.head(key)).toEqual({ sizeBytes: bytes.length });
      expect(await stored()).toBe(sha256(bytes));
      expect(await keys()).toEqual([key]);
    });

    it('assembles a blob of one short part', async () => {
      const body = randomBytes(17);
      const only = { partNumber: 1, sizeBytes: 17, offset: 0 };
      await store.parts.writePart(key, uploadId, only, Readable.from([body]));
      expect(await store.parts.complete(key, uploadId, [only])).toMatchObject({ sizeBytes: 17 });
      expect(await stored()).toBe(sha256(body));
    });

    it('calls onChunk with every chunk', async () => {
      const hash = createHash('sha256');
      const onChunk = (chunk: Buffer): void => void hash.update(chunk);
      await store.parts.writePart(key, uploadId, part(1), inChunks(piece(1)), { onChunk });
      expect(hash.digest('hex')).toBe(sha256(piece(1)));
    });

    // red when: the memory of the chunks is kept until the next collection of garbage
    it('frees the memory of chunks that it is given', async () => {
      const chunks = ownedChunks(piece(1));
      await store.parts.writePart(key, uploadId, part(1), Readable.from(chunks), { freesChunks: true });
      expect(chunks.filter(({ length }) => length > 0)).toHaveLength(0);
      await Promise.all([send(2), send(3)]);
      await complete();
      expect(await stored()).toBe(sha256(bytes));
    });

    it('does not show the key before the upload is complete', async () => {
      await Promise.all([send(1), send(2), send(3)]);
      expect(await store.head(key)).toBeNull();
      await expect(store.read(key)).rejects.toMatchObject({ errorCase: 'not_found' });
      expect(await keys()).toEqual([]);
    });

    it('lists the arrived parts by number', async () => {
      expect(await listed()).toEqual([]);
      await send(3);
      await send(1);
      expect([part(1), part(3)]).toMatchObject(await store.parts.listParts(key, uploadId));
    });

    it('replaces a part that is sent again', async () => {
      await send(1, inChunks(randomBytes(piece(1).length)));
      await Promise.all([send(1), send(2), send(3)]);
      await complete();
      expect(await stored()).toBe(sha256(bytes));
    });

    it('stores one intact copy of a part that several clients send concurrently', async () => {
      const bodies = Array.from({ length: 4 }, () => randomBytes(piece(1).length));
      await Promise.all([...bodies.map((body) => send(1, inChunks(body))), send(2), send(3)]);
      await complete();
      const wholes = bodies.map((body) => sha256(Buffer.concat([body, piece(2), piece(3)])));
      expect(wholes).toContain(await stored());
    });

    describe('writePart, when it fails,', () => {
      const reason = new Error('enough');

      it.each([0, 100_000])('leaves the stored part unchanged when the source fails after %d bytes', async (sent) => {
        await send(1);
        const body = stallingStream(randomBytes(sent));
        const again = send(1, body);
        again.catch(() => undefined);
        for (let turn = 0; turn < 20; turn += 1) await tick();
        body.destroy(reason);
        await expect(again).rejects.toBe(reason);
        await Promise.all([send(2), send(3)]);
        await complete();
        expect(await stored()).toBe(sha256(bytes));
      });

      it('stores no part when it is aborted', async () => {
        const abort = new AbortController();
        const body = stallingStream(randomBytes(100_000));
        const writing = store.parts.writePart(key, uploadId, part(1), body, { signal: abort.signal });
        writing.catch(() => undefined);
        for (let turn = 0; turn < 20; turn += 1) await tick();
        abort.abort(reason);
        await expect(writing).rejects.toBe(reason);
        expect(body.destroyed).toBe(true);
        expect(await listed()).toEqual([]);
      });

      it('rejects with the error of onChunk and stores no part', async () => {
        const onChunk = (): void => {
          throw reason;
        };
        const writing = store.parts.writePart(key, uploadId, part(1), inChunks(piece(1)), { onChunk });
        await expect(writing).rejects.toBe(reason);
        expect(await listed()).toEqual([]);
      });

      it.each([0, 1, 122_457, 123_456, 123_458, 223_457])(
        'rejects a source of %d bytes instead of 123457 and stores no part',
        async (length) => {
          const rejected = { errorCase: 'invalid_input', details: { reason: 'part_size_mismatch' } };
          await expect(send(3, inChunks(randomBytes(length)))).rejects.toMatchObject(rejected);
          expect(await listed()).toEqual([]);
        },
      );
    });

    describe('complete', () => {
      it('rejects parts that have not arrived, and the upload stays open', async () => {
        await send(1);
        await send(3);
        await expect(complete()).rejects.toMatchObject(mismatch);
        expect(await store.head(key)).toBeNull();
        await send(2);
        const longer = [part(1), part(2), { ...part(3), sizeBytes: part(3).sizeBytes + 1 }];
        await expect(store.parts.complete(key, uploadId, longer)).rejects.toMatchObject(mismatch);
        expect(await store.head(key)).toBeNull();
        await complete();
        expect(await stored()).toBe(sha256(bytes));
      });

      it('succeeds when it is repeated or called concurrently', async () => {
        await Promise.all([send(1), send(2), send(3)]);
        const whole = { sizeBytes: bytes.length };
        expect(await Promise.all([complete(), complete(), complete()])).toMatchObject([whole, whole, whole]);
        expect(await complete()).toMatchObject(whole);
        expect(await stored()).toBe(sha256(bytes));
      });

      it('removes the upload, and a late part does not change the blob', async () => {
        await Promise.all([send(1), send(2), send(3)]);
        await complete();
        expect(await listed()).toEqual([]);
        await Promise.allSettled([send(1, inChunks(randomBytes(piece(1).length)))]);
        await store.parts.abort(key, uploadId);
        expect(await stored()).toBe(sha256(bytes));
      });
    });

    describe('abort', () => {
      it.each(['given the upload id', 'given only the key'])(
        'deletes the parts, and succeeds when it is repeated, %s',
        async (how) => {
          const id = how === 'given the upload id' ? uploadId : undefined;
          await send(1);
          await store.parts.abort(key, id);
          await store.parts.abort(key, id);
          expect(await listed()).toEqual([]);
          await expect(complete()).rejects.toMatchObject(mismatch);
          expect(await store.head(key)).toBeNull();
          expect(await keys()).toEqual([]);
        },
      );

      it('deletes a part that arrived after the first abort when it is repeated', async () => {
        const body = stallingStream(piece(3).subarray(1));
        const writing = send(3, body);
        writing.catch(() => undefined);
        for (let turn = 0; turn < 20; turn += 1) await tick();
        await store.parts.abort(key, uploadId);
        body.push(piece(3).subarray(0, 1));
        body.push(null);
        await Promise.allSettled([writing]);
        await store.parts.abort(key, uploadId);
        expect(await listed()).toEqual([]);
        expect(await store.head(key)).toBeNull();
      });
    });

    it('tells whether the upload exists, if the provider needs it to', async () => {
      if (!store.parts.isOpen) return;
      const isOpen = (): Promise<boolean> => store.parts.isOpen!(key, uploadId);
      expect(await isOpen()).toBe(true);
      await Promise.all([send(1), send(2), send(3)]);
      expect(await isOpen()).toBe(true);
      await complete();
      expect(await isOpen()).toBe(false);
      await store.parts.abort(key, uploadId);
      expect(await isOpen()).toBe(false);
    });

    it('rejects a malformed key in every method', async () => {
      const rejected = { errorCase: 'internal_error' };
      const source = Readable.from([Buffer.from('x')]);
      await expect(store.parts.begin('../x')).rejects.toMatchObject(rejected);
      await expect(store.parts.writePart('../x', uploadId, part(1), source)).rejects.toMatchObject(rejected);
      expect(source.destroyed).toBe(true);
      await expect(store.parts.listParts('../x', uploadId)).rejects.toMatchObject(rejected);
      await expect(store.parts.complete('../x', uploadId, parts)).rejects.toMatchObject(rejected);
      await expect(store.parts.abort('../x', uploadId)).rejects.toMatchObject(rejected);
    });

    it('presigns URLs that accept a part, if the provider can sign', async () => {
      if (!store.parts.signedPartUrl) return;
      for (const { partNumber } of parts) {
        const url = await store.parts.signedPartUrl(key, uploadId, part(partNumber), 60);
        const response = await fetch(url, { method: 'PUT', body: new Uint8Array(piece(partNumber)) });
        expect(response.status).toBeLessThan(300);
      }
      expect(parts).toMatchObject(await store.parts.listParts(key, uploadId));
      expect(await listed()).toEqual([1, 2, 3]);
      await complete();
      expect(await stored()).toBe(sha256(bytes));
    });

    it('presigns URLs that cannot change the blob after `complete`, if the provider can sign', async () => {
      if (!store.parts.signedPartUrl) return;
      const url = await store.parts.signedPartUrl(key, uploadId, part(1), 60);
      await Promise.all([send(1), send(2), send(3)]);
      await complete();
      await fetch(url, { method: 'PUT', body: new Uint8Array(randomBytes(piece(1).length)) });
      expect(await stored()).toBe(sha256(bytes));
    });
  });
}
