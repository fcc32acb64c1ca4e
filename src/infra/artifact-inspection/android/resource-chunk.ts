import { inspectionError } from '../inspection-errors';
import { type WorkBudget } from '../limits/work-budget';

/** Chunk types of Android's ResourceTypes.h, used in binary XML and resource tables. */
export const CHUNK = {
  stringPool: 0x0001,
  table: 0x0002,
  xml: 0x0003,
  xmlStart: 0x0102,
  xmlEnd: 0x0103,
  xmlResourceMap: 0x0180,
  package: 0x0200,
  type: 0x0201,
} as const;

export interface Chunk {
  readonly type: number;
  readonly headerBytes: number;
  /** The whole chunk, header included. */
  readonly bytes: Buffer;
  readonly end: number;
}

const CHUNK_HEADER_BYTES = 8;

/** Reads the chunk at `offset`. Throws when it is smaller than its header, which would make iteration endless, or leaves `bytes`. */
export function readChunk(bytes: Buffer, offset: number): Chunk {
  const headerBytes = bytes.readUInt16LE(offset + 2);
  const end = offset + bytes.readUInt32LE(offset + 4);
  const isValid = headerBytes >= CHUNK_HEADER_BYTES && end >= offset + headerBytes && end <= bytes.length;
  if (!isValid) throw inspectionError('unreadable');
  return { type: bytes.readUInt16LE(offset), headerBytes, bytes: bytes.subarray(offset, end), end };
}

/** Iterates over the chunks inside a chunk. Ignores trailing padding that is shorter than a chunk header. */
export function* chunksIn(parent: Chunk, budget: WorkBudget): Generator<Chunk> {
  for (let at = parent.headerBytes; at + CHUNK_HEADER_BYTES <= parent.bytes.length;) {
    budget.countElements();
    const chunk = readChunk(parent.bytes, at);
    yield chunk;
    at = chunk.end;
  }
}
