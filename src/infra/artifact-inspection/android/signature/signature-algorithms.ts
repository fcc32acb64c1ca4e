import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';

/** The digest of the contents that an algorithm signs: over chunks of 1 MiB, or the root of a tree of fs-verity. */
export type DigestName = 'sha256' | 'sha512' | 'verity';

/** An algorithm of the schemes v2 and newer. */
export interface SignatureAlgorithm {
  readonly id: number;
  /** The digest of the contents. */
  readonly digest: DigestName;
  /** The hash function of the signature. */
  readonly hash: 'sha256' | 'sha512';
  readonly keyType: 'rsa' | 'ec' | 'dsa';
  readonly pss?: true;
}

const ALGORITHMS: readonly SignatureAlgorithm[] = [
  { id: 0x0101, digest: 'sha256', hash: 'sha256', keyType: 'rsa', pss: true },
  { id: 0x0102, digest: 'sha512', hash: 'sha512', keyType: 'rsa', pss: true },
  { id: 0x0103, digest: 'sha256', hash: 'sha256', keyType: 'rsa' },
  { id: 0x0104, digest: 'sha512', hash: 'sha512', keyType: 'rsa' },
  { id: 0x0201, digest: 'sha256', hash: 'sha256', keyType: 'ec' },
  { id: 0x0202, digest: 'sha512', hash: 'sha512', keyType: 'ec' },
  { id: 0x0301, digest: 'sha256', hash: 'sha256', keyType: 'dsa' },
  { id: 0x0421, digest: 'verity', hash: 'sha256', keyType: 'rsa' },
  { id: 0x0423, digest: 'verity', hash: 'sha256', keyType: 'ec' },
  { id: 0x0425, digest: 'verity', hash: 'sha256', keyType: 'dsa' },
];

/** The first API level that knows the algorithms of fs-verity. */
const VERITY_SINCE = 28;

export const algorithmOf = (id: number): SignatureAlgorithm | null => ALGORITHMS.find((each) => each.id === id) ?? null;

/**
 * The algorithms that devices from an API level on verify: the strongest over chunks, and the first of fs-verity, which devices that
 * know it prefer to SHA-256. Empty when some of the devices know none.
 * @param ids of all signatures of a signer, in their order.
 */
export function algorithmsToVerify(ids: readonly number[], minSdk: number): SignatureAlgorithm[] {
  const known = ids.map(algorithmOf).filter((algorithm) => algorithm !== null);
  const chunked = known.filter(({ digest }) => digest !== 'verity');
  const strongest = chunked.find(({ digest }) => digest === 'sha512') ?? chunked[0];
  const verity = known.find(({ digest }) => digest === 'verity');
  if (!strongest && minSdk < VERITY_SINCE) return [];
  return [strongest, verity].filter((algorithm) => algorithm !== undefined);
}

/** Reads a public key in DER (SubjectPublicKeyInfo). Throws on anything else. */
export const publicKeyOf = (der: Buffer): KeyObject => createPublicKey({ key: der, format: 'der', type: 'spki' });

/** Whether `signature` is the signature of `data` by `key`. */
export function isSignedBy(algorithm: SignatureAlgorithm, key: KeyObject, data: Buffer, signature: Buffer): boolean {
  if (key.asymmetricKeyType !== algorithm.keyType) return false;
  const { hash, pss } = algorithm;
  const saltLength = hash === 'sha256' ? 32 : 64;
  return verify(hash, data, pss ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength } : key, signature);
}
