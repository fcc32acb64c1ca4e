import { AppError } from '#kernel/errors/app-error';
import { type ArtifactSource } from '../../artifact-source';
import { type ZipEntry } from '../../formats/zip/zip-archive';
import { inspectionError } from '../../inspection-errors';
import { LIMITS } from '../../limits/limits';
import { WorkClock } from '../../limits/work-clock';
import { type FileRange, type PackedFile, readRanges } from './file-ranges';
import { type MachoHead, readMachoHead, sliceOffsets } from './macho-head';

const LOCAL_HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

/** An executable for one architecture. */
export interface ExecutableSlice {
  readonly head: MachoHead;
  /** The bytes of its code signature. `null` without one, and when it was not read. */
  readonly signature: Buffer | null;
}

/** The architectures of an executable in the order of the file. Empty when one of them was not read. */
export type Executable = readonly ExecutableSlice[];

/**
 * Reads executables of an archive up to their code signatures, which are at their ends. All together share a limit of bytes and time; beyond
 * it, only the heads at the start are read.
 */
export class ExecutableReader {
  private readonly reader: ArtifactSource;
  private readonly clock = new WorkClock({
    workMs: LIMITS.executableWorkMs,
    totalMs: LIMITS.executableTotalMs,
    pieceMs: LIMITS.executableBlockMs,
  });

  /**
   * @param source the whole file.
   * @param leftBytes the limit of all executables, unpacked.
   */
  constructor(
    source: ArtifactSource,
    private leftBytes: number,
  ) {
    this.reader = new LimitedSource(source, 2 * leftBytes);
  }

  /** Empty for files that are no executables, damaged, or behind the limits. Never throws for the content of the file. */
  async read(entry: ZipEntry): Promise<Executable> {
    const isReadable = !entry.encrypted && !entry.symlink && (entry.method === STORED || entry.method === DEFLATED);
    if (!isReadable || this.clock.isOver) return [];
    const slices: (ExecutableSlice | undefined)[] = [];
    try {
      const file = await this.locate(entry);
      await readRanges(this.reader, file, [startRange(slices, file.sizeBytes, this.limitFor(file))], this.clock);
    } catch (error) {
      // Errors of the store are not errors of the file.
      if (error instanceof AppError && error.errorCase !== 'invalid_input') throw error;
    }
    return slices.includes(undefined) ? [] : (slices as ExecutableSlice[]);
  }

  /** How far the file may be unpacked. */
  private limitFor({ sizeBytes, isPacked }: PackedFile): number {
    if (!isPacked) return sizeBytes;
    if (sizeBytes > this.leftBytes) return Math.min(LIMITS.executableHeadBytes, sizeBytes);
    this.leftBytes -= sizeBytes;
    return sizeBytes;
  }

  private async locate({ headerOffset, sizeBytes, compressedBytes, method }: ZipEntry): Promise<PackedFile> {
    const header = await this.reader.read(headerOffset, LOCAL_HEADER_BYTES);
    const offset = headerOffset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
    return { offset, sizeBytes, compressedBytes, isPacked: method === DEFLATED };
  }
}

/** Reads a source without a cache, because executables are read once. Rejects ranges outside of it, and reads beyond a limit. */
class LimitedSource implements ArtifactSource {
  readonly sizeBytes: number;

  constructor(
    private readonly source: ArtifactSource,
    private leftBytes: number,
  ) {
    this.sizeBytes = source.sizeBytes;
  }

  async read(offset: number, length: number): Promise<Buffer> {
    this.leftBytes -= length;
    if (this.leftBytes < 0 || offset + length > this.sizeBytes) throw inspectionError('unreadable');
    return this.source.read(offset, length);
  }
}

/** The start of an executable, which is the head of its only architecture, or says where the heads of several are. */
function startRange(slices: (ExecutableSlice | undefined)[], sizeBytes: number, limit: number): FileRange {
  const sliceRange = (offset: number, index: number): FileRange => ({
    offset,
    length: Math.min(LIMITS.executableHeadBytes, sizeBytes - offset),
    onRead: (bytes) => addSlice(bytes, offset, index),
  });
  const addSlice = (bytes: Buffer, offset: number, index: number): readonly FileRange[] => {
    const head = readMachoHead(bytes);
    if (!head) return [];
    slices[index] = { head, signature: null };
    const { signature } = head;
    if (!signature || signature.length > LIMITS.codeSignatureBytes) return [];
    const range = { offset: offset + signature.offset, length: signature.length };
    if (range.offset + range.length > limit) return [];
    return [{ ...range, onRead: (read) => ((slices[index] = { head, signature: read }), []) }];
  };
  return {
    offset: 0,
    length: Math.min(LIMITS.executableHeadBytes, sizeBytes),
    onRead: (bytes) => {
      const offsets = sliceOffsets(bytes);
      if (offsets.length === 0) return addSlice(bytes, 0, 0);
      slices.push(...offsets.map(() => undefined));
      return offsets.flatMap((offset, index) => (offset < limit ? [sliceRange(offset, index)] : []));
    },
  };
}

/** The UUIDs of an executable, one per architecture. Empty when one has none. */
export function uuidsOf(executable: Executable): readonly string[] {
  const uuids = executable.map(({ head }) => head.uuid);
  return uuids.every((uuid) => uuid !== null) ? uuids : [];
}
