import { type AndroidScheme } from '../inspected-artifact';
import { LIMITS } from '../limits';
import { orNull, inspectionError } from '../inspection-errors';
import { type WorkBudget } from '../work-budget';
import { type ZipArchive } from '../formats/zip/zip-archive';

const MAGIC = Buffer.from('APK Sig Block 42', 'latin1');
const FOOTER_BYTES = 24;
const SCHEMES = new Map<number, AndroidScheme>([
  [0x7109871a, 'v2'],
  [0xf05368c0, 'v3'],
  [0x1b93ad61, 'v3.1'],
]);

/** A signature in the APK Signing Block. `certificate` is `null` when the signer cannot be read. */
export interface BlockSignature {
  readonly scheme: AndroidScheme;
  readonly certificate: Buffer | null;
}

/**
 * Reads the APK Signing Block, which precedes the central directory (source.android.com, "APK Signature Scheme v2"): size, id-value pairs,
 * size, magic. Returns no signatures when the block is inconsistent, because devices ignore such a block.
 */
export async function readSigningBlock(zip: ZipArchive): Promise<BlockSignature[]> {
  const end = zip.directoryOffset;
  if (end < FOOTER_BYTES + 8) return [];
  const footer = await zip.readRaw(end - FOOTER_BYTES, FOOTER_BYTES);
  const sizeBytes = Number(footer.readBigUInt64LE(0));
  const isPlausible = sizeBytes >= FOOTER_BYTES && sizeBytes <= LIMITS.signingBlockBytes && sizeBytes + 8 <= end;
  if (!footer.subarray(8).equals(MAGIC) || !isPlausible) return [];
  const block = await zip.readRaw(end - sizeBytes - 8, sizeBytes + 8);
  if (block.readBigUInt64LE(0) !== footer.readBigUInt64LE(0)) return [];
  return orNull(() => signaturesIn(block.subarray(8, block.length - FOOTER_BYTES), zip.budget)) ?? [];
}

/** The first signature of each scheme, which is the one that devices verify. */
function signaturesIn(pairs: Buffer, budget: WorkBudget): BlockSignature[] {
  const found: BlockSignature[] = [];
  for (let at = 0; at < pairs.length;) {
    budget.countElements();
    const length = Number(pairs.readBigUInt64LE(at));
    if (length < 4 || at + 8 + length > pairs.length) throw inspectionError('unreadable');
    const scheme = SCHEMES.get(pairs.readUInt32LE(at + 8));
    const value = pairs.subarray(at + 12, at + 8 + length);
    const isFirst = scheme && !found.some((signature) => signature.scheme === scheme);
    if (isFirst) found.push({ scheme, certificate: orNull(() => firstCertificate(value)) });
    at += 8 + length;
  }
  return found;
}

/** signers → first signer → signed data → (digests, certificates) → first certificate, each prefixed with its length. */
function firstCertificate(value: Buffer): Buffer {
  const signer = readPrefixed(readPrefixed(value, 0), 0);
  const signedData = readPrefixed(signer, 0);
  const digests = readPrefixed(signedData, 0);
  return readPrefixed(readPrefixed(signedData, 4 + digests.length), 0);
}

function readPrefixed(bytes: Buffer, at: number): Buffer {
  const length = bytes.readUInt32LE(at);
  const content = bytes.subarray(at + 4, at + 4 + length);
  if (content.length !== length) throw inspectionError('unreadable');
  return content;
}
