import { createInflateRaw, type InflateRaw } from 'node:zlib';
import { type ArtifactSource } from '../../artifact-source';
import { type WorkClock } from '../../limits/work-clock';

/** The bytes that are read and unpacked in one step. */
const READ_BYTES = 1024 * 1024;
const OUTPUT_BYTES = READ_BYTES;

/** The data of a file in the archive. */
export interface PackedFile {
  /** The position of the data in the archive. */
  readonly offset: number;
  readonly sizeBytes: number;
  readonly compressedBytes: number;
  readonly isPacked: boolean;
}

/** A part of a file that is kept while the file is unpacked. */
export interface FileRange {
  readonly offset: number;
  readonly length: number;
  /** Receives the whole range. @returns further ranges, of which only those that were not passed yet can be read. */
  readonly onRead: (bytes: Buffer) => readonly FileRange[];
}

/**
 * Reads ranges of a file in one pass. The bytes between them are unpacked in small pieces and discarded. Ranges that the file does not
 * contain, or that are behind a limit, are left out. Rejects when the data cannot be read or is damaged.
 * @param clock measures the work of unpacking, which ends when the clock is over.
 */
export async function readRanges(
  source: ArtifactSource,
  file: PackedFile,
  ranges: readonly FileRange[],
  clock: WorkClock,
): Promise<void> {
  const collector = new Collector(ranges);
  await (file.isPacked ? readPacked(source, file, collector, clock) : readStored(source, file, collector));
}

async function readStored(source: ArtifactSource, { offset, sizeBytes }: PackedFile, collector: Collector) {
  for (let range = collector.take(); range; range = collector.take()) {
    if (range.offset + range.length > sizeBytes) continue;
    collector.complete(range, await source.read(offset + range.offset, range.length));
  }
}

async function readPacked(
  source: ArtifactSource,
  { offset, compressedBytes }: PackedFile,
  collector: Collector,
  clock: WorkClock,
): Promise<void> {
  const inflate = createInflateRaw({ chunkSize: OUTPUT_BYTES });
  inflate.on('data', (chunk: Buffer) => {
    collector.add(chunk);
    if (collector.isDone) inflate.destroy();
  });
  inflate.on('error', () => undefined);
  try {
    for (let at = 0; at < compressedBytes && !inflate.destroyed && !clock.isOver;) {
      const packed = await source.read(offset + at, Math.min(READ_BYTES, compressedBytes - at));
      await clock.measureAsync(() => unpack(inflate, packed));
      at += packed.length;
    }
  } finally {
    inflate.destroy();
  }
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

/** Collects ranges of a stream. */
class Collector {
  private position = 0;
  private readonly waiting: { readonly range: FileRange; readonly parts: Buffer[] }[];

  constructor(ranges: readonly FileRange[]) {
    this.waiting = ranges.map((range) => ({ range, parts: [] }));
  }

  get isDone(): boolean {
    return this.waiting.every(({ range }) => range.offset + range.length <= this.position);
  }

  /** The next range, for files that are read directly. */
  take(): FileRange | undefined {
    return this.waiting.shift()?.range;
  }

  complete(range: FileRange, bytes: Buffer): void {
    this.waiting.push(...range.onRead(bytes).map((next) => ({ range: next, parts: [] })));
  }

  add(chunk: Buffer): void {
    const end = this.position + chunk.length;
    // Ranges that are added during the loop are visited, too: they may begin in the same piece.
    for (const each of this.waiting) {
      const { offset, length } = each.range;
      if (offset + length <= this.position || offset >= end) continue;
      each.parts.push(
        Buffer.from(chunk.subarray(Math.max(0, offset - this.position), offset + length - this.position)),
      );
      if (offset + length > end) continue;
      const bytes = Buffer.concat(each.parts);
      each.parts.length = 0;
      if (bytes.length === length) this.complete(each.range, bytes);
    }
    this.position = end;
  }
}
