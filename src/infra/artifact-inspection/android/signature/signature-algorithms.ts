import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';

/** The hash function of a content digest. */
export type DigestName = 'sha256' | 'sha512';

/** An algorithm of the schemes v2 and newer. Its hash function also makes the digest of the contents. */
export interface SignatureAlgorithm {
  readonly id: number;
  readonly digest: DigestName;
  readonly keyType: 'rsa' | 'ec' | 'dsa';
  readonly pss?: true;
}

const ALGORITHMS: readonly SignatureAlgorithm[] = [
  { id: 0x0101, digest: 'sha256', keyType: 'rsa', pss: true },
  { id: 0x0102, digest: 'sha512', keyType: 'rsa', pss: true },
  { id: 0x0103, digest: 'sha256', keyType: 'rsa' },
  { id: 0x0104, digest: 'sha512', keyType: 'rsa' },
  { id: 0x0201, digest: 'sha256', keyType: 'ec' },
  { id: 0x0202, digest: 'sha512', keyType: 'ec' },
  { id: 0x0301, digest: 'sha256', keyType: 'dsa' },
];

/** Algorithms whose content digest is a tree of fs-verity. They are rare, and are not checked. */
const WITH_VERITY = [0x0421, 0x0423, 0x0425];

export const algorithmOf = (id: number): SignatureAlgorithm | null => ALGORITHMS.find((each) => each.id === id) ?? null;

export const usesVerity = (id: number): boolean => WITH_VERITY.includes(id);

/** Reads a public key in DER (SubjectPublicKeyInfo). Throws on anything else. */
export const publicKeyOf = (der: Buffer): KeyObject => createPublicKey({ key: der, format: 'der', type: 'spki' });

/** Whether `signature` is the signature of `data` by `key`. */
export function isSignedBy(algorithm: SignatureAlgorithm, key: KeyObject, data: Buffer, signature: Buffer): boolean {
  if (key.asymmetricKeyType !== algorithm.keyType) return false;
  const { digest, pss } = algorithm;
  const saltLength = digest === 'sha256' ? 32 : 64;
  return verify(digest, data, pss ? { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength } : key, signature);
}
