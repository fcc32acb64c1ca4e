const MAGIC_32 = 0xfeedface;
const MAGIC_64 = 0xfeedfacf;
const FAT_MAGIC = 0xcafebabe;
const LC_UUID = 0x1b;
const LC_CODE_SIGNATURE = 0x1d;
const LC_ENCRYPTION_INFO = 0x21;
const LC_ENCRYPTION_INFO_64 = 0x2c;
const LC_BUILD_VERSION = 0x32;
const COMMAND_BYTES = 8;
/** The shortest commands that are read, by their type. */
const LENGTHS: Readonly<Record<number, number>> = {
  [LC_UUID]: 24,
  [LC_CODE_SIGNATURE]: 16,
  [LC_ENCRYPTION_INFO]: 20,
  [LC_ENCRYPTION_INFO_64]: 24,
  [LC_BUILD_VERSION]: 24,
};
const FAT_ARCH_BYTES = 20;
/**
 * Apple ships two or three architectures. Java class files have the same magic number as fat executables, and a higher number in this
 * field.
 */
const MAX_ARCHITECTURES = 8;

/** Numbers of Apple's headers. */
export const CPU = { arm: 0x0c, arm64: 0x0100000c } as const;
/** Programs, libraries and bundles: what devices load and verify. */
const LOADED_FILES: readonly number[] = [2, 6, 8];
const SIMULATORS: readonly number[] = [7, 8, 9, 12];

/** The header and load commands of an executable for one architecture. */
export interface MachoHead {
  readonly cpu: number;
  /** Whether devices load files of this type: a program, library or bundle. */
  readonly isLoaded: boolean;
  /** In lower case. */
  readonly uuid: string | null;
  /** Where the code signature is in the file of the architecture. `null` without one. */
  readonly signature: { readonly offset: number; readonly length: number } | null;
  /** Whether the App Store encrypted the code. */
  readonly isEncrypted: boolean;
  readonly isForSimulator: boolean;
  /** Whether all load commands were read. Otherwise further ones may exist. */
  readonly isComplete: boolean;
}

/** Reads the head of an executable for one architecture from the start of its file. `null` for other files. Never throws. */
export function readMachoHead(start: Buffer): MachoHead | null {
  const headerBytes = headerBytesOf(start);
  if (headerBytes === null || start.length < headerBytes) return null;
  const { commands, isComplete } = commandsOf(start, headerBytes);
  const find = (...types: readonly number[]): Buffer | undefined =>
    commands.find((command) => types.includes(command.readUInt32LE(0)));
  const uuid = find(LC_UUID);
  const signature = find(LC_CODE_SIGNATURE);
  const platform = find(LC_BUILD_VERSION)?.readUInt32LE(COMMAND_BYTES);
  return {
    cpu: start.readUInt32LE(4),
    isLoaded: LOADED_FILES.includes(start.readUInt32LE(12)),
    uuid: uuid ? formatted(uuid.subarray(COMMAND_BYTES, 24)) : null,
    signature: signature ? { offset: signature.readUInt32LE(8), length: signature.readUInt32LE(12) } : null,
    isEncrypted: (find(LC_ENCRYPTION_INFO, LC_ENCRYPTION_INFO_64)?.readUInt32LE(16) ?? 0) !== 0,
    isForSimulator: platform !== undefined && SIMULATORS.includes(platform),
    isComplete,
  };
}

/** The load commands of known types that the start contains as a whole. */
function commandsOf(start: Buffer, headerBytes: number): { commands: readonly Buffer[]; isComplete: boolean } {
  const count = start.readUInt32LE(16);
  const commands: Buffer[] = [];
  let offset = headerBytes;
  for (let index = 0; index < count; index += 1) {
    if (offset + COMMAND_BYTES > start.length) return { commands, isComplete: false };
    const size = start.readUInt32LE(offset + 4);
    const length = LENGTHS[start.readUInt32LE(offset)];
    if (length !== undefined && size >= length && offset + length <= start.length)
      commands.push(start.subarray(offset, offset + length));
    if (size < COMMAND_BYTES || offset + size > start.length) return { commands, isComplete: false };
    offset += size;
  }
  return { commands, isComplete: true };
}

/** The offsets of the architectures of a fat executable in its file. Empty for all other files. */
export function sliceOffsets(start: Buffer): readonly number[] {
  if (!isFat(start)) return [];
  const count = start.readUInt32BE(4);
  if (count > MAX_ARCHITECTURES || start.length < COMMAND_BYTES + count * FAT_ARCH_BYTES) return [];
  return Array.from({ length: count }, (_, index) => start.readUInt32BE(COMMAND_BYTES + index * FAT_ARCH_BYTES + 8));
}

const isFat = (start: Buffer): boolean => start.length >= COMMAND_BYTES && start.readUInt32BE(0) === FAT_MAGIC;

function headerBytesOf(slice: Buffer): number | null {
  const magic = slice.length < 4 ? 0 : slice.readUInt32LE(0);
  if (magic === MAGIC_64) return 32;
  return magic === MAGIC_32 ? 28 : null;
}

const formatted = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
