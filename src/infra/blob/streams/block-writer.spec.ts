import { randomBytes } from 'node:crypto';
import { type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as tick } from 'node:timers/promises';
import { BlockPool } from './block-pool';
import { BlockWriter } from './block-writer';

const MIB = 1024 * 1024;
const bytes = randomBytes(3 * MIB + 500);

/** A file in memory with asynchronous writes. @param write returns the length that is written, or throws. */
function fakeFile(write: (length: number, position: number) => number = (length) => length) {
  const content = Buffer.alloc(bytes.length);
  const file = {
    write: async (block: Buffer, offset: number, length: number, position: number) => {
      for (let turn = 0; turn < 5; turn += 1) await tick();
      const bytesWritten = write(length, position);
      block.copy(content, position, offset, offset + bytesWritten);
      return { bytesWritten };
    },
  };
  return { content, file: file as unknown as FileHandle };
}

describe('BlockWriter', () => {
  it('has written every byte when it finishes', async () => {
    const { content, file } = fakeFile();
    const writer = new BlockWriter(file);
    await pipeline(Readable.from([bytes]), writer);
    expect(writer.sizeBytes).toBe(bytes.length);
    expect(content.equals(bytes)).toBe(true);
  });

  it('continues after a short write', async () => {
    const { content, file } = fakeFile((length) => Math.ceil(length / 3));
    await pipeline(Readable.from([bytes]), new BlockWriter(file));
    expect(content.equals(bytes)).toBe(true);
  });

  it.each([0, MIB, 3 * MIB])('fails with the error of the write at position %d', async (failing) => {
    const full = new Error('full');
    const { file } = fakeFile((length, position) => {
      if (position === failing) throw full;
      return length;
    });
    const writer = new BlockWriter(file);
    await expect(pipeline(Readable.from([bytes]), writer)).rejects.toBe(full);
    expect(writer.targetError).toBe(full);
  });

  describe('with a pool of one block', () => {
    const supplyOf = (pool: BlockPool) => ({ pool, maxBlocks: 4, shared: true });

    // red when: a writer keeps blocks that are written
    it('returns every block after it is written, and uses no other one', async () => {
      const pool = new BlockPool({ blockBytes: MIB, blocks: 1 });
      const allocated = jest.spyOn(Buffer, 'allocUnsafeSlow');
      const { content, file } = fakeFile();
      await pipeline(Readable.from([bytes]), new BlockWriter(file, undefined, supplyOf(pool)));
      expect(content.equals(bytes)).toBe(true);
      expect([pool.inUse, allocated.mock.calls.length]).toEqual([0, 1]);
      allocated.mockRestore();
    });

    it('waits while another writer holds the block, and returns it when it is destroyed', async () => {
      const pool = new BlockPool({ blockBytes: MIB, blocks: 1 });
      const { content, file } = fakeFile();
      const stalled = new BlockWriter(file, undefined, supplyOf(pool));
      stalled.write(bytes.subarray(0, 10));
      await tick();
      const written = pipeline(Readable.from([bytes]), new BlockWriter(file, undefined, supplyOf(pool)));
      for (let turn = 0; turn < 20; turn += 1) await tick();
      expect([pool.inUse, content.equals(bytes)]).toEqual([1, false]);
      stalled.destroy();
      await written;
      expect([pool.inUse, content.equals(bytes)]).toEqual([0, true]);
    });

    it('returns the block of a failed write', async () => {
      const pool = new BlockPool({ blockBytes: MIB, blocks: 1 });
      const { file } = fakeFile(() => {
        throw new Error('full');
      });
      const writing = pipeline(Readable.from([bytes]), new BlockWriter(file, undefined, supplyOf(pool)));
      await expect(writing).rejects.toThrow('full');
      expect(pool.inUse).toBe(0);
    });

    it('fails with upload_too_slow when it is cut off while its source is slow', async () => {
      const pool = new BlockPool({ blockBytes: MIB, blocks: 1 });
      const { file } = fakeFile();
      const writer = new BlockWriter(file, undefined, supplyOf(pool));
      const take = jest.spyOn(pool, 'tryTake');
      const source = new Readable({ read: () => undefined });
      source.push(Buffer.from('slow'));
      const writing = pipeline(source, writer);
      while (take.mock.results.length === 0) await tick();
      writer.cutOff(take.mock.results[0]!.value as Buffer);
      await expect(writing).rejects.toMatchObject({ details: { reason: 'upload_too_slow' } });
      expect(pool.inUse).toBe(0);
    });
  });
});
