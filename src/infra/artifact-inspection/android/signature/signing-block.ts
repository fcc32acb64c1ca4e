import { type ZipArchive } from '../../formats/zip/zip-archive';
import { type AndroidScheme } from '../../inspected-artifact';
import { inspectionError, orNull } from '../../inspection-errors';
import { LIMITS } from '../../limits/limits';
import { type WorkBudget } from '../../limits/work-budget';
import { PrefixedReader } from './prefixed-reader';

const MAGIC = Buffer.from('APK Sig Block 42', 'latin1');
const FOOTER_BYTES = 24;
const SCHEMES = new Map<number, AndroidScheme>([
  [0x7109871a, 'v2'],
  [0xf05368c0, 'v3'],
  [0x1b93ad61, 'v3.1'],
]);

/** The APK Signing Block of a package. */
export interface SigningBlock {
  /** The start of the block, which is the end of the files' contents. */
  readonly offset: number;
  /** The signature of each scheme. Devices verify the first one of a scheme and ignore further ones. */
  readonly signatures: ReadonlyMap<AndroidScheme, Buffer>;
}

/**
 * Reads the APK Signing Block, which precedes the central directory (source.android.com, "APK Signature Scheme v2"): size, id-value pairs,
 * size, magic. Returns `null` when there is none or it is inconsistent, because devices ignore such a block.
 */
export async function readSigningBlock(zip: ZipArchive): Promise<SigningBlock | null> {
  const end = zip.directoryOffset;
  if (end < FOOTER_BYTES + 8) return null;
  const footer = await zip.readRaw(end - FOOTER_BYTES, FOOTER_BYTES);
  const sizeBytes = Number(footer.readBigUInt64LE(0));
  const isPlausible = sizeBytes >= FOOTER_BYTES && sizeBytes <= LIMITS.signingBlockBytes && sizeBytes + 8 <= end;
  if (!footer.subarray(8).equals(MAGIC) || !isPlausible) return null;
  const offset = end - sizeBytes - 8;
  const block = await zip.readRaw(offset, sizeBytes + 8);
  if (block.readBigUInt64LE(0) !== footer.readBigUInt64LE(0)) return null;
  const signatures = orNull(() => signaturesIn(block.subarray(8, block.length - FOOTER_BYTES), zip.budget));
  return signatures && { offset, signatures };
}

function signaturesIn(pairs: Buffer, budget: WorkBudget): Map<AndroidScheme, Buffer> {
  const found = new Map<AndroidScheme, Buffer>();
  for (let at = 0; at < pairs.length;) {
    budget.countElements();
    const length = Number(pairs.readBigUInt64LE(at));
    if (length < 4 || at + 8 + length > pairs.length) throw inspectionError('unreadable');
    const scheme = SCHEMES.get(pairs.readUInt32LE(at + 8));
    if (scheme && !found.has(scheme)) found.set(scheme, pairs.subarray(at + 12, at + 8 + length));
    at += 8 + length;
  }
  return found;
}

/** The certificate of the first signer, from: signers → signer → signed data → (digests, certificates) → certificate. */
export function firstCertificate(signature: Buffer): Buffer {
  const firstOf = (bytes: Buffer): Buffer => new PrefixedReader(bytes).prefixed();
  const signedData = new PrefixedReader(firstOf(firstOf(firstOf(signature))));
  signedData.prefixed();
  return firstOf(signedData.prefixed());
}
