import { createHash, verify, X509Certificate } from 'node:crypto';
import { inspectionError } from '../../inspection-errors';
import { type WorkBudget } from '../../limits/work-budget';
import { childrenOf, DER, type DerElement, octetsOf, readDer } from '../asn1/der';
import { isSameName } from '../asn1/name';
import { type CmsAlgorithm, cmsAlgorithmOf } from './cms-algorithms';

/** Android devices below this API level do not verify signed attributes correctly. */
const SIGNED_ATTRIBUTES_SINCE = 19;
const CONTENT_TYPE = '2a864886f70d010903';
const MESSAGE_DIGEST = '2a864886f70d010904';
const SINGLE_VALUED: readonly string[] = [CONTENT_TYPE, MESSAGE_DIGEST];

/** A signature that does not match, or whose algorithm is unknown. */
export class CmsMismatch extends Error {
  constructor(readonly code: 'algorithm_unknown' | 'signature_invalid') {
    super(code);
  }
}

interface SignerInfo {
  readonly issuer: DerElement;
  readonly serial: Buffer;
  /** `null` when current Android devices do not know it. */
  readonly algorithm: CmsAlgorithm | null;
  /** The attributes as they are in the file, with the tag of an implicit `[0]`. */
  readonly attributes: DerElement | null;
  readonly signature: Buffer;
}

/** The signer of a PKCS #7 block whose signature matches. */
export interface CmsSigner {
  readonly certificate: Buffer;
  /** The first API level from which on all Android devices verify its algorithms. */
  readonly since: number;
}

/**
 * Verifies the detached signature of a content, such as a `.SF` file, in a PKCS #7 block (RFC 5652, section 5.3). Throws when it is malformed.
 * @throws CmsMismatch when the signature does not match, or current Android devices do not know its algorithm.
 */
export function verifyCmsSignature(block: Buffer, signed: Buffer, budget: WorkBudget): CmsSigner {
  const parts = signedDataOf(block, budget);
  const contentType = childrenOf(required(parts.find(({ tag }) => tag === DER.sequence)), budget)[0];
  const certificates = childrenOf(required(parts.find(({ tag }) => tag === DER.explicit0)), budget);
  const signers = childrenOf(required(parts.findLast(({ tag }) => tag === DER.set)), budget);
  const signer = readSigner(required(signers[0]), budget);
  const { algorithm, attributes } = signer;
  if (!algorithm) throw new CmsMismatch('algorithm_unknown');
  const certificate = required(certificates.slice(0, 20).find((each) => isOf(each, signer, budget))?.raw);
  const key = new X509Certificate(certificate).publicKey;
  const isSigned = (data: Buffer): boolean =>
    key.asymmetricKeyType === algorithm.keyType && verify(algorithm.hash, data, key, signer.signature);
  const isValid = attributes
    ? isOfContent(attributes, { contentType: required(contentType), hash: algorithm.hash, signed }, budget) &&
      isSigned(asSet(attributes))
    : isSigned(signed);
  if (!isValid) throw new CmsMismatch('signature_invalid');
  return { certificate, since: attributes ? Math.max(algorithm.since, SIGNED_ATTRIBUTES_SINCE) : algorithm.since };
}

/** Whether signed attributes are those of a content. */
function isOfContent(
  attributes: DerElement,
  content: { readonly contentType: DerElement; readonly hash: string; readonly signed: Buffer },
  budget: WorkBudget,
): boolean {
  const values = attributeValues(attributes, budget);
  const digest = octetsOf(readDer(required(values.get(MESSAGE_DIGEST)), budget), budget);
  const isOfType = values.get(CONTENT_TYPE)?.equals(content.contentType.raw) === true;
  return isOfType && digest.equals(createHash(content.hash).update(content.signed).digest());
}

/** Signed attributes with the tag of a SET, over which the signature is made. */
function asSet(attributes: DerElement): Buffer {
  const bytes = Buffer.from(attributes.raw);
  bytes[0] = DER.set;
  return bytes;
}

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
  return {
    issuer: required(issuer),
    serial: required(serial).raw,
    algorithm: cmsAlgorithmOf(oidIn(required(digest), budget), oidIn(required(algorithm), budget)),
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
  return required(ownSerial).raw.equals(serial) && isSameName(required(ownIssuer), issuer, budget);
}

/** The first value of each attribute, by object identifier in hexadecimal. Those that are compared have only one. */
function attributeValues(attributes: DerElement, budget: WorkBudget): Map<string, Buffer> {
  const values = new Map<string, Buffer>();
  for (const attribute of childrenOf(attributes, budget)) {
    const [oid, set] = childrenOf(attribute, budget);
    const [value, ...further] = childrenOf(required(set), budget);
    const name = required(oid).content.toString('hex');
    // Apple's signer writes an attribute of its own with a value for each hash function.
    const isSingle = further.length === 0 || !SINGLE_VALUED.includes(name);
    if (!isSingle || values.has(name)) throw inspectionError('unreadable');
    values.set(name, required(value).raw);
  }
  return values;
}
