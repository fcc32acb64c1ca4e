import { type ArtifactSource } from '../../artifact-source';
import { type CertificateFacts, readCertificate } from '../../formats/asn1/certificate';
import { readSignedData } from '../../formats/asn1/der';
import { BlockReader } from '../../formats/zip/block-reader';
import { type ZipArchive } from '../../formats/zip/zip-archive';
import { type AndroidScheme, type AndroidSigning, type SignatureVerification } from '../../inspected-artifact';
import { orNull } from '../../inspection-errors';
import { LIMITS } from '../../limits/limits';
import { WorkBudget } from '../../limits/work-budget';
import { WorkClock } from '../../limits/work-clock';
import { type ContentChunks } from '../../received-hashes';
import { ContentDigests } from './content-digests';
import { type SignedPackage, verifySignatures } from './signature-verification';
import { firstCertificate, readSigningBlock, type SigningBlock } from './signing-block';

const SCHEMES_ASCENDING: readonly AndroidScheme[] = ['v1', 'v2', 'v3', 'v3.1'];
const SIGNATURE_BLOCK = /^META-INF\/([^/]+)\.(RSA|DSA|EC)$/i;
const DEBUG_SUBJECT = /(^|, )CN=Android Debug(,|$)/;

const NOT_VERIFIED: SignatureVerification = { verified: null, verifiedSchemes: [], problem: null };

/** The signatures of a package, before they are verified. */
interface Signatures {
  readonly schemes: readonly AndroidScheme[];
  /** The certificate that the newest readable scheme claims. */
  readonly claimed: CertificateFacts | null;
  readonly block: SigningBlock | null;
}

/** Reads the signing of an app bundle. It is not verified: stores do that, and devices never see it. */
export async function readBundleSigning(zip: ZipArchive): Promise<AndroidSigning> {
  const { schemes, claimed } = await readSignatures(zip);
  return signingOf(schemes, { verification: NOT_VERIFIED, certificate: claimed, certificateVerified: false });
}

/**
 * Reads and verifies the signatures of a package.
 * @param source the whole file.
 */
export async function readPackageSigning(
  zip: ZipArchive,
  source: ArtifactSource,
  { minSdk, targetSdk }: { readonly minSdk: number | null; readonly targetSdk: number | null },
): Promise<AndroidSigning> {
  const { schemes, claimed, block } = await readSignatures(zip);
  const lowest = minSdk ?? 1;
  const clock = new WorkClock({ workMs: LIMITS.verificationWorkMs, totalMs: LIMITS.verificationTotalMs });
  const reader = new BlockReader(source, { blockBytes: LIMITS.jarReadBytes, blocks: 8, fetchedBytes: Infinity });
  const signed: SignedPackage = {
    schemes,
    block,
    minSdk: lowest,
    targetSdk: targetSdk ?? lowest,
    zip: zip.through(reader, new WorkBudget({ unpackedBytes: LIMITS.jarUnpackedBytes })),
    digests: block && (await digestsOf(zip, { reader, chunks: source.chunks ?? null }, block, clock)),
    clock,
  };
  const { verification, certificate } = await verifySignatures(signed);
  return signingOf(schemes, {
    verification,
    certificate: certificate ? readCertificate(certificate) : claimed,
    certificateVerified: certificate !== null,
  });
}

const signingOf = (
  schemes: readonly AndroidScheme[],
  {
    certificate,
    ...checked
  }: Pick<AndroidSigning, 'verification' | 'certificateVerified'> & { readonly certificate: CertificateFacts | null },
): AndroidSigning => ({
  platform: 'android',
  schemes,
  certificateSha256: certificate?.sha256 ?? null,
  certificateSubject: certificate?.subject ?? null,
  debugCertificate: DEBUG_SUBJECT.test(certificate?.subject ?? ''),
  ...checked,
});

/** `null` for an archive with zip64 records, whose signatures devices do not find. */
async function digestsOf(
  zip: ZipArchive,
  content: { readonly reader: ArtifactSource; readonly chunks: ContentChunks | null },
  { offset }: SigningBlock,
  clock: WorkClock,
): Promise<ContentDigests | null> {
  if (await zip.hasZip64Locator()) return null;
  const { directoryOffset, endOffset } = zip;
  return new ContentDigests(content, { blockOffset: offset, directoryOffset, endOffset }, clock);
}

async function readSignatures(zip: ZipArchive): Promise<Signatures> {
  const jar = await readJarCertificate(zip);
  const block = await readSigningBlock(zip);
  const found = block?.signatures;
  const schemes = SCHEMES_ASCENDING.filter((scheme) => (scheme === 'v1' ? jar !== undefined : found?.has(scheme)));
  const claimed = schemes
    .toReversed()
    .map((scheme) => (scheme === 'v1' ? (jar ?? null) : orNull(() => firstCertificate(found?.get(scheme) as Buffer))))
    .map((der) => der && orNull(() => readCertificate(der)))
    .find((facts) => facts !== null);
  return { schemes, claimed: claimed ?? null, block };
}

/**
 * Scheme v1 is the JAR signature: a PKCS#7 file with a `.SF` file of the same name.
 * @returns its certificate, `null` when it cannot be read, `undefined` without such a signature.
 */
async function readJarCertificate(zip: ZipArchive): Promise<Buffer | null | undefined> {
  const blocks = zip.entries.filter((entry) => SIGNATURE_BLOCK.test(entry.name));
  const block = blocks.find((entry) => zip.find(signatureFileOf(entry.name)) !== null);
  if (!block || !zip.find('META-INF/MANIFEST.MF')) return undefined;
  const bytes = await zip.readIfSmall(block, LIMITS.signatureFileBytes);
  return bytes && orNull(() => signerCertificate(bytes, zip.budget));
}

const signatureFileOf = (blockName: string): string => `${blockName.slice(0, blockName.lastIndexOf('.'))}.SF`;

/** The certificate with the signer's serial number; the first certificate when none matches. */
function signerCertificate(bytes: Buffer, budget: WorkBudget): Buffer | null {
  const { certificates, signerSerials } = readSignedData(bytes, budget);
  const serials = signerSerials.map(hexNumber);
  const bySerial = (der: Buffer): boolean => serials.includes(serialOf(orNull(() => readCertificate(der))));
  return certificates.slice(0, 20).find(bySerial) ?? certificates[0] ?? null;
}

const hexNumber = (bytes: Buffer): string => bytes.toString('hex').replace(/^0+/, '');
const serialOf = (facts: CertificateFacts | null): string => facts?.serial?.replace(/^0+/, '') ?? '-';
