import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as tick } from 'node:timers/promises';
import { type BlobStore } from '#infra/blob/blob-store';

const MIB = 1024 * 1024;
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A stream in many chunks, as from a socket. Their size does not match the block size of any store. */
export const inChunks = (bytes: Buffer, chunkBytes = 65_521): Readable =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    })(),
    { objectMode: false },
  );

/** Chunks of several sizes, each with its own memory, as from a socket. */
export const ownedChunks = (bytes: Buffer): Buffer[] => {
  const chunks = [];
  for (let at = 0, size = 65_536; at < bytes.length; at += size, size = 65_521 + ((size * 3) % MIB)) {
    chunks.push(Buffer.from(new Uint8Array(bytes.subarray(at, at + size)).buffer));
  }
  return chunks;
};

/** A stream that sends `bytes` and then hangs, as from a stalled client. */
export const stallingStream = (bytes: Buffer): Readable => {
  const stream = new Readable({ read: () => undefined });
  stream.push(bytes);
  return stream;
};

const keysOf = async (store: BlobStore, prefix: string): Promise<string[]> => {
  const keys = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys.sort();
};

/**
 * The tests that every `BlobStore` driver runs; `makeStore` may return the same store every time.
 *
 * red when, in the local driver: it publishes with `rename` (two writers succeed); skips the flush of the last block; does not unlink the
 * temporary file; hashes only after the copy loop.
 * red when, in a cloud driver: a write has no condition; a multipart upload is not aborted; a presigned URL has no file name.
 */
