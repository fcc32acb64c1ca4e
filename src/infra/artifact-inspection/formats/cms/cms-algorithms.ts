/** The algorithms of a CMS signature: the hash function and the type of the key. */
export interface CmsAlgorithm {
  readonly hash: string;
  readonly keyType: 'rsa' | 'dsa' | 'ec';
  /** The first API level from which on all Android devices verify the combination. */
  readonly since: number;
}

const HASHES: Readonly<Record<string, string>> = {
  '2a864886f70d0205': 'md5',
  '2b0e03021a': 'sha1',
  '608648016503040204': 'sha224',
  '608648016503040201': 'sha256',
  '608648016503040202': 'sha384',
  '608648016503040203': 'sha512',
};

interface SignatureKind {
  readonly keyType: CmsAlgorithm['keyType'];
  /** The API levels by hash function (apksig, `OidConstants`). Devices from Android 7 on accept no other combinations. */
  readonly since: Readonly<Record<string, number>>;
}

/** By the object identifier of the signature algorithm: that of a key with any hash function, or of a key with one. */
const KINDS: Readonly<Record<string, SignatureKind>> = {
  '2a864886f70d010101': {
    keyType: 'rsa',
    since: { md5: 0, sha1: 0, sha224: 21, sha256: 18, sha384: 18, sha512: 18 },
  },
  '2a864886f70d010104': { keyType: 'rsa', since: { md5: 21 } },
  '2a864886f70d010105': { keyType: 'rsa', since: { sha1: 0 } },
  '2a864886f70d01010e': { keyType: 'rsa', since: { sha224: 21 } },
  '2a864886f70d01010b': { keyType: 'rsa', since: { sha256: 18 } },
  '2a864886f70d01010c': { keyType: 'rsa', since: { sha384: 21 } },
  '2a864886f70d01010d': { keyType: 'rsa', since: { sha512: 21 } },
  '2a8648ce380401': { keyType: 'dsa', since: { sha1: 0, sha224: 22, sha256: 22 } },
  '2a8648ce380403': { keyType: 'dsa', since: { sha1: 9 } },
  '608648016503040301': { keyType: 'dsa', since: { sha224: 21 } },
  '608648016503040302': { keyType: 'dsa', since: { sha256: 21 } },
  '2a8648ce3d0201': { keyType: 'ec', since: { sha1: 18, sha224: 21, sha256: 18, sha384: 18, sha512: 18 } },
  '2a8648ce3d0401': { keyType: 'ec', since: { sha1: 18 } },
  '2a8648ce3d040301': { keyType: 'ec', since: { sha224: 21 } },
  '2a8648ce3d040302': { keyType: 'ec', since: { sha256: 21 } },
  '2a8648ce3d040303': { keyType: 'ec', since: { sha384: 21 } },
  '2a8648ce3d040304': { keyType: 'ec', since: { sha512: 21 } },
};

/**
 * The algorithm of two object identifiers in hexadecimal: those of the digest and of the signature. `null` when current Android devices do not
 * verify the combination.
 */
export function cmsAlgorithmOf(digestOid: string, signatureOid: string): CmsAlgorithm | null {
  const hash = HASHES[digestOid];
  const kind = KINDS[signatureOid];
  const since = hash === undefined ? undefined : kind?.since[hash];
  return hash === undefined || !kind || since === undefined ? null : { hash, keyType: kind.keyType, since };
}
