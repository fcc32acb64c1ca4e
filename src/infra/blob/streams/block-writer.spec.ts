import { randomBytes } from 'node:crypto';
import { type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as tick } from 'node:timers/promises';
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
});
