import { type FileHandle } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';

const MAX_END_BYTES = 65_557;
const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const DEFLATED = 8;
const MAX_DIRECTORY_BYTES = 64 * 1024 * 1024;
const MAX_ENTRY_BYTES = 16 * 1024 * 1024;

/** Reads the first entry of a ZIP file whose name matches. Null when there is none. @throws when the file is no complete ZIP file. */
export async function readZipEntry(file: FileHandle, pattern: RegExp): Promise<Buffer | null> {
  const { size } = await file.stat();
  const end = await read(file, Math.max(0, size - MAX_END_BYTES), Math.min(size, MAX_END_BYTES));
  const at = end.lastIndexOf(Buffer.from('504b0506', 'hex'));
  if (at < 0 || at + END_BYTES > end.length || end.readUInt32LE(at) !== END_SIGNATURE)
    throw new Error('no end of a ZIP file');
  const length = end.readUInt32LE(at + 12);
  if (length > MAX_DIRECTORY_BYTES) throw new Error('too many entries');
  const directory = await read(file, end.readUInt32LE(at + 16), length);
  for (let offset = 0; offset + ENTRY_BYTES <= directory.length;) {
    if (directory.readUInt32LE(offset) !== ENTRY_SIGNATURE) throw new Error('a damaged directory');
    const nameLength = directory.readUInt16LE(offset + 28);
    const name = directory.toString('utf8', offset + ENTRY_BYTES, offset + ENTRY_BYTES + nameLength);
    if (pattern.test(name)) return contentOf(file, directory.subarray(offset));
    offset += ENTRY_BYTES + nameLength + directory.readUInt16LE(offset + 30) + directory.readUInt16LE(offset + 32);
  }
  return null;
}

async function contentOf(file: FileHandle, entry: Buffer): Promise<Buffer> {
  const compressedLength = entry.readUInt32LE(20);
  if (Math.max(compressedLength, entry.readUInt32LE(24)) > MAX_ENTRY_BYTES)
    throw new Error('an entry that is too large');
  const start = entry.readUInt32LE(42);
  const local = await read(file, start, LOCAL_BYTES);
  const from = start + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28);
  const compressed = await read(file, from, compressedLength);
  return entry.readUInt16LE(10) === DEFLATED
    ? inflateRawSync(compressed, { maxOutputLength: MAX_ENTRY_BYTES })
    : compressed;
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw new Error('an incomplete file');
  return buffer;
}
