import { createInflateRaw, type InflateRaw } from 'node:zlib';
import { type ArtifactSource } from '../artifact-source';
import { BlockReader } from '../formats/zip/block-reader';
import { LIMITS } from '../limits/limits';

const READ_BYTES = 1024 * 1024;
const OUTPUT_BYTES = 64 * 1024;
/** The longest time that counts for one block: more is a stall of the process or the machine, not work. */
const MAX_BLOCK_MS = 300;

/** The data of a file in the archive. */
interface PackedFile {
  /** The position of the data in the archive. */
  readonly offset: number;
  readonly compressedBytes: number;
  readonly isPacked: boolean;
}

/**
 * The first bytes of each architecture of a fat executable; fewer when a limit is reached or the data ends. The bytes between them are
 * unpacked in small pieces and discarded. Never throws for a damaged file.
 * @param offsets where the architectures start in the unpacked executable.
 */
export async function sliceHeads(
  source: ArtifactSource,
  file: PackedFile,
  offsets: readonly number[],
): Promise<readonly Buffer[]> {
  if (Math.max(...offsets) > LIMITS.fatExecutableBytes - LIMITS.executableHeadBytes) return [];
  const reader = new BlockReader(source, {
    blockBytes: READ_BYTES,
    blocks: 2,
    fetchedBytes: LIMITS.fatExecutableBytes + READ_BYTES,
  });
  try {
    return await (file.isPacked ? inflatedHeads(reader, file, offsets) : storedHeads(reader, file, offsets));
  } catch {
    return [];
  }
}

const storedHeads = (reader: BlockReader, { offset, compressedBytes }: PackedFile, offsets: readonly number[]) =>
  Promise.all(
    offsets.map((at) => reader.read(offset + at, Math.min(LIMITS.executableHeadBytes, compressedBytes - at))),
  );

async function inflatedHeads(
  reader: BlockReader,
  { offset, compressedBytes }: PackedFile,
  offsets: readonly number[],
): Promise<readonly Buffer[]> {
  const heads = new Heads(offsets);
  const inflate = createInflateRaw({ chunkSize: OUTPUT_BYTES });
  inflate.on('data', (chunk: Buffer) => {
    heads.add(chunk);
    if (heads.isComplete) inflate.destroy();
  });
  inflate.on('error', () => undefined);
  let workedMs = 0;
  try {
    for (let at = 0; at < compressedBytes && !inflate.destroyed && workedMs < LIMITS.fatExecutableWorkMs;) {
      const packed = await reader.read(offset + at, Math.min(READ_BYTES, compressedBytes - at));
      const since = performance.now();
      await unpack(inflate, packed);
      workedMs += Math.min(performance.now() - since, MAX_BLOCK_MS);
      at += packed.length;
    }
  } finally {
    inflate.destroy();
  }
  return heads.list;
}

/** Resolves when all output of `packed` was emitted, also when the stream was destroyed or the data is damaged. */
const unpack = (inflate: InflateRaw, packed: Buffer): Promise<void> =>
  new Promise((resolve) => {
    inflate.once('close', resolve);
    inflate.write(packed, () => {
      inflate.off('close', resolve);
      resolve();
    });
  });

/** Keeps the bytes of a stream at some offsets. */
class Heads {
  readonly list: Buffer[];
  private readonly end: number;
  private position = 0;

  constructor(private readonly offsets: readonly number[]) {
    this.list = offsets.map(() => Buffer.alloc(0));
    this.end = Math.max(...offsets) + LIMITS.executableHeadBytes;
  }

  get isComplete(): boolean {
    return this.position >= this.end;
  }

  add(chunk: Buffer): void {
    for (const [index, offset] of this.offsets.entries()) {
      const [from, to] = [offset - this.position, offset + LIMITS.executableHeadBytes - this.position];
      const part = chunk.subarray(Math.max(0, from), Math.max(0, to));
      if (part.length > 0) this.list[index] = Buffer.concat([this.list[index] as Buffer, part]);
    }
    this.position += chunk.length;
  }
}
