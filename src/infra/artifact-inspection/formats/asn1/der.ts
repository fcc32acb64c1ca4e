import { inspectionError } from '../../inspection-errors';
import { LIMITS } from '../../limits/limits';
import { type WorkBudget } from '../../limits/work-budget';

/** One BER/DER element. */
export interface DerElement {
  /** The identifier octet. */
  readonly tag: number;
  readonly content: Buffer;
  /** The whole element, header included. */
  readonly raw: Buffer;
  /** The offset after the element in the bytes it was read from. */
  readonly end: number;
}

export const DER = {
  integer: 0x02,
  octets: 0x04,
  octetsInParts: 0x24,
  sequence: 0x30,
  set: 0x31,
  explicit0: 0xa0,
} as const;

const CONSTRUCTED = 0x20;
const INDEFINITE = 0x80;

/**
 * Reads one element (X.690) at `offset`, with definite or indefinite length and a low tag number. This suffices for CMS, where some signers
 * write BER. Throws on malformed bytes.
 */
export function readDer(bytes: Buffer, budget: WorkBudget, offset = 0, depth = 0): DerElement {
  budget.countElements();
  if (depth > LIMITS.treeDepth) throw inspectionError('unreadable');
  const tag = bytes.readUInt8(offset);
  const first = bytes.readUInt8(offset + 1);
  if (first === INDEFINITE && tag & CONSTRUCTED) return readIndefinite(bytes, budget, offset, depth);
  const lengthBytes = first & 0x80 ? first & 0x7f : 0;
  if (lengthBytes > 4) throw inspectionError('unreadable');
  const length = lengthBytes > 0 ? bytes.readUIntBE(offset + 2, lengthBytes) : first;
  const start = offset + 2 + lengthBytes;
  if (start + length > bytes.length) throw inspectionError('unreadable');
  return {
    tag,
    content: bytes.subarray(start, start + length),
    raw: bytes.subarray(offset, start + length),
    end: start + length,
  };
}

/** Indefinite length: two zero octets end the content, so finding the end visits every element inside. */
function readIndefinite(bytes: Buffer, budget: WorkBudget, offset: number, depth: number): DerElement {
  let at = offset + 2;
  while (bytes.readUInt16BE(at) !== 0) at = readDer(bytes, budget, at, depth + 1).end;
  return {
    tag: bytes.readUInt8(offset),
    content: bytes.subarray(offset + 2, at),
    raw: bytes.subarray(offset, at + 2),
    end: at + 2,
  };
}

/** The elements inside a constructed element. */
export function childrenOf(element: DerElement, budget: WorkBudget): DerElement[] {
  const children: DerElement[] = [];
  for (let at = 0; at < element.content.length;) {
    const child = readDer(element.content, budget, at);
    children.push(child);
    at = child.end;
  }
  return children;
}

/** The bytes of an OCTET STRING, primitive or constructed. */
export function octetsOf(element: DerElement, budget: WorkBudget, depth = 0): Buffer {
  if (element.tag === DER.octets) return element.content;
  if (element.tag !== DER.octetsInParts || depth > LIMITS.treeDepth) throw inspectionError('unreadable');
  budget.countUnpacked(element.content.length);
  return Buffer.concat(childrenOf(element, budget).map((part) => octetsOf(part, budget, depth + 1)));
}

/** The parts of a CMS SignedData (RFC 5652, section 5.1). Certificates are in DER. */
export interface SignedData {
  /** The encapsulated content. `null` when the signature is detached. */
  readonly content: Buffer | null;
  readonly certificates: readonly Buffer[];
  /** The serial numbers of the signers' certificates. */
  readonly signerSerials: readonly Buffer[];
}

/** Reads a CMS SignedData without verifying the signature. Throws on anything else. */
export function readSignedData(bytes: Buffer, budget: WorkBudget): SignedData {
  const wrapped = childrenOf(readDer(bytes, budget), budget).find((child) => child.tag === DER.explicit0);
  if (!wrapped) throw inspectionError('unreadable');
  const parts = childrenOf(readDer(wrapped.content, budget), budget);
  const enclosed = parts.find((part) => part.tag === DER.sequence);
  const explicit = enclosed && childrenOf(enclosed, budget).find((child) => child.tag === DER.explicit0);
  const certificates = parts.find((part) => part.tag === DER.explicit0);
  const signers = parts.findLast((part) => part.tag === DER.set);
  return {
    content: explicit ? octetsOf(readDer(explicit.content, budget), budget) : null,
    certificates: certificates ? childrenOf(certificates, budget).map((certificate) => certificate.raw) : [],
    signerSerials: (signers ? childrenOf(signers, budget) : []).flatMap((signer) => serialOf(signer, budget)),
  };
}

/** SignerInfo ::= { version, IssuerAndSerialNumber { issuer, serial }, … }. Empty when the signer is identified by key id. */
function serialOf(signer: DerElement, budget: WorkBudget): Buffer[] {
  const issuerAndSerial = childrenOf(signer, budget)[1];
  const serial = issuerAndSerial?.tag === DER.sequence ? childrenOf(issuerAndSerial, budget)[1] : undefined;
  return serial?.tag === DER.integer ? [serial.content] : [];
}
