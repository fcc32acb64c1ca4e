import { crc32, inflateRawSync } from 'node:zlib';
import * as yauzl from 'yauzl';
import { AppError } from '#kernel/errors/app-error';
import { type ArtifactSource } from '../../artifact-source';
import { inspectionError, orReject } from '../../inspection-errors';
import { LIMITS } from '../../limits/limits';
import { WorkBudget } from '../../limits/work-budget';
import { type WorkClock } from '../../limits/work-clock';

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_HEADER = 0x02014b50;
const LOCAL_HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 0x1;
const SYMLINK = 0o120000;
const FILE_TYPE = 0o170000;
const END_RECORD_BYTES = 22;
const ZIP64_LOCATOR = 0x07064b50;
const ZIP64_LOCATOR_BYTES = 20;

/** One entry of the central directory. */
export interface ZipEntry {
  /** The raw name decoded as latin1, one character per byte, so that comparing names compares bytes. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly compressedBytes: number;
  readonly method: number;
  readonly crc: number;
  readonly encrypted: boolean;
  readonly symlink: boolean;
  readonly headerOffset: number;
}

/** Converts a string from inside the package into the form of {@link ZipEntry.name}. */
export const asEntryName = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Adapts an `ArtifactSource` for yauzl. */
class SourceReader extends yauzl.RandomAccessReader {
  constructor(private readonly source: ArtifactSource) {
    super();
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.source.read(position, length).then(
      (bytes) => callback(null, bytes.copy(buffer, offset)),
      (error: Error) => callback(error),
    );
  }
}

/**
 * A zip archive with a validated central directory. Only `read` unpacks entries; it limits their size, verifies their CRC, and rejects
 * duplicate entries.
 */
export class ZipArchive {
  private readonly byName = new Map<string, ZipEntry>();
  private readonly duplicates = new Set<string>();

  private constructor(
    private readonly source: ArtifactSource,
    /** The start of the central directory, which is the end of the APK Signing Block. */
    readonly directoryOffset: number,
    /** The start of the end of central directory record. */
    readonly endOffset: number,
    readonly entries: readonly ZipEntry[],
    /** Counts the work of all readers of this artifact. */
    readonly budget: WorkBudget = new WorkBudget(),
  ) {
    for (const entry of entries) {
      if (this.byName.has(entry.name)) this.duplicates.add(entry.name);
      this.byName.set(entry.name, entry);
    }
  }

  /** Reads the central directory. @throws AppError invalid_input. */
  static async open(source: ArtifactSource): Promise<ZipArchive> {
    try {
      const zip = await yauzl.fromRandomAccessReaderPromise(new SourceReader(source), source.sizeBytes, {
        autoClose: false,
        decodeStrings: false,
      });
      const directoryOffset = cursorOf(zip);
      if (zip.entryCount > LIMITS.zipEntries) throw inspectionError('too_many_entries');
      const entries: ZipEntry[] = [];
      for await (const entry of zip.eachEntry()) entries.push(toEntry(entry));
      await checkDirectoryEnds(source, cursorOf(zip));
      checkTotals(entries, source.sizeBytes);
      const endOffset = source.sizeBytes - END_RECORD_BYTES - Buffer.from(zip.comment).length;
      return new ZipArchive(source, directoryOffset, endOffset, entries);
    } catch (error) {
      throw toInspectionError(error);
    }
  }

  /** This archive, read through another reader, with a separate budget. */
  through(source: ArtifactSource, budget: WorkBudget): ZipArchive {
    return new ZipArchive(source, this.directoryOffset, this.endOffset, this.entries, budget);
  }

  /** Whether the archive has the records of zip64, which are before the end record. */
  async hasZip64Locator(): Promise<boolean> {
    const at = this.endOffset - ZIP64_LOCATOR_BYTES;
    return at >= 0 && (await this.source.read(at, 4)).readUInt32LE(0) === ZIP64_LOCATOR;
  }

  find(name: string): ZipEntry | null {
    return this.byName.get(name) ?? null;
  }

  /**
   * Reads a required entry.
   * @param clock measures the work of unpacking.
   * @throws AppError invalid_input, `entry_too_large` above `limitBytes`.
   */
  async read(entry: ZipEntry, limitBytes: number, clock?: WorkClock): Promise<Buffer> {
    if (entry.sizeBytes > limitBytes) throw inspectionError('entry_too_large');
    this.checkReadable(entry);
    const data = await this.compressedData(entry);
    const unpack = (): Buffer => orReject('corrupt_archive', () => this.unpack(entry, data));
    const content = clock ? clock.measure(unpack) : unpack();
    if (content.length !== entry.sizeBytes || crc32(content) !== entry.crc) throw inspectionError('corrupt_archive');
    return content;
  }

