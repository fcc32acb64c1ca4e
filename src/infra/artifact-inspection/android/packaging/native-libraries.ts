import { AppError } from '#kernel/errors/app-error';
import { type ArtifactSource } from '../../artifact-source';
import { BlockReader, type BlockReaderLimits } from '../../formats/zip/block-reader';
import { dataOffset, entryStart } from '../../formats/zip/entry-start';
import { type ZipArchive, type ZipEntry } from '../../formats/zip/zip-archive';
import { type AndroidFault, type AndroidFaultCode } from '../../inspected-artifact';
import { LIMITS } from '../../limits/limits';
import { segmentAlignment } from './elf';

/** The files that devices load as libraries of a processor architecture (ABI). */
const LIBRARY = /^lib\/([a-z0-9_-]{1,32})\/lib[^/]*\.so$/;
const ABIS_64: readonly string[] = ['arm64-v8a', 'x86_64'];
const STORED = 0;
const PAGE = 4096;
/** The memory pages of some devices with Android 15 and newer. */
const LARGE_PAGE = 16_384;
/** Program headers are at the start of a library. */
const HEAD_BYTES = 2048;

const READER: BlockReaderLimits = { blockBytes: 4096, blocks: 16, fetchedBytes: LIMITS.libraryHeadBytes };

interface Library {
  readonly abi: string;
  readonly entry: ZipEntry;
}

/**
 * The faults of the native libraries of a package.
 * @param source the whole file.
 * @param extracted whether devices unpack the libraries. Otherwise they load them from the package, where they must be uncompressed and
 * aligned.
 */
export async function libraryFaults(
  zip: ZipArchive,
  source: ArtifactSource,
  extracted: boolean,
): Promise<AndroidFault[]> {
  const libraries = librariesOf(zip);
  if (libraries.length === 0) return [];
  const heads = new LibraryHeads(zip, source);
  const stored = extracted ? [] : libraries.filter(({ entry }) => entry.method === STORED);
  const offsets = new Map<Library, number>();
  for (const library of stored) {
    const offset = await heads.offsetOf(library.entry);
    if (offset !== null) offsets.set(library, offset);
  }
  const isUnaligned = (library: Library, bytes: number): boolean => (offsets.get(library) ?? 0) % bytes !== 0;
  const compressed = extracted ? [] : libraries.filter(({ entry }) => entry.method !== STORED);
  const unaligned = stored.filter((library) => isUnaligned(library, PAGE));
  const for64 = libraries.filter(({ abi }) => ABIS_64.includes(abi));
  const onSmallPages = for64.filter((library) => !unaligned.includes(library) && isUnaligned(library, LARGE_PAGE));
  return [
    ...fault('libraries_compressed', compressed),
    ...fault('libraries_unaligned', unaligned),
    ...fault('libraries_of_small_pages', await firstOfSmallPages(for64, heads)),
    ...fault('libraries_on_small_pages', onSmallPages),
  ];
}

function librariesOf({ entries }: ZipArchive): Library[] {
  return entries.flatMap((entry) => {
    const abi = LIBRARY.exec(entry.name)?.[1];
    return abi === undefined ? [] : [{ abi, entry }];
  });
}

/** The fault of some libraries. Names the first of them. */
function fault(code: AndroidFaultCode, libraries: readonly Library[]): AndroidFault[] {
  const [first] = libraries;
  if (!first) return [];
  const abis = [...new Set(libraries.map(({ abi }) => abi))].sort().slice(0, 16);
  return [{ code, subject: subjectOf(first.entry), abis }];
}

const subjectOf = ({ name }: ZipEntry): string =>
  Buffer.from(name, 'latin1').toString('utf8').slice(0, LIMITS.nameLength);

async function firstOfSmallPages(libraries: readonly Library[], heads: LibraryHeads): Promise<Library[]> {
  for (const library of libraries) {
    const alignment = await heads.alignmentOf(library.entry);
    if (alignment !== null && alignment < LARGE_PAGE) return [library];
  }
  return [];
}

/** Reads the starts of libraries, of a limited number of them. */
class LibraryHeads {
  private readonly reader: BlockReader;
  /** For each local header, the start of the next one. The last file ends before the signature, at an unknown position. */
  private readonly nextHeaders: ReadonlyMap<number, number>;
  private reads = 0;

  constructor(
    private readonly zip: ZipArchive,
    source: ArtifactSource,
  ) {
    this.reader = new BlockReader(source, READER);
    const headers = zip.entries.map(({ headerOffset }) => headerOffset).sort((a, b) => a - b);
    this.nextHeaders = new Map(headers.slice(0, -1).map((offset, index) => [offset, headers[index + 1] as number]));
  }

  /**
   * The position of the data of a stored library. Usually its end is the next header, so that the position of an aligned one needs no read.
   * `null` when it is unknown.
   */
  async offsetOf(entry: ZipEntry): Promise<number | null> {
    const next = this.nextHeaders.get(entry.headerOffset);
    const likely = next === undefined ? null : next - entry.compressedBytes;
    if (likely !== null && likely > entry.headerOffset && likely % LARGE_PAGE === 0) return likely;
    return this.orNull(() => dataOffset(this.reader, entry));
  }

  /** The alignment of the segments of a 64-bit library. `null` when it is unknown. */
  async alignmentOf(entry: ZipEntry): Promise<bigint | null> {
    if (entry.encrypted) return null;
    const start = await this.orNull(() => entryStart(this.reader, entry, HEAD_BYTES));
    if (!start) return null;
    this.zip.budget.countUnpacked(start.length);
    return segmentAlignment(start);
  }

  /** A package is not rejected because a library is damaged: no other reader needs it. Failures of the store are thrown. */
  private async orNull<T>(read: () => Promise<T>): Promise<T | null> {
    this.reads += 1;
    if (this.reads > LIMITS.libraryHeads) return null;
    try {
      return await read();
    } catch (error) {
      if (error instanceof AppError && error.errorCase !== 'invalid_input') throw error;
      return null;
    }
  }
}
