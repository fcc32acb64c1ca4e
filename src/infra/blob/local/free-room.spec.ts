import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../../../test/support/until';
import { FreeRoom } from './free-room';

const MIB = 1024 * 1024;
const full = { errorCase: 'storage_backend_unavailable', retryAfterSeconds: 60, cause: { code: 'ENOSPC' } };

describe('FreeRoom', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agate-room-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('reads the free bytes, also of a folder that does not exist yet', async () => {
    const { freeBytes } = await new FreeRoom(join(folder, 'not/made'), 17).read();
    expect(freeBytes).toBeGreaterThan(0);
    expect(await new FreeRoom(join(folder, 'not/made'), 17).read()).toMatchObject({ minFreeBytes: 17 });
  });

  it('rejects bytes that would use the room that is left free, and none without such a room', async () => {
    const { freeBytes } = await new FreeRoom(folder, 0).read();
    await new FreeRoom(folder, 1).require();
    await expect(new FreeRoom(folder, 1).require(freeBytes * 2)).rejects.toMatchObject(full);
    await new FreeRoom(folder, 0).require(freeBytes * 2);
  });

  // red when: the room is read only before the first byte
  it('rejects a file while it is written', async () => {
    const seen: number[] = [];
    const write = new FreeRoom(folder, Number.MAX_SAFE_INTEGER).watching(({ length }) => seen.push(length));
    write(Buffer.alloc(31 * MIB));
    write(Buffer.alloc(MIB));
    let failure: unknown;
    await until(() => {
      try {
        write(Buffer.alloc(1));
      } catch (error) {
        failure = error;
      }
      return failure !== undefined;
    });
    expect(failure).toMatchObject(full);
    expect(seen.slice(0, 3)).toEqual([31 * MIB, MIB, 1]);
  });
});
