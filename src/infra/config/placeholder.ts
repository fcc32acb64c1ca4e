/** Words that documentation and emulators show; they are known to everybody. */
const KNOWN =
  /change.?me|placeholder|^(minioadmin|minio123|secret|password|example|test|x{3,}|AKIAIOSFODNN7EXAMPLE|wJalrXUtnFEMI.*)$/i;

/** So many different bytes has every random secret; of 32 bytes about thirty are different. */
const DIFFERENT_BYTES = 8;

/**
 * Whether a secret is one in name only: a well-known word, few different bytes, or a piece that is repeated. A key that was given as
 * base64 comes as its bytes, and is none either when they spell a text, or count up.
 */
export function isPlaceholder(secret: string | Buffer): boolean {
  const bytes = Buffer.from(secret);
  if (KNOWN.test(bytes.toString('latin1')) || hasFew(bytes) || isRepeated(bytes)) return true;
  return typeof secret !== 'string' && (isPrintable(bytes) || hasFew(stepsOf(bytes)));
}

const hasFew = (bytes: Buffer): boolean => new Set(bytes).size < Math.min(DIFFERENT_BYTES, bytes.length / 4);

const isPrintable = (bytes: Buffer): boolean => bytes.every((byte) => byte >= 0x20 && byte < 0x7f);

const stepsOf = (bytes: Buffer): Buffer =>
  Buffer.from(bytes.subarray(1).map((byte, index) => byte - (bytes[index] ?? 0)));

/** Whether moving it by half its length, or less, leaves it as it is. */
function isRepeated(bytes: Buffer): boolean {
  for (let period = 1; period <= bytes.length / 2; period++) {
    if (bytes.subarray(period).equals(bytes.subarray(0, -period))) return true;
  }
  return false;
}
