import { createHash, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { childrenOf, DER, type DerElement, octetsOf, readDer } from '../../../formats/asn1/der';
import { inspectionError } from '../../../inspection-errors';
import { type WorkBudget } from '../../../limits/work-budget';

/** Devices below this API level verify signed attributes incorrectly. */
const SIGNED_ATTRIBUTES_SINCE = 19;
const HASHES: Readonly<Record<string, string>> = {
  '2b0e03021a': 'sha1',
  '608648016503040201': 'sha256',
  '608648016503040202': 'sha384',
  '608648016503040203': 'sha512',
};
const RSA_PSS = '2a864886f70d01010a';
const CONTENT_TYPE = '2a864886f70d010903';
const MESSAGE_DIGEST = '2a864886f70d010904';
const KEY_TYPES = ['rsa', 'ec', 'dsa'];

interface SignerInfo {
  readonly issuer: Buffer;
  readonly serial: Buffer;
  readonly hash: string;
  /** The attributes as they are in the file, with the tag of an implicit `[0]`. */
  readonly attributes: DerElement | null;
  readonly signature: Buffer;
}

/**
 * Verifies the signature of a `.SF` file in a PKCS #7 block (RFC 5652, section 5.3). Throws when it is malformed.
 * @returns the certificate of the signer. `null` when the signature does not match.
 */
export function verifyJarBlock(block: Buffer, signed: Buffer, minSdk: number, budget: WorkBudget): Buffer | null {
  const parts = signedDataOf(block, budget);
  const contentType = childrenOf(required(parts.find(({ tag }) => tag === DER.sequence)), budget)[0];
  const certificates = childrenOf(required(parts.find(({ tag }) => tag === DER.explicit0)), budget);
  const signers = childrenOf(required(parts.findLast(({ tag }) => tag === DER.set)), budget);
  const signer = readSigner(required(signers[0]), budget);
  const certificate = certificates.slice(0, 20).find((each) => isOf(each, signer, budget))?.raw;
  const key = new X509Certificate(required(certificate)).publicKey;
  if (!KEY_TYPES.includes(key.asymmetricKeyType ?? '')) return null;
  if (!signer.attributes) return isSigned(signer, key, signed) ? required(certificate) : null;
  if (minSdk < SIGNED_ATTRIBUTES_SINCE) return null;
  const values = attributeValues(signer.attributes, budget);
  const isOfContent =
    values.get(CONTENT_TYPE)?.equals(required(contentType).raw) &&
    octetsOf(readDer(required(values.get(MESSAGE_DIGEST)), budget), budget).equals(
      createHash(signer.hash).update(signed).digest(),
    );
  // The signature is over the attributes with the tag of a SET.
  const attributes = Buffer.from(signer.attributes.raw);
  attributes[0] = DER.set;
  return isOfContent && isSigned(signer, key, attributes) ? required(certificate) : null;
}

const isSigned = ({ hash, signature }: SignerInfo, key: KeyObject, data: Buffer): boolean =>
  verify(hash, data, key, signature);

function required<T>(value: T | undefined): T {
  if (value === undefined) throw inspectionError('unreadable');
  return value;
}

function signedDataOf(block: Buffer, budget: WorkBudget): DerElement[] {
  const wrapped = childrenOf(readDer(block, budget), budget).find(({ tag }) => tag === DER.explicit0);
  return childrenOf(readDer(required(wrapped).content, budget), budget);
}

/** SignerInfo ::= { version, { issuer, serial }, digest algorithm, [0] attributes, signature algorithm, signature, … }. */
function readSigner(element: DerElement, budget: WorkBudget): SignerInfo {
  const [, id, digest, ...rest] = childrenOf(element, budget);
  const [issuer, serial] = childrenOf(required(id), budget);
  const attributes = rest[0]?.tag === DER.explicit0 ? rest.shift() : undefined;
  const [algorithm, signature] = rest;
  const hash = HASHES[oidIn(required(digest), budget)];
  if (oidIn(required(algorithm), budget) === RSA_PSS) throw inspectionError('unreadable');
  return {
    issuer: required(issuer).raw,
    serial: required(serial).raw,
    hash: required(hash),
    attributes: attributes ?? null,
    signature: octetsOf(required(signature), budget),
  };
}

/** The object identifier of an AlgorithmIdentifier, in hexadecimal. */
const oidIn = (element: DerElement, budget: WorkBudget): string =>
  required(childrenOf(element, budget)[0]).content.toString('hex');

/** Certificate ::= { { [0] version, serial, algorithm, issuer, … }, … }. */
function isOf(certificate: DerElement, { issuer, serial }: SignerInfo, budget: WorkBudget): boolean {
  const parts = childrenOf(required(childrenOf(certificate, budget)[0]), budget);
  const [ownSerial, , ownIssuer] = parts[0]?.tag === DER.explicit0 ? parts.slice(1) : parts;
  return required(ownSerial).raw.equals(serial) && required(ownIssuer).raw.equals(issuer);
}

/** The only value of each attribute, by object identifier in hexadecimal. */
function attributeValues(attributes: DerElement, budget: WorkBudget): Map<string, Buffer> {
  const values = new Map<string, Buffer>();
  for (const attribute of childrenOf(attributes, budget)) {
    const [oid, set] = childrenOf(attribute, budget);
    const [value, ...further] = childrenOf(required(set), budget);
    const name = required(oid).content.toString('hex');
    if (further.length > 0 || values.has(name)) throw inspectionError('unreadable');
    values.set(name, required(value).raw);
  }
  return values;
}
