import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pageAligned } from '../streams/block-pool';
import { writeFully } from '../streams/block-writer';
import { DirectFile, openDirect, SyncedFile } from './direct-file';

const BLOCK_BYTES = 128 * 1024;
const MIB = 1024 * 1024;

describe('DirectFile', () => {
  describe('with a file', () => {
    const bytes = randomBytes(3 * BLOCK_BYTES + 5000);
    let folder: string;
    let file: FileHandle;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'agate-direct-'));
      file = await open(join(folder, 'file'), 'w+');
    });
    afterEach(async () => {
      await file.close();
      await rm(folder, { recursive: true });
    });

    it('writes and reads bytes of any length', async () => {
      const target = new DirectFile(file, constants.O_WRONLY);
      const writes: Promise<void>[] = [];
      for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
        const block = pageAligned(BLOCK_BYTES);
        const length = bytes.copy(block, 0, at);
        writes.push(writeFully(target, block, length, at));
      }
      await Promise.all(writes);
      await target.close();
      expect((await readFile(join(folder, 'file'))).equals(bytes)).toBe(true);

      const source = new DirectFile(file, constants.O_RDONLY);
      const block = pageAligned(BLOCK_BYTES);
      const found: Buffer[] = [];
      for (let at = 0, read = -1; read !== 0; at += read) {
        read = await source.read(block, at);
        found.push(Buffer.from(block.subarray(0, read)));
      }
      await source.close();
      expect(Buffer.concat(found).equals(bytes)).toBe(true);
    });

    // red when: the memory of a block is aligned as that of any Buffer
    it('has blocks that the system writes past the cache, if it can', async () => {
      const direct = await openDirect(file, constants.O_WRONLY);
      if (process.platform !== 'linux') return expect(direct).toBeNull();
      for (const block of Array.from({ length: 20 }, () => pageAligned(BLOCK_BYTES)))
        expect(await direct!.write(block, 0, block.length, 0)).toMatchObject({ bytesWritten: BLOCK_BYTES });
      await direct!.close();
    });
  });

  describe('with a direct handle', () => {
    /** The writes, with their results. */
    let writes: { readonly by: string; readonly length: number; readonly end: (error?: Error) => void }[];
    const handle = (by: string): FileHandle =>
      ({
        write: (_block: Buffer, _offset: number, length: number) =>
          new Promise((resolve, reject) => {
            const end = (error?: Error): void => (error ? reject(error) : resolve({ bytesWritten: length }));
            writes.push({ by, length, end });
          }),
        close: () => Promise.resolve(),
      }) as unknown as FileHandle;
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const block = Buffer.alloc(0);
    let direct: FileHandle | null;
    let file: DirectFile;
    beforeEach(() => {
      writes = [];
      direct = handle('direct');
      file = new DirectFile(handle('cached'), constants.O_WRONLY, () => Promise.resolve(direct));
    });
    const begun = async (): Promise<[string, number][]> => {
      await turn();
      return writes.map(({ by, length }) => [by, length]);
    };

    it('writes whole pages past the cache, and the end of the file through it', async () => {
      const first = file.write(block, 0, BLOCK_BYTES + 17, 0);
      expect(await begun()).toEqual([['direct', BLOCK_BYTES]]);
      writes[0]!.end();
      expect(await first).toEqual({ bytesWritten: BLOCK_BYTES });
      void file.write(block, BLOCK_BYTES, 17, BLOCK_BYTES);
      expect((await begun())[1]).toEqual(['cached', 17]);
    });

    // red when: a write does not wait for the writes before it
    it('writes one block at a time, also after a failure, and closes after the last', async () => {
      const [first, second] = [0, 1].map((at) => file.write(block, 0, BLOCK_BYTES, at * BLOCK_BYTES));
      let isClosed = false;
      const closed = file.close().then(() => (isClosed = true));
      expect(await begun()).toHaveLength(1);
      writes[0]!.end(new Error('EIO'));
      await expect(first).rejects.toThrow('EIO');
      expect([(await begun()).length, isClosed]).toEqual([2, false]);
      writes[1]!.end();
      await Promise.all([second, closed]);
    });

    // red when: the failure takes the place of the error of the upload
    it('closes also when the system reports a failure', async () => {
      direct!.close = () => Promise.reject(new Error('EDQUOT'));
      const written = file.write(block, 0, BLOCK_BYTES, 0);
      await turn();
      writes[0]!.end();
      await written;
      await file.close();
    });

    it('uses the cache when the file system rejects direct I/O, for this write and all later ones', async () => {
      void file.write(block, 0, BLOCK_BYTES, 0);
      await turn();
      writes[0]!.end(Object.assign(new Error('refused'), { code: 'EINVAL' }));
      expect((await begun())[1]).toEqual(['cached', BLOCK_BYTES]);
      writes[1]!.end();
      void file.write(block, 0, BLOCK_BYTES, BLOCK_BYTES);
      expect((await begun())[2]).toEqual(['cached', BLOCK_BYTES]);
    });

    it('uses the cache for a position within a page, and on a system without direct I/O', async () => {
      void file.write(block, 0, BLOCK_BYTES, 1);
      expect(await begun()).toEqual([['cached', BLOCK_BYTES]]);
      direct = null;
      void new DirectFile(handle('cached'), constants.O_WRONLY, () => Promise.resolve(direct)).write(
        block,
        0,
        BLOCK_BYTES,
        0,
      );
      expect((await begun())[1]).toEqual(['cached', BLOCK_BYTES]);
    });
  });
});

describe('SyncedFile', () => {
  let syncs: { readonly end: () => void; readonly fail: (error: Error) => void }[];
  let file: SyncedFile;
  beforeEach(() => {
    syncs = [];
    file = new SyncedFile({
      write: (_block: unknown, _offset: unknown, length: number) => Promise.resolve({ bytesWritten: length }),
      datasync: () => new Promise<void>((end, fail) => syncs.push({ end, fail })),
    } as never);
  });
  const write = async (mebibytes: number): Promise<void> => {
    for (let n = 0; n < mebibytes; n++) await file.write(Buffer.alloc(0), 0, MIB, n * MIB);
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('syncs every 32 MiB while it is being written, one sync at a time', async () => {
    await write(31);
    expect(syncs).toHaveLength(0);
    await write(1);
    await turn();
    expect(syncs).toHaveLength(1);
    await write(100);
    await turn();
    expect(syncs).toHaveLength(1);
    syncs[0]!.end();
    await turn();
    await write(1);
    await turn();
    expect(syncs).toHaveLength(2);
  });

  // red when: sync does not sync again, or does not wait for the sync in progress
  it('resolves a sync only after the sync in progress and one more', async () => {
    await write(40);
    let done = false;
    const synced = file.sync().then(() => (done = true));
    await turn();
    syncs[0]!.end();
    await turn();
    expect([syncs.length, done]).toEqual([2, false]);
    syncs[1]!.end();
    await synced;
  });

  // red when: the failure of a background sync is lost
  it('rejects a sync when an earlier background sync has failed', async () => {
    await write(32);
    await turn();
    syncs[0]!.fail(new Error('EIO'));
    await turn();
    await write(32);
    await expect(file.sync()).rejects.toThrow('EIO');
    expect(syncs).toHaveLength(1);
  });
});
