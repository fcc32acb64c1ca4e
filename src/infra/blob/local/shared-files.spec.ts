import { fstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SharedFiles } from './shared-files';

describe('SharedFiles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'agate-shared-files-'));
  const path = join(folder, 'file');
  let files: SharedFiles;
  beforeEach(() => {
    writeFileSync(path, 'first');
    files = new SharedFiles();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Whether the descriptor is closed, or will be within a second. */
  const isClosed = async (descriptor: number): Promise<boolean> => {
    for (let waited = 0; waited < 1000; waited += 10) {
      try {
        fstatSync(descriptor);
      } catch {
        return true;
      }
      await sleep(10);
    }
    return false;
  };
  const sizeOf = ({ descriptor }: { readonly descriptor: number }): number => fstatSync(descriptor).size;
  /** Replaces the file by another, as a deletion and a write do. */
  const replace = (content: string): void => {
    rmSync(path);
    writeFileSync(path, content);
  };

  // red when: each reader opens the file, or the first to close it closes it for all
  it('gives readers at the same time one descriptor, which the last one closes', async () => {
    const [one, other] = await Promise.all([files.open(path), files.open(path)]);
    const third = await files.open(path);
    expect([other.descriptor, third.descriptor]).toEqual([one.descriptor, one.descriptor]);
    one.close();
    third.close();
    await sleep(20);
    expect(sizeOf(other)).toBe(5);
    other.close();
    expect(await isClosed(other.descriptor)).toBe(true);
  });

  // red when: a file stays open for later readers
  it('opens a file again when it has no readers', async () => {
    (await files.open(path)).close();
    replace('a second file');
    const again = await files.open(path);
    expect(sizeOf(again)).toBe(13);
    again.close();
  });

  // red when: a forgotten file is shared, or its last reader removes the one that was opened since
  it('opens a forgotten file again while others are still reading it', async () => {
    const before = await files.open(path);
    rmSync(path);
    files.forget(path);
    await expect(files.open(path)).rejects.toThrow('ENOENT');
    writeFileSync(path, 'a second file');
    const after = await files.open(path);
    before.close();
    const last = await files.open(path);
    expect([sizeOf(after), last.descriptor]).toEqual([13, after.descriptor]);
    after.close();
    last.close();
  });
});
