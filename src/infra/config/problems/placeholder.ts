/** Well-known example secrets of documentation and emulators. */
const KNOWN =
  /change.?me|placeholder|^(minioadmin|minio123|secret|password|example|test|x{3,}|AKIAIOSFODNN7EXAMPLE|wJalrXUtnFEMI.*)$/i;

/** Minimum number of distinct bytes in a secret. A random secret of 32 bytes has about 30. */
const MIN_DISTINCT_BYTES = 8;

/**
 * Whether a secret is not random: a well-known word, few distinct bytes, or a repeated piece. A key that was given as base64
 * is passed as its bytes, and is also a placeholder when they spell text or form a sequence.
 */
export function isPlaceholder(secret: string | Buffer): boolean {
  const bytes = Buffer.from(secret);
  if (KNOWN.test(bytes.toString('latin1')) || hasFew(bytes) || isRepeated(bytes)) return true;
  return typeof secret !== 'string' && (isPrintable(bytes) || hasFew(stepsOf(bytes)));
}

const hasFew = (bytes: Buffer): boolean => new Set(bytes).size < Math.min(MIN_DISTINCT_BYTES, bytes.length / 4);

const isPrintable = (bytes: Buffer): boolean => bytes.every((byte) => byte >= 0x20 && byte < 0x7f);

const stepsOf = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.subarray(1).map((byte, index) => byte - (bytes[index] ?? 0)));

/** Whether the bytes consist of a repeated piece. */
function isRepeated(bytes: Buffer): boolean {
  for (let period = 1; period <= bytes.length / 2; period++) {
    if (bytes.subarray(period).equals(bytes.subarray(0, -period))) return true;
  }
  return false;
}
