import { constants, inflateRawSync } from 'node:zlib';
import { asEntryName, type ZipArchive, type ZipEntry } from '../formats/zip/zip-archive';
import { type ArtifactSource } from '../artifact-source';
import { machoUuids, sliceOffsets, uuidsOf } from './macho-uuids';
import { sliceHeads } from './slice-heads';

/**
 * The number of bytes of the packed executable that are read. Load commands are at its start. Unpacked, it has at most a thousand times
 * this size.
 */
const START_BYTES = 16 * 1024;
const LOCAL_HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

/**
 * The UUIDs of the main executable of an app, one per architecture. Empty when they cannot be read: nothing depends on them.
 * @param source the whole file.
 */
export async function mainExecutableUuids(
  zip: ZipArchive,
  source: ArtifactSource,
  { folder, executable }: { readonly folder: string; readonly executable: string | null },
): Promise<readonly string[]> {
  const name = executable === null ? nameOf(folder) : asEntryName(executable);
  const entry = zip.find(folder + name);
  if (!entry || entry.encrypted || entry.symlink) return [];
  const start = await startOf(zip, entry);
  if (!start) return [];
  const found = machoUuids(start);
  const offsets = sliceOffsets(start);
  if (found.length > 0 || offsets.length === 0) return found;
  // The architectures of a fat executable are stored one after another, each as large as a thin executable.
  const data = await dataOffset(zip, entry);
  return uuidsOf(await sliceHeads(source, { ...entry, offset: data, isPacked: entry.method === DEFLATED }, offsets));
}

/** Without a name in the Info.plist, the executable is named as its folder. */
const nameOf = (folder: string): string => /([^/]+)\.app\/$/.exec(folder)?.[1] ?? '';

/** Null when the entry is damaged. A package is not rejected for that: the other readers decide whether they need the entry. */
async function startOf(zip: ZipArchive, entry: ZipEntry): Promise<Buffer | null> {
  if (entry.method !== STORED && entry.method !== DEFLATED) return null;
  const packed = await packedStart(zip, entry).catch(() => null);
  const start = packed && entry.method === DEFLATED ? inflated(packed) : packed;
  if (start) zip.budget.countUnpacked(start.length);
  return start;
}

async function packedStart(zip: ZipArchive, entry: ZipEntry): Promise<Buffer> {
  return zip.readRaw(await dataOffset(zip, entry), Math.min(entry.compressedBytes, START_BYTES));
}

async function dataOffset(zip: ZipArchive, { headerOffset }: ZipEntry): Promise<number> {
  const header = await zip.readRaw(headerOffset, LOCAL_HEADER_BYTES);
  return headerOffset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
}

function inflated(packed: Buffer): Buffer | null {
  try {
    // The data ends in the middle of the stream.
    return inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return null;
  }
}