export function describeBlobStore(name: string, makeStore: () => Promise<BlobStore>): void {
  describe(`BlobStore: ${name}`, () => {
    let store: BlobStore;
    let folder: string;
    const key = (last: string = randomUUID()): string => `${folder}/${last}`;

    beforeEach(async () => {
      store = await makeStore();
      folder = `suite/${randomUUID()}`;
    });

    describe('write', () => {
      it.each([0, 1, 65_521, MIB - 1, MIB, MIB + 1, 3 * MIB, 8 * MIB - 1, 8 * MIB, 8 * MIB + 1, 35 * MIB + 7])(
        'stores %d bytes unchanged',
        async (size) => {
          const bytes = randomBytes(size);
          const hash = createHash('sha256');
          let counted = 0;
          const at = key();
          const written = await store.write(at, inChunks(bytes), {
            onChunk: (chunk) => {
              hash.update(chunk);
              counted += chunk.length;
            },
          });
          expect(written).toEqual({ sizeBytes: size });
          expect(counted).toBe(size);
          expect(hash.digest('hex')).toBe(sha256(bytes));
          expect(await store.head(at)).toEqual({ sizeBytes: size });
          expect(sha256(await buffer(await store.read(at)))).toBe(sha256(bytes));
        },
      );

      it('accepts a chunk larger than any block', async () => {
        const bytes = randomBytes(7 * MIB + 3);
        const at = key();
        await store.write(at, Readable.from([bytes]));
        expect(sha256(await buffer(await store.read(at)))).toBe(sha256(bytes));
      });

      // red when: chunks are kept, are freed before all of their bytes are used, or are freed without `freesChunks`
      it('frees the memory of chunks that it is given', async () => {
        const bytes = randomBytes(20 * MIB);
        const [given, lent] = [ownedChunks(bytes), ownedChunks(bytes)];
        const [one, other] = [key(), key()];
        await store.write(one, Readable.from(given), { freesChunks: true });
        await store.write(other, Readable.from(lent));
        expect(given.filter(({ length }) => length > 0)).toHaveLength(0);
        expect(Buffer.concat(lent).equals(bytes)).toBe(true);
        for (const at of [one, other]) expect(sha256(await buffer(await store.read(at)))).toBe(sha256(bytes));
      });

      // red when: memory is freed of which a chunk is only a part
      it('frees no memory that a chunk shares', async () => {
        const bytes = randomBytes(9 * MIB);
        const at = key();
        await store.write(at, inChunks(bytes), { freesChunks: true });
        expect(sha256(await buffer(await store.read(at)))).toBe(sha256(bytes));
      });

      it('rejects a key that exists and leaves its blob unchanged', async () => {
        const at = key();
        await store.write(at, Readable.from([Buffer.from('first')]));
        const second = Readable.from([Buffer.from('second')]);
        await expect(store.write(at, second)).rejects.toMatchObject({ errorCase: 'already_exists' });
        expect(second.destroyed).toBe(true);
        expect((await buffer(await store.read(at))).toString()).toBe('first');
      });

      it('succeeds for exactly one of several concurrent writers to one key', async () => {
        const at = key();
        const bodies = Array.from({ length: 12 }, (_, index) => randomBytes((index % 2 ? 2 : 9) * MIB + 7));
        const outcomes = await Promise.allSettled(bodies.map((bytes) => store.write(at, inChunks(bytes))));
        const winners = bodies.filter((_, index) => outcomes[index]?.status === 'fulfilled');
        expect(winners).toHaveLength(1);
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ errorCase: 'already_exists' });
        }
        expect(sha256(await buffer(await store.read(at)))).toBe(sha256(winners[0] ?? Buffer.alloc(0)));
      });

      it('writes different keys concurrently', async () => {
        const bodies = Array.from({ length: 8 }, () => ({ at: key(), bytes: randomBytes(MIB + 99) }));
        await Promise.all(bodies.map(({ at, bytes }) => store.write(at, inChunks(bytes))));
        for (const { at, bytes } of bodies) expect(sha256(await buffer(await store.read(at)))).toBe(sha256(bytes));
      });

      it('stores the keys `a` and `a/b` side by side', async () => {
        await store.write(key('a'), Readable.from([Buffer.from('outer')]));
        await store.write(key('a/b'), Readable.from([Buffer.from('inner')]));
        expect(await keysOf(store, folder)).toEqual([key('a'), key('a/b')]);
      });

      it('does not show the key before the blob is complete', async () => {
        const at = key();
        const source = stallingStream(randomBytes(2 * MIB));
        const writing = store.write(at, source);
        for (let turn = 0; turn < 50; turn += 1) await tick();
        expect(await store.head(at)).toBeNull();
        await expect(store.read(at)).rejects.toMatchObject({ errorCase: 'not_found' });
        expect(await keysOf(store, folder)).toEqual([]);
        source.push(null);
        await writing;
        expect(await store.head(at)).toEqual({ sizeBytes: 2 * MIB });
      });
    });

    describe('write, when it fails,', () => {
      const reason = new Error('enough');

      it.each([0, 100, MIB, 4 * MIB, 20 * MIB])(
        'leaves nothing behind when it is aborted after %d bytes',
        async (size) => {
          const at = key();
          const abort = new AbortController();
          const source = stallingStream(randomBytes(size));
          const writing = store.write(at, source, { signal: abort.signal });
          for (let turn = 0; turn < 20; turn += 1) await tick();
          abort.abort(reason);
          await expect(writing).rejects.toBe(reason);
          expect(source.destroyed).toBe(true);
          expect(await store.head(at)).toBeNull();
          await store.write(at, Readable.from([Buffer.from('again')]));
          expect(await store.head(at)).toEqual({ sizeBytes: 5 });
        },
      );

      it('writes nothing when the signal is already aborted', async () => {
        const source = Readable.from([Buffer.from('x')]);
        await expect(store.write(key(), source, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
        expect(source.destroyed).toBe(true);
      });

      it.each([0, 1, 50])('rejects with the error of the source, thrown after %d event loop turns', async (turns) => {
        const at = key();
        const source = stallingStream(randomBytes(MIB + 1));
        const writing = store.write(at, source);
        writing.catch(() => undefined);
        for (let turn = 0; turn < turns; turn += 1) await tick();
        source.destroy(reason);
        await expect(writing).rejects.toBe(reason);
        expect(await store.head(at)).toBeNull();
      });

      it('rejects with the error of onChunk', async () => {
        const at = key();
        let seen = 0;
        const onChunk = (chunk: Buffer): void => {
          seen += chunk.length;
          if (seen > 2 * MIB) throw reason;
        };
        await expect(store.write(at, inChunks(randomBytes(4 * MIB)), { onChunk })).rejects.toBe(reason);
        expect(await store.head(at)).toBeNull();
      });
    });

    describe('read', () => {
      const bytes = randomBytes(2 * MIB + 11);
      let at: string;
      beforeEach(async () => {
        at = key();
        await store.write(at, inChunks(bytes));
      });

      it.each([
        [0, 0],
        [0, bytes.length - 1],
        [MIB - 1, MIB],
        [bytes.length - 1, bytes.length - 1],
        [12_345, 1_234_567],
      ])('returns the bytes from %d to %d, both included', async (start, end) => {
        const part = await buffer(await store.read(at, { start, end }));
        expect(part.equals(bytes.subarray(start, end + 1))).toBe(true);
      });

      it.each([
        [0, 10],
        [MIB - 5, 10],
        [bytes.length - 4, 100],
        [bytes.length, 5],
        [bytes.length + 500, 5],
        [7, 0],
      ])('returns a block from offset %d of %d bytes, shorter at the end of the blob', async (offset, length) => {
        const block = await store.readBlock(at, offset, length);
        expect(block.equals(bytes.subarray(offset, offset + length))).toBe(true);
      });

      it('rejects with not_found, and `head` returns null, when the blob does not exist', async () => {
        await expect(store.read(key())).rejects.toMatchObject({ errorCase: 'not_found' });
        await expect(store.readBlock(key(), 0, 1)).rejects.toMatchObject({ errorCase: 'not_found' });
        expect(await store.head(key())).toBeNull();
      });
    });

    it('deletes a blob, and succeeds again when it is gone', async () => {
      const at = key();
      await store.write(at, Readable.from([Buffer.from('x')]));
      await store.delete(at);
      expect(await store.head(at)).toBeNull();
      await store.delete(at);
      await store.delete(key());
    });

    it('lists the blobs of a prefix with their sizes and times', async () => {
      await store.write(key('one'), Readable.from([Buffer.from('1')]));
      await store.write(key('two/deep'), Readable.from([Buffer.from('22')]));
      await store.write(key('two-more'), Readable.from([Buffer.from('333')]));
      expect(await keysOf(store, `${folder}/`)).toEqual([key('one'), key('two-more'), key('two/deep')]);
      expect(await keysOf(store, key('two'))).toEqual([key('two-more'), key('two/deep')]);
      expect(await keysOf(store, key('two/'))).toEqual([key('two/deep')]);
      expect(await keysOf(store, key('absent/'))).toEqual([]);
      for await (const blob of store.list(key('two/'))) {
        expect(blob).toMatchObject({ key: key('two/deep'), sizeBytes: 2 });
        expect(Math.abs(blob.modifiedAt.getTime() - Date.now())).toBeLessThan(600_000);
      }
    });

    describe('signedUrl, if the provider can sign,', () => {
      const bytes = randomBytes(100_000);
      let at: string;
      beforeEach(async () => {
        at = key();
        await store.write(at, inChunks(bytes));
      });
      const sign = (fileName: string, expiresInSeconds = 60): Promise<string> | undefined =>
        store.signedUrl?.(at, { expiresInSeconds, fileName, mediaType: 'application/vnd.android.package-archive' });

      it.each([
        ['app.apk', 'filename=app.apk'],
        ['My "App" 1.0;x.apk', 'filename="My \\"App\\" 1.0;x.apk"'],
        ['Ünïcødé 测试 🚀.apk', "filename*=UTF-8''%C3%9Cn%C3%AFc%C3%B8d%C3%A9%20%E6%B5%8B%E8%AF%95%20%F0%9F%9A%80.apk"],
        ['../../etc/pass\r\nwd.apk', 'filename=passwd.apk'],
      ])('serves the blob with the file name %j and its media type', async (fileName, expected) => {
        const url = await sign(fileName);
        if (url === undefined) return;
        const response = await fetch(url);
        expect(response.status).toBe(200);
        expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
        expect(response.headers.get('content-type')).toBe('application/vnd.android.package-archive');
        expect(response.headers.get('content-disposition')).toMatch(/^attachment; /);
        expect(response.headers.get('content-disposition')).toContain(expected);
      });

      it('serves ranges', async () => {
        const url = await sign('app.apk');
        if (url === undefined) return;
        const response = await fetch(url, { headers: { range: 'bytes=5-104' } });
        expect(response.status).toBe(206);
        expect(Buffer.from(await response.arrayBuffer()).equals(bytes.subarray(5, 105))).toBe(true);
      });

      it('is rejected when a parameter is changed or removed, and for another blob or method', async () => {
        const url = await sign('app.apk');
        if (url === undefined) return;
        const other = key();
        await store.write(other, Readable.from([Buffer.from('other')]));
        const changed = [url.replace(at, other)];
        for (const [name, value] of new URL(url).searchParams) {
          const altered = new URL(url);
          altered.searchParams.set(name, `${value.startsWith('a') ? 'b' : 'a'}${value.slice(1)}`);
          changed.push(altered.href);
          altered.searchParams.delete(name);
          changed.push(altered.href);
        }
        // red when: the store does not verify signatures, or the driver returns an unsigned URL
        for (const altered of changed) expect((await fetch(altered)).status).toBeGreaterThanOrEqual(400);
        for (const method of ['PUT', 'DELETE']) {
          expect((await fetch(url, { method })).status).toBeGreaterThanOrEqual(400);
        }
        expect(await store.head(at)).toEqual({ sizeBytes: bytes.length });
      });

      it('is rejected after it has expired', async () => {
        const url = await sign('app.apk', 1);
        if (url === undefined) return;
        let { status } = await fetch(url);
        expect(status).toBe(200);
        while (status === 200) status = (await fetch(url)).status;
        expect(status).toBe(403);
      });
    });

    it.each([
      '',
      '/',
      '/etc/passwd',
      '..',
      '../x',
      'a/../../x',
      'a//b',
      'a/',
      '.incoming/x',
      'a\0b',
      'a\\b',
      'A',
      'a b',
      'ä',
      'a.blob',
      'x'.repeat(65),
      'a/'.repeat(8) + 'a',
    ])('rejects the malformed key %j in every method', async (hostile) => {
      const rejected = { errorCase: 'internal_error' };
      const source = Readable.from([Buffer.from('x')]);
      await expect(store.write(hostile, source)).rejects.toMatchObject(rejected);
      expect(source.destroyed).toBe(true);
      await expect(store.read(hostile)).rejects.toMatchObject(rejected);
      await expect(store.readBlock(hostile, 0, 1)).rejects.toMatchObject(rejected);
      await expect(store.head(hostile)).rejects.toMatchObject(rejected);
      await expect(store.delete(hostile)).rejects.toMatchObject(rejected);
    });

    it('rejects a malformed prefix', async () => {
      await expect(keysOf(store, '../')).rejects.toMatchObject({ errorCase: 'internal_error' });
    });

    it('passes its own check', async () => {
      await expect(store.check()).resolves.toBeUndefined();
    });
  });
}
