import { constants, inflateRawSync } from 'node:zlib';
import { type ZipEntry } from './zip-archive';

/** Reads ranges of the archive. */
interface RangeReader {
  read(offset: number, length: number): Promise<Buffer>;
}

const LOCAL_HEADER_BYTES = 30;
const DEFLATED = 8;

/** The position of the data of an entry in the archive, from its local header. Throws when the header is outside the archive. */
export async function dataOffset(source: RangeReader, { headerOffset }: ZipEntry): Promise<number> {
  const header = await source.read(headerOffset, LOCAL_HEADER_BYTES);
  return headerOffset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
}

/**
 * The unpacked start of an entry whose whole content is not read, from its first `packedBytes` bytes. Its checksum is not verified. Unpacked,
 * it has at most a thousand times this size. Throws when the data is damaged.
 */
export async function entryStart(source: RangeReader, entry: ZipEntry, packedBytes: number): Promise<Buffer> {
  const packed = await source.read(await dataOffset(source, entry), Math.min(entry.compressedBytes, packedBytes));
  // The data ends in the middle of the stream.
  return entry.method === DEFLATED ? inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH }) : packed;
}
