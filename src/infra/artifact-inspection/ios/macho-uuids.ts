const MAGIC_32 = 0xfeedface;
const MAGIC_64 = 0xfeedfacf;
const FAT_MAGIC = 0xcafebabe;
const LC_UUID = 0x1b;
const COMMAND_BYTES = 8;
const UUID_COMMAND_BYTES = 24;
const FAT_ARCH_BYTES = 20;
/**
 * Apple ships two or three architectures. Java class files have the same magic number as fat executables, and a higher number in this
 * field.
 */
const MAX_ARCHITECTURES = 8;

/**
 * The `LC_UUID` of each architecture of an executable, in lower case, from the start of its file. Empty when the start does not contain
 * all of them, or is not an executable of Apple's systems. Never throws: a wrong file only has no UUID.
 */
export function machoUuids(start: Buffer): readonly string[] {
  return isFat(start) ? uuidsOf(sliceOffsets(start).map((offset) => start.subarray(offset))) : uuidsOf([start]);
}

/** The offsets of the architectures of a fat executable in its file. Empty for all other files. */
export function sliceOffsets(start: Buffer): readonly number[] {
  if (!isFat(start)) return [];
  const count = start.readUInt32BE(4);
  if (count > MAX_ARCHITECTURES || start.length < COMMAND_BYTES + count * FAT_ARCH_BYTES) return [];
  return Array.from({ length: count }, (_, index) => start.readUInt32BE(COMMAND_BYTES + index * FAT_ARCH_BYTES + 8));
}

/** The UUIDs of thin executables, from the starts of their files. Empty when one has none. */
export function uuidsOf(starts: readonly Buffer[]): readonly string[] {
  const uuids = starts.map(uuidOf);
  return uuids.every((uuid) => uuid !== null) ? uuids : [];
}

const isFat = (start: Buffer): boolean => start.length >= COMMAND_BYTES && start.readUInt32BE(0) === FAT_MAGIC;

function uuidOf(slice: Buffer): string | null {
  const headerBytes = headerBytesOf(slice);
  if (headerBytes === null || slice.length < headerBytes) return null;
  const commands = slice.readUInt32LE(16);
  let offset = headerBytes;
  for (let index = 0; index < commands && offset + COMMAND_BYTES <= slice.length; index += 1) {
    const size = slice.readUInt32LE(offset + 4);
    if (slice.readUInt32LE(offset) === LC_UUID && offset + UUID_COMMAND_BYTES <= slice.length)
      return formatted(slice.subarray(offset + COMMAND_BYTES, offset + UUID_COMMAND_BYTES));
    if (size < COMMAND_BYTES) return null;
    offset += size;
  }
  return null;
}

function headerBytesOf(slice: Buffer): number | null {
  const magic = slice.length < 4 ? 0 : slice.readUInt32LE(0);
  if (magic === MAGIC_64) return 32;
  return magic === MAGIC_32 ? 28 : null;
}

const formatted = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
