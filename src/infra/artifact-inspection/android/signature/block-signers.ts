import { X509Certificate } from 'node:crypto';
import { type AndroidScheme, type SignatureProblemCode } from '../../inspected-artifact';
import { type WorkClock } from '../../limits/work-clock';
import { readLineage } from './lineage';
import { PrefixedReader, sequencesIn } from './prefixed-reader';
import { algorithmOf, algorithmsToVerify, type DigestName, isSignedBy, publicKeyOf } from './signature-algorithms';
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
}

interface Item {
  readonly algorithmId: number;
  readonly bytes: Buffer;
}

/** A scheme of a package, as the verification of its signers needs it. */
interface SchemeContext {
  readonly scheme: AndroidScheme;
  /** The minimum API level of the app. */
  readonly minSdk: number;
  readonly clock: WorkClock;
}

/**
 * Verifies the signers of a scheme against their certificates. Their digests of the contents are then known to be genuine, and must be
 * compared with the contents.
 * @throws BrokenSignature, UncheckedSignature.
 */
export function verifySigners(context: SchemeContext, signature: Buffer): BlockSigner[] {
  const { scheme } = context;
  const signers = orMalformed(scheme, () => sequencesIn(new PrefixedReader(signature).prefixed(), MAX_SIGNERS));
  if (signers.length === 0) throw new BrokenSignature(scheme, 'malformed');
  return signers.map((signer) => orMalformed(scheme, () => verifySigner(context, signer)));
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

function verifySigner(context: SchemeContext, bytes: Buffer): BlockSigner {
  const { scheme, minSdk } = context;
  const signer = new PrefixedReader(bytes);
  const signedData = signer.prefixed();
  const isRanged = scheme !== 'v2';
  const range = isRanged ? { minSdk: signer.number(), maxSdk: signer.number() } : { minSdk, maxSdk: 0 };
  const signatures = itemsOf(signer.prefixed());
  const publicKey = signer.prefixed();
  requireThat(signatures.length > 0, scheme, 'malformed');
  const algorithms = algorithmsToVerify(signatures.map(idOf), range.minSdk);
  requireThat(algorithms.length > 0, scheme, 'algorithm_unknown');
  const verifiesBy = verifierOf(context);
  for (const algorithm of algorithms) {
    const { bytes: signature } = signatures.find((item) => idOf(item) === algorithm.id) as Item;
    requireThat(verifiesBy(algorithm, publicKeyOf(publicKey), signedData, signature), scheme, 'signature_invalid');
  }

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
    lineage: lineageOf(scheme, verifiesBy, attributes, certificate),
    digests: algorithms.flatMap(({ digest }) => digestsBy(digest, digests)),
    attributes,
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

/** Verifies signatures as long as there is time, because a hostile package has many with slow keys. */
const verifierOf =
  ({ scheme, clock }: SchemeContext): typeof isSignedBy =>
  (...signature) => {
    if (clock.isOver) throw new UncheckedSignature(scheme);
    return clock.measure(() => isSignedBy(...signature));
  };

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
  verifiesBy: typeof isSignedBy,
  attributes: ReadonlyMap<number, Buffer>,
  certificate: Buffer,
): readonly Buffer[] | null {
  const proof = attributes.get(ATTRIBUTES.lineage);
  if (!proof || scheme === 'v2') return null;
  try {
    const lineage = readLineage(proof, verifiesBy);
    if (lineage.at(-1)?.equals(certificate)) return lineage;
  } catch (error) {
    if (error instanceof UncheckedSignature) throw error;
    // The proof is malformed, or ends with another certificate.
  }
  throw new BrokenSignature(scheme, 'lineage_invalid');
}