  /** Reads an optional entry. `null` when it is larger than `limitBytes`. @throws AppError invalid_input. */
  async readIfSmall(entry: ZipEntry, limitBytes: number): Promise<Buffer | null> {
    return entry.sizeBytes > limitBytes ? null : this.read(entry, limitBytes);
  }

  /** Reads raw bytes of the archive, for data outside of its entries. */
  readRaw(offset: number, length: number): Promise<Buffer> {
    return this.source.read(offset, length);
  }

  private checkReadable(entry: ZipEntry): void {
    if (this.duplicates.has(entry.name)) throw inspectionError('duplicate_entry');
    if (entry.encrypted) throw inspectionError('encrypted_archive');
    if (entry.symlink) throw inspectionError('unsafe_path');
    if (entry.method !== STORED && entry.method !== DEFLATED) throw inspectionError('unsupported_compression');
    if (isCompressionBomb(entry.sizeBytes, entry.compressedBytes)) throw inspectionError('compression_bomb');
    this.budget.countUnpacked(entry.sizeBytes);
  }

  private async compressedData(entry: ZipEntry): Promise<Buffer> {
    const header = await this.source.read(entry.headerOffset, LOCAL_HEADER_BYTES);
    if (header.readUInt32LE(0) !== LOCAL_HEADER) throw inspectionError('corrupt_archive');
    const nameBytes = header.readUInt16LE(26);
    const name = await this.source.read(entry.headerOffset + LOCAL_HEADER_BYTES, nameBytes);
    if (name.toString('latin1') !== entry.name || header.readUInt16LE(8) !== entry.method) {
      throw inspectionError(
        'corrupt_archive',
        'The archive is damaged: the header of a file contradicts the directory. Build or copy it again.',
      );
    }
    const start = entry.headerOffset + LOCAL_HEADER_BYTES + nameBytes + header.readUInt16LE(28);
    // Deflate adds only a few bytes to incompressible data. A larger compressed size is false, and would waste memory.
    if (entry.compressedBytes > entry.sizeBytes + (entry.sizeBytes >> 8) + 1024)
      throw inspectionError('corrupt_archive');
    return this.source.read(start, entry.compressedBytes);
  }

  private unpack(entry: ZipEntry, data: Buffer): Buffer {
    return entry.method === STORED ? data : inflateRawSync(data, { maxOutputLength: Math.max(1, entry.sizeBytes) });
  }
}

/** The offset of the next directory entry, which yauzl's types declare as a boolean. */
const cursorOf = (zip: yauzl.ZipFile): number => Number(zip.readEntryCursor);

const isCompressionBomb = (sizeBytes: number, compressedBytes: number): boolean =>
  sizeBytes > LIMITS.zipRatioFreeBytes && sizeBytes > LIMITS.zipRatio * Math.max(1, compressedBytes);

function toEntry(entry: yauzl.Entry): ZipEntry {
  const raw = entry.fileNameRaw;
  if (raw.length === 0 || raw.length > LIMITS.zipNameBytes || raw.includes(0)) throw inspectionError('unsafe_path');
  const name = raw.toString('latin1');
  if (yauzl.validateFileName(name.replace(/\\/g, '/')) !== null) throw inspectionError('unsafe_path');
  return {
    name,
    sizeBytes: entry.uncompressedSize,
    compressedBytes: entry.compressedSize,
    method: entry.compressionMethod,
    crc: entry.crc32,
    encrypted: (entry.generalPurposeBitFlag & ENCRYPTED) !== 0,
    symlink: ((entry.externalFileAttributes >>> 16) & FILE_TYPE) === SYMLINK,
    headerOffset: entry.relativeOffsetOfLocalHeader,
  };
}

/** Rejects an entry count that is too low: it would hide entries that an installer sees. */
async function checkDirectoryEnds(source: ArtifactSource, end: number): Promise<void> {
  if (end + 4 > source.sizeBytes) throw inspectionError('corrupt_archive');
  if ((await source.read(end, 4)).readUInt32LE(0) === DIRECTORY_HEADER) throw inspectionError('corrupt_archive');
}

function checkTotals(entries: readonly ZipEntry[], sizeBytes: number): void {
  const declared = entries.reduce((sum, entry) => sum + entry.sizeBytes, 0);
  const compressed = entries.reduce((sum, entry) => sum + entry.compressedBytes, 0);
  if (declared > LIMITS.zipDeclaredBytes) throw inspectionError('archive_too_large');
  if (isCompressionBomb(declared, sizeBytes)) throw inspectionError('compression_bomb');
  if (compressed > sizeBytes)
    throw inspectionError('corrupt_archive', 'The archive is damaged: its files overlap. Build or copy it again.');
}

function toInspectionError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const message = error instanceof Error ? error.message : '';
  if (message.startsWith('End of central directory')) return inspectionError('not_an_archive', undefined, error);
  if (message.includes('encryption')) return inspectionError('encrypted_archive', undefined, error);
  return inspectionError('corrupt_archive', undefined, error);
}
