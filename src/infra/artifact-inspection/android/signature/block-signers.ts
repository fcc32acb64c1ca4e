import { X509Certificate } from 'node:crypto';
import { type AndroidScheme, type SignatureProblemCode } from '../../inspected-artifact';
import { readLineage } from './lineage';
import { PrefixedReader, sequencesIn } from './prefixed-reader';
import {
  algorithmOf,
  type DigestName,
  isSignedBy,
  publicKeyOf,
  type SignatureAlgorithm,
  usesVerity,
} from './signature-algorithms';
import { BrokenSignature, UncheckedSignature } from './signature-problem';

/** Attributes of a signer. */
export const ATTRIBUTES = {
  /** The attribute of v2 that names a newer scheme with which the package is also signed. */
  newerScheme: 0xbeeff00d,
  /** The attribute of v3 and v3.1 that contains the proof of rotation. */
  lineage: 0x3ba06f8c,
  /** The attribute of v3 with the API level from which on v3.1 applies. */
  rotationMinSdk: 0x559f8b02,
} as const;

const MAX_SIGNERS = 10;
const MAX_ITEMS = 32;

/** The properties of the package that a verified signer signs. */
export interface BlockSigner {
  readonly certificate: Buffer;
  /** The API levels that the signer is for. Schemes before v3 have one signer for all. */
  readonly minSdk: number;
  readonly maxSdk: number;
  /** The certificates of the app, from the oldest. `null` when its key was never rotated. */
  readonly lineage: readonly Buffer[] | null;
  /** The expected digests of the contents. */
  readonly digests: readonly { readonly name: DigestName; readonly value: Buffer }[];
  readonly attributes: ReadonlyMap<number, Buffer>;
  /** Whether one of its signatures is for fs-verity, which requires a block of whole pages. */
  readonly usesVerity: boolean;
}

interface Item {
  readonly algorithmId: number;
  readonly bytes: Buffer;
}

/**
 * Verifies the signers of a scheme against their certificates. Their digests of the contents are then known to be genuine, and must be
 * compared with the contents.
 * @throws BrokenSignature, UncheckedSignature.
 */
export function verifySigners(scheme: AndroidScheme, signature: Buffer): BlockSigner[] {
  const signers = orMalformed(scheme, () => sequencesIn(new PrefixedReader(signature).prefixed(), MAX_SIGNERS));
  if (signers.length === 0) throw new BrokenSignature(scheme, 'malformed');
  return signers.map((signer) => orMalformed(scheme, () => verifySigner(scheme, signer)));
}

/** Runs a parser. Every exception means that the block is malformed. */
function orMalformed<T>(scheme: AndroidScheme, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof BrokenSignature || error instanceof UncheckedSignature) throw error;
    throw new BrokenSignature(scheme, 'malformed');
  }
}

function verifySigner(scheme: AndroidScheme, bytes: Buffer): BlockSigner {
  const signer = new PrefixedReader(bytes);
  const signedData = signer.prefixed();
  const isRanged = scheme !== 'v2';
  const range = isRanged ? { minSdk: signer.number(), maxSdk: signer.number() } : { minSdk: 0, maxSdk: 0 };
  const signatures = itemsOf(signer.prefixed());
  const publicKey = signer.prefixed();
  const algorithm = strongest(scheme, signatures);
  verifySignedData(scheme, { algorithm, signatures, publicKey, signedData });

  const data = new PrefixedReader(signedData);
  const digests = itemsOf(data.prefixed());
  const [certificate] = sequencesIn(data.prefixed(), MAX_ITEMS);
  requireThat(certificate !== undefined, scheme, 'malformed');
  const isOfCertificate = new X509Certificate(certificate).publicKey
    .export({ format: 'der', type: 'spki' })
    .equals(publicKey);
  requireThat(isOfCertificate, scheme, 'signature_invalid');
  if (isRanged) {
    const isSame = data.number() === range.minSdk && data.number() === range.maxSdk;
    requireThat(isSame && range.minSdk <= range.maxSdk, scheme, 'signature_invalid');
  }
  requireThat(signatures.map(idOf).join() === digests.map(idOf).join(), scheme, 'signature_invalid');
  const attributes = attributesOf(data.prefixed());
  return {
    certificate,
    ...range,
    lineage: lineageOf(scheme, attributes, certificate),
    digests: digestsBy(algorithm.digest, digests),
    attributes,
    usesVerity: signatures.some((item) => usesVerity(idOf(item))),
  };
}

const idOf = ({ algorithmId }: Item): number => algorithmId;

function requireThat(condition: boolean, scheme: AndroidScheme, code: SignatureProblemCode): asserts condition {
  if (!condition) throw new BrokenSignature(scheme, code);
}

const itemsOf = (bytes: Buffer): Item[] =>
  sequencesIn(bytes, MAX_ITEMS).map((item) => {
    const reader = new PrefixedReader(item);
    return { algorithmId: reader.number(), bytes: reader.prefixed() };
  });

/** The signature that devices verify: the first of those with the strongest hash function. */
function strongest(scheme: AndroidScheme, signatures: readonly Item[]): SignatureAlgorithm {
  const known = signatures.map((item) => algorithmOf(idOf(item))).filter((algorithm) => algorithm !== null);
  const best = known.find(({ digest }) => digest === 'sha512') ?? known[0];
  if (best) return best;
  if (signatures.some((item) => usesVerity(idOf(item)))) throw new UncheckedSignature(scheme, 'algorithm_not_checked');
  throw new BrokenSignature(scheme, signatures.length === 0 ? 'malformed' : 'algorithm_unknown');
}

function verifySignedData(
  scheme: AndroidScheme,
  signer: {
    readonly algorithm: SignatureAlgorithm;
    readonly signatures: readonly Item[];
    readonly publicKey: Buffer;
    readonly signedData: Buffer;
  },
): void {
  const { algorithm, signatures, publicKey, signedData } = signer;
  const { bytes } = signatures.find((item) => idOf(item) === algorithm.id) as Item;
  const isValid = orMalformed(scheme, () => isSignedBy(algorithm, publicKeyOf(publicKey), signedData, bytes));
  requireThat(isValid, scheme, 'signature_invalid');
}

const digestsBy = (name: DigestName, digests: readonly Item[]): BlockSigner['digests'] =>
  digests.filter((item) => algorithmOf(idOf(item))?.digest === name).map(({ bytes }) => ({ name, value: bytes }));

const attributesOf = (bytes: Buffer): Map<number, Buffer> =>
  new Map(
    sequencesIn(bytes, MAX_ITEMS).map((item) => {
      const reader = new PrefixedReader(item);
      return [reader.number(), reader.rest()] as const;
    }),
  );

/** The certificates of the app, the last of which must be the signer's. */
function lineageOf(
  scheme: AndroidScheme,
  attributes: ReadonlyMap<number, Buffer>,
  certificate: Buffer,
): readonly Buffer[] | null {
  const proof = attributes.get(ATTRIBUTES.lineage);
  if (!proof || scheme === 'v2') return null;
  try {
    const lineage = readLineage(proof);
    if (lineage.at(-1)?.equals(certificate)) return lineage;
  } catch {
    // The proof is malformed, or ends with another certificate.
  }
  throw new BrokenSignature(scheme, 'lineage_invalid');
}
