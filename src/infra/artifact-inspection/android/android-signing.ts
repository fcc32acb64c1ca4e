import { type CertificateFacts, readCertificate } from '../formats/asn1/certificate';
import { readSignedData } from '../formats/asn1/der';
import { type AndroidScheme, type AndroidSigning } from '../inspected-artifact';
import { LIMITS } from '../limits';
import { orNull } from '../inspection-errors';
import { type WorkBudget } from '../work-budget';
import { type ZipArchive } from '../formats/zip/zip-archive';
import { type BlockSignature, readSigningBlock } from './signing-block';

const SCHEMES_ASCENDING: readonly AndroidScheme[] = ['v1', 'v2', 'v3', 'v3.1'];
const SIGNATURE_BLOCK = /^META-INF\/([^/]+)\.(RSA|DSA|EC)$/i;
const DEBUG_SUBJECT = /(^|, )CN=Android Debug(,|$)/;

/** Reads the signature schemes of a package, and the certificate of the newest scheme, which current devices use. */
export async function readAndroidSigning(zip: ZipArchive): Promise<AndroidSigning> {
  const jar = await readJarSignature(zip);
  const signatures = [...(jar ? [jar] : []), ...(await readSigningBlock(zip))];
  const schemes = SCHEMES_ASCENDING.filter((scheme) => signatures.some((signature) => signature.scheme === scheme));
  const certificate = schemes
    .toReversed()
    .map((scheme) => signatures.find((signature) => signature.scheme === scheme)?.certificate)
    .map((der) => (der ? orNull(() => readCertificate(der)) : null))
    .find((facts) => facts !== null);
  return {
    platform: 'android',
    schemes,
    certificateSha256: certificate?.sha256 ?? null,
    certificateSubject: certificate?.subject ?? null,
    debugCertificate: DEBUG_SUBJECT.test(certificate?.subject ?? ''),
  };
}

/** Scheme v1 is the JAR signature: a PKCS#7 file with a `.SF` file of the same name. */
async function readJarSignature(zip: ZipArchive): Promise<BlockSignature | null> {
  const blocks = zip.entries.filter((entry) => SIGNATURE_BLOCK.test(entry.name));
  const block = blocks.find((entry) => zip.find(signatureFileOf(entry.name)) !== null);
  if (!block || !zip.find('META-INF/MANIFEST.MF')) return null;
  const bytes = await zip.readIfSmall(block, LIMITS.signatureFileBytes);
  return { scheme: 'v1', certificate: bytes && orNull(() => signerCertificate(bytes, zip.budget)) };
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
