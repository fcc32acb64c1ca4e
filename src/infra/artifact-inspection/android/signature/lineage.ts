import { X509Certificate } from 'node:crypto';
import { inspectionError } from '../../inspection-errors';
import { PrefixedReader } from './prefixed-reader';
import { algorithmOf, type isSignedBy } from './signature-algorithms';

const VERSION = 1;
const MAX_CERTIFICATES = 32;

/**
 * Reads and verifies a proof of rotation: the certificates of an app from the oldest to the newest, each signed with the key before it.
 * Throws when one of the signatures is wrong.
 * @param verifiesBy verifies a signature.
 */
export function readLineage(bytes: Buffer, verifiesBy: typeof isSignedBy): Buffer[] {
  const reader = new PrefixedReader(bytes);
  if (reader.number() !== VERSION) throw inspectionError('unreadable');
  const certificates: Buffer[] = [];
  let algorithmId = 0;
  for (const node of reader.allPrefixed(MAX_CERTIFICATES)) {
    const level = new PrefixedReader(node);
    const signedData = level.prefixed();
    level.number();
    const nextAlgorithmId = level.number();
    const signature = level.prefixed();
    const parent = certificates.at(-1);
    if (parent) {
      const algorithm = algorithmOf(algorithmId);
      const key = new X509Certificate(parent).publicKey;
      if (!algorithm || !verifiesBy(algorithm, key, signedData, signature)) throw inspectionError('unreadable');
    }
    const data = new PrefixedReader(signedData);
    const certificate = data.prefixed();
    const isRepeated = certificates.some((each) => each.equals(certificate));
    if ((parent && data.number() !== algorithmId) || isRepeated) throw inspectionError('unreadable');
    certificates.push(certificate);
    algorithmId = nextAlgorithmId;
  }
  return certificates;
}

/** The longest lineage. `null` when one of the lineages is not the beginning of another. */
export function combineLineages(lineages: readonly (readonly Buffer[])[]): readonly Buffer[] | null {
  const longest = lineages.reduce<readonly Buffer[]>((best, each) => (each.length > best.length ? each : best), []);
  const agree = lineages.every((lineage) => lineage.every((certificate, at) => longest[at]?.equals(certificate)));
  return agree ? longest : null;
}
