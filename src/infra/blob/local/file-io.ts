import { constants, fstat, read } from 'node:fs';
import { type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type ByteRange, type ByteSpan } from '../blob-store';
import { pageAligned } from '../streams/block-pool';
import { type OpenBlob, sendChunks } from '../streams/open-blob';
import { DirectFile } from './direct-file';
import { type OpenFile } from './shared-files';

/** Each block is read by another thread: blocks of half this size would take a sixth more CPU per byte. */
const BLOCK_BYTES = 512 * 1024;
/** Blocks in memory while a file is scanned. A disk delivers more when several reads wait. */
const SCAN_BLOCKS = 4;
/** Idle blocks that are held for reuse: 8 MiB. */
const MAX_IDLE_BLOCKS = 16;

const statOf = promisify(fstat);
/** Resolves with the number of bytes read: 0 at the end of the file or when the disk fails. */
const readInto = (file: number, block: Buffer, length: number, position: number): Promise<number> =>
  new Promise((resolve) => read(file, block, 0, length, position, (error, bytes) => resolve(error ? 0 : bytes)));

const idleBlocks: Buffer[] = [];

/** Blocks are reused, because V8 frees the memory of dropped ones only with a garbage collection: after some 32 MB. */
const takeBlock = (): Buffer => idleBlocks.pop() ?? pageAligned(BLOCK_BYTES);

function giveBack(block: Buffer): void {
  if (idleBlocks.length < MAX_IDLE_BLOCKS) idleBlocks.push(block);
}

/**
 * An open file, or a range of it, for sending. Reads and sends one block at a time and reuses its memory once the socket has flushed it.
 * This takes half of the CPU of `createReadStream`, which allocates new memory for every block.
 */
export async function openBlobOf(file: OpenFile, range: ByteRange = { start: 0, end: Infinity }): Promise<OpenBlob> {
  const isWhole = range.end === Infinity;
  return {
    // Only a whole file is checked, and ranges are requested often.
    ...(isWhole && { version: await versionOf(file) }),
    sendTo: (sink, expectedBytes, check) => sendChunks(blocksOf(file, range), sink, expectedBytes, check),
    close: file.close,
  };
}

/** A file is never written again after it has its name, so a later modification is not by this service. */
async function versionOf({ descriptor }: OpenFile): Promise<string> {
  const { dev, ino, size, mtimeMs, ctimeMs } = await statOf(descriptor);
  return [dev, ino, size, mtimeMs, ctimeMs].join('-');
}

/** Closes the file at the end. */
async function* blocksOf(file: OpenFile, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  const block = takeBlock();
  try {
    for (let at = start; at <= end;) {
      const bytes = await readInto(file.descriptor, block, Math.min(BLOCK_BYTES, end - at + 1), at);
      if (bytes === 0) break;
      yield block.subarray(0, bytes);
      at += bytes;
    }
    // Not in `finally`: after an aborted send, the socket may still be reading the block.
    giveBack(block);
  } finally {
    file.close();
  }
}

/** Calls `onChunk` with every block of a file, or of a part of it, while the next blocks are being read past the cache. */
export async function scanFile(
  file: FileHandle,
  onChunk: (chunk: Buffer) => void,
  { start, end }: ByteSpan = { start: 0, end: Infinity },
): Promise<void> {
  const source = new DirectFile(file, constants.O_RDONLY);
  let next = start;
  const read = (block: Buffer): PendingBlock => {
    const at = next;
    next += block.length;
    const bytes = at < end ? fill(source, block, at).then((count) => Math.min(count, end - at)) : Promise.resolve(0);
    // An exception of `onChunk` is thrown in place of the errors of reads.
    bytes.catch(() => undefined);
    return { block, bytes };
  };
  const blocks = Array.from({ length: SCAN_BLOCKS }, takeBlock);
  const reading = blocks.map(read);
  try {
    for (let first = reading.shift(); first; first = reading.shift()) {
      const bytes = await first.bytes;
      if (bytes > 0) onChunk(first.block.subarray(0, bytes));
      if (bytes === first.block.length) reading.push(read(first.block));
    }
  } finally {
    await Promise.allSettled(reading.map(({ bytes }) => bytes));
    blocks.forEach(giveBack);
    await source.close();
  }
}

/** Reads until the block is full or the file ends. @returns the number of bytes. */
async function fill(source: DirectFile, block: Buffer, position: number): Promise<number> {
  let filled = 0;
  for (let bytes = -1; bytes !== 0 && filled < block.length; filled += bytes)
    bytes = await source.read(block.subarray(filled), position + filled);
  return filled;
}

/** A block of a file that is being read. */
interface PendingBlock {
  readonly block: Buffer;
  /** 0 past the end. */
  readonly bytes: Promise<number>;
}
