const MAGIC = 0x464c457f;
const CLASS_64 = 2;
const LITTLE_ENDIAN = 1;
const HEADER_BYTES = 64;
const PROGRAM_HEADER_BYTES = 56;
const PT_LOAD = 1;

/**
 * The smallest alignment of the loaded segments of a 64-bit library (ELF, "Program Header"), from the start of its file. `null` when the start
 * does not contain all program headers, and for other files.
 */
export function segmentAlignment(start: Buffer): bigint | null {
  if (start.length < HEADER_BYTES || start.readUInt32LE(0) !== MAGIC) return null;
  if (start[4] !== CLASS_64 || start[5] !== LITTLE_ENDIAN || start.readUInt16LE(54) !== PROGRAM_HEADER_BYTES)
    return null;
  const offset = start.readBigUInt64LE(32);
  const count = start.readUInt16LE(56);
  if (offset + BigInt(count * PROGRAM_HEADER_BYTES) > BigInt(start.length)) return null;
  const headers = Array.from({ length: count }, (_, index) =>
    start.subarray(Number(offset) + index * PROGRAM_HEADER_BYTES),
  );
  const alignments = headers
    .filter((header) => header.readUInt32LE(0) === PT_LOAD)
    .map((header) => header.readBigUInt64LE(48));
  return alignments.reduce<bigint | null>((least, each) => (least === null || each < least ? each : least), null);
}
