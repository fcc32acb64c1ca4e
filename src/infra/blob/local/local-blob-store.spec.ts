import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { describeBlobStore, inChunks, stallingStream } from '../../../../test/suites/blob-store.suite';
import { describePartUploads } from '../../../../test/suites/part-uploads.suite';
import { until } from '../../../../test/support/until';
import { hashOf } from '../copy-blob';
import { LocalBlobStore } from './local-blob-store';

const MIB = 1024 * 1024;
const folders: string[] = [];
const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'agate-blobs-'));
  folders.push(folder);
  return folder;
};
const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((e) => e.isFile()).map((e) => e.name);

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

const makeStore = async (): Promise<LocalBlobStore> => new LocalBlobStore(join(await newFolder(), 'made/on demand'));

describeBlobStore('LocalBlobStore', makeStore);
describePartUploads('LocalBlobStore', makeStore);

describe('LocalBlobStore', () => {
  it('leaves no file after writes that failed or were rejected', async () => {
    const folder = await newFolder();
    const store = new LocalBlobStore(folder);
    const abort = new AbortController();
    const writing = store.write('a', stallingStream(Buffer.alloc(3 * MIB)), { signal: abort.signal });
    setImmediate(() => abort.abort(new Error('enough')));
    await expect(writing).rejects.toThrow('enough');
    await store.check();
    expect(await filesIn(folder)).toEqual([]);

    await Promise.allSettled([1, 2, 3].map(() => store.write('b', inChunks(Buffer.alloc(MIB)))));
    expect(await filesIn(folder)).toEqual(['b.blob']);
  });

  describe('open', () => {
    const bytes = randomBytes(MIB + 17);
    const into = (chunks: Buffer[], most = Infinity): Writable =>
      new Writable({
        // Like a socket, it reads the chunk some time later.
        write(chunk: Buffer, _, done) {
          setImmediate(() => {
            chunks.push(Buffer.from(chunk));
            if (chunks.length < most) done();
            else this.destroy();
          });
        },
      });
    const storeWithBlob = async (): Promise<LocalBlobStore> => {
      const store = await makeStore();
      await store.write('a', inChunks(bytes));
      return store;
    };

    // red when: a block is reused before the sink has flushed it
    it('sends a whole blob and ranges of it, many concurrently', async () => {
      const store = await storeWithBlob();
      await Promise.all(
        Array.from({ length: 40 }, async (_, at) => {
          const range = at % 2 ? { start: at * 1000, end: at * 20_000 } : undefined;
          const expected = range ? bytes.subarray(range.start, range.end + 1) : bytes;
          const chunks: Buffer[] = [];
          const sink = into(chunks);
          expect(await (await store.open('a', range)).sendTo(sink, expected.length)).toBe(expected.length);
          expect(Buffer.concat(chunks).equals(expected)).toBe(true);
          expect([sink.writableEnded, sink.errored]).toEqual([true, null]);
        }),
      );
    });

    it('stops when the sink closes, and returns the number of flushed bytes', async () => {
      const store = await storeWithBlob();
      const chunks: Buffer[] = [];
      expect(await (await store.open('a')).sendTo(into(chunks, 2), bytes.length)).toBe(chunks[0]?.length);
      const closed = into([]);
      closed.destroy();
      expect(await (await store.open('a')).sendTo(closed, bytes.length)).toBe(0);
    });

    it('rejects with not_found when the blob does not exist', async () => {
      await expect((await makeStore()).open('a')).rejects.toMatchObject({ errorCase: 'not_found' });
    });
  });

  describe('scan', () => {
    // red when: a block is reused while it is being hashed
    it.each([1, 512 * 1024, 3 * MIB + 17])('passes on the bytes of a blob of %i bytes in order', async (length) => {
      const store = await makeStore();
      const bytes = randomBytes(length);
      await store.write('a', inChunks(bytes));
      const chunks: Buffer[] = [];
      await store.scan('a', (chunk) => void chunks.push(Buffer.from(chunk)));
      expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(await hashOf({ store, key: 'a' }, length)).toBe(sha256);
    });

    // red when: each scan allocates its blocks, which stay until a garbage collection
    it('uses the memory of one scan for the next, also after an exception', async () => {
      const store = await makeStore();
      await store.write('a', inChunks(Buffer.alloc(4 * MIB)));
      const blocksOf = async (end = Infinity): Promise<Set<ArrayBufferLike>> => {
        const blocks = new Set<ArrayBufferLike>();
        const add = ({ buffer }: Buffer): void => {
          if (blocks.add(buffer).size >= end) throw new Error('enough');
        };
        await store.scan('a', add).catch(() => undefined);
        return blocks;
      };
      const first = await blocksOf();
      const interrupted = await blocksOf(2);
      const last = await blocksOf();
      const all = new Set([...first, ...interrupted, ...last]);
      expect([first, interrupted, last, all].map(({ size }) => size)).toEqual([4, 2, 4, 4]);
    });

    it('rejects with the exception of the caller, and with not_found when the blob does not exist', async () => {
      const store = await makeStore();
      await store.write('a', inChunks(Buffer.alloc(2 * MIB)));
      const stop = (): void => {
        throw new Error('enough');
      };
      await expect(store.scan('a', stop)).rejects.toThrow('enough');
      await expect(hashOf({ store, key: 'a' }, MIB)).rejects.toMatchObject({
        errorCase: 'storage_backend_unavailable',
      });
      await expect(store.scan('b', stop)).rejects.toMatchObject({ errorCase: 'not_found' });
    });
  });

  describe('with an upload in one part', () => {
    const part = { partNumber: 1, sizeBytes: MIB, offset: 0 };
    const send = (store: LocalBlobStore, byte: string) =>
      store.parts.writePart('a', 'local', part, Readable.from([Buffer.alloc(MIB, byte)]));

    // red when: the completion copies the part
    it('makes the file of the upload the blob', async () => {
      const folder = await newFolder();
      const store = new LocalBlobStore(folder);
      await store.parts.begin('a');
      await send(store, 'x');
      const { ino } = await stat(join(folder, '.parts/a.parts/whole'));
      await store.parts.complete('a', 'local', [part]);
      expect((await stat(join(folder, 'a.blob'))).ino).toBe(ino);
      expect(await filesIn(folder)).toEqual(['a.blob']);
    });

    // red when: a part is written at its place again
    it('does not change the blob when the part arrives again during the completion', async () => {
      const store = await makeStore();
      await store.parts.begin('a');
      await send(store, 'x');
      const again = ['y', 'z'].map((byte) => send(store, byte).catch(() => undefined));
      await store.parts.complete('a', 'local', [part]);
      const first = await store.readBlock('a', 0, MIB);
      await Promise.all(again);
      expect((await store.readBlock('a', 0, MIB)).equals(first)).toBe(true);
      expect(new Set(first).size).toBe(1);
    });
  });

  describe('with an upload in two parts', () => {
    const parts = [0, 1].map((index) => ({ partNumber: index + 1, sizeBytes: MIB, offset: index * MIB }));
    let folder: string;
    let store: LocalBlobStore;
    beforeEach(async () => {
      folder = await newFolder();
      store = new LocalBlobStore(folder);
      await store.parts.begin('a');
    });
    const inFolder = (name: string): string => join(folder, '.parts/a.parts', name);
    const send = (partNumber: number, body: string | Readable) =>
      store.parts.writePart(
        'a',
        'local',
        parts[partNumber - 1]!,
        typeof body === 'string' ? Readable.from([Buffer.alloc(MIB, body)]) : body,
      );
    /** The content, in which a run of one letter is shortened to one letter. */
    const blob = async (): Promise<string> =>
      (await store.readBlock('a', 0, 2 * MIB)).toString('latin1').replaceAll(/(.)\1+/g, '$1');
    const isCopied = async (complete: () => Promise<unknown>): Promise<boolean> => {
      const { ino } = await stat(inFolder('whole'));
      await complete();
      return (await stat(join(folder, 'a.blob'))).ino !== ino;
    };
    const complete = () => store.parts.complete('a', 'local', parts);

    // red when: a writer that fails keeps its claim
    it('does not copy after a part failed and was sent again', async () => {
      const aborted = stallingStream(Buffer.alloc(1000));
      const failing = send(1, aborted);
      failing.catch(() => undefined);
      setImmediate(() => aborted.destroy(new Error('enough')));
      await expect(failing).rejects.toThrow('enough');
      await Promise.all([send(2, 'y'), send(1, 'x')]);
      expect(await isCopied(complete)).toBe(false);
      expect(await blob()).toBe('xy');
      expect(await filesIn(folder)).toEqual(['a.blob']);
    });

    // red when: a place whose claim exists is written by a second writer, or `whole` becomes the blob although a place has another writer
    it('keeps its bytes when a process that claimed a part writes after the completion', async () => {
      await writeFile(inFolder('1.claimed'), '');
      const late = await open(inFolder('whole'), 'w');
      await Promise.all([send(1, 'x'), send(2, 'y')]);
      expect(await isCopied(complete)).toBe(true);
      await late.write('late');
      await late.close();
      expect(await blob()).toBe('xy');
      expect(await filesIn(folder)).toEqual(['a.blob']);
    });

    it('takes the later bytes when a part is sent again while its first writer stalls', async () => {
      const stalling = stallingStream(Buffer.alloc(1000, 'z'));
      const first = send(1, stalling);
      await until(async () => (await filesIn(folder)).includes('1.claimed'));
      await Promise.all([send(1, 'x'), send(2, 'y')]);
      await complete();
      stalling.push(Buffer.alloc(MIB - 1000, 'z'));
      stalling.push(null);
      await expect(first).rejects.toMatchObject({ errorCase: 'not_found' });
      expect(await blob()).toBe('xy');
    });
  });

  it('rejects with storage_backend_unavailable when its path is not a folder', async () => {
    const file = join(await newFolder(), 'file');
    await writeFile(file, '');
    const store = new LocalBlobStore(file);
    const unavailable = { errorCase: 'storage_backend_unavailable', retryAfterSeconds: 5 };
    await expect(store.write('a', Readable.from([Buffer.from('x')]))).rejects.toMatchObject(unavailable);
    await expect(store.read('a')).rejects.toMatchObject(unavailable);
    await expect(store.open('a')).rejects.toMatchObject(unavailable);
    await expect(store.head('a')).rejects.toMatchObject(unavailable);
    await expect(store.delete('a')).rejects.toMatchObject(unavailable);
    await expect(store.check()).rejects.toMatchObject(unavailable);
    await expect(store.list('').next()).rejects.toMatchObject(unavailable);
  });

  describe('with a disk that fills up', () => {
    let folder: string;
    let mounted = false;
    beforeAll(async () => {
      folder = await newFolder();
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' });
        mounted = true;
      } catch {
        process.stderr.write('NOT TESTED: a full disk (mounting a tmpfs needs root)\n');
      }
    });
    afterAll(() => {
      if (mounted) execFileSync('umount', [folder]);
    });

    it('rejects with storage_backend_unavailable, leaves no file, and then works again', async () => {
      if (!mounted) return;
      const store = new LocalBlobStore(folder);
      await expect(store.write('big', inChunks(Buffer.alloc(9 * MIB)))).rejects.toMatchObject({
        errorCase: 'storage_backend_unavailable',
        cause: { code: 'ENOSPC' },
      });
      expect(await filesIn(folder)).toEqual([]);
      await expect(store.write('big', inChunks(Buffer.alloc(2 * MIB)))).resolves.toEqual({ sizeBytes: 2 * MIB });
    });
  });

  it('sweeps the temporary file of a killed process, but no younger and no published file', async () => {
    const folder = await newFolder();
    const store = new LocalBlobStore(folder);
    expect(await store.sweepTemporary(new Date())).toBe(0);
    await store.write('kept', Readable.from([Buffer.from('kept')]));
    await writeInChildAndKill(folder);

    expect(await store.head('killed')).toBeNull();
    const [left, ...more] = await readdir(join(folder, '.incoming'));
    expect(more).toEqual([]);
    const path = join(folder, '.incoming', left ?? '');
    expect((await stat(path)).size).toBeGreaterThanOrEqual(MIB);

    await utimes(path, new Date(1_000_000), new Date(1_000_000));
    expect(await store.sweepTemporary(new Date(1_000_000))).toBe(0);
    expect(await store.sweepTemporary(new Date(1_000_001))).toBe(1);
    expect(await filesIn(folder)).toEqual(['kept.blob']);
  });
});

/** Starts another process that writes 5 MiB of an endless blob, and kills it when at least one block is on the disk. */
async function writeInChildAndKill(folder: string): Promise<void> {
  const script = join(await newFolder(), 'writer.cjs');
  await writeFile(
    script,
    `const { LocalBlobStore } = require('#infra/blob/local/local-blob-store');
     const source = new (require('node:stream').Readable)({ read() {} });
     source.push(Buffer.alloc(${5 * MIB}));
     void new LocalBlobStore(${JSON.stringify(folder)}).write('killed', source);
     setInterval(() => {}, 1000);`,
  );
  const runTypescript = resolve(__dirname, '../../../../test/support/processes/run-typescript.cjs');
  const child = spawn(process.execPath, ['-r', runTypescript, script], { stdio: 'inherit' });
  const incoming = join(folder, '.incoming');
  for (let size = 0; size < MIB; await setTimeout(20)) {
    const [name] = await readdir(incoming).catch(() => []);
    size = name ? (await stat(join(incoming, name))).size : 0;
  }
  child.kill('SIGKILL');
  await once(child, 'exit');
}
