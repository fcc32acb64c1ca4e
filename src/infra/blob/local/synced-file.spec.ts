import { SyncedFile } from './synced-file';

const MIB = 1024 * 1024;

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
