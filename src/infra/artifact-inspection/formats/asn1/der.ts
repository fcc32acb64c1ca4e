import { LIMITS } from '../../limits';
import { inspectionError } from '../../inspection-errors';

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
export function readDer(bytes: Buffer, offset = 0, depth = 0): DerElement {
  if (depth > LIMITS.treeDepth) throw inspectionError('too_complex');
  const tag = bytes.readUInt8(offset);
  const first = bytes.readUInt8(offset + 1);
  if (first === INDEFINITE && tag & CONSTRUCTED) return readIndefinite(bytes, offset, tag, depth);
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

/** Indefinite length: two zero octets end the content. */
function readIndefinite(bytes: Buffer, offset: number, tag: number, depth: number): DerElement {
  let at = offset + 2;
  while (bytes.readUInt16BE(at) !== 0) at = readDer(bytes, at, depth + 1).end;
  return { tag, content: bytes.subarray(offset + 2, at), raw: bytes.subarray(offset, at + 2), end: at + 2 };
}

/** The elements inside a constructed element. */
export function childrenOf(element: DerElement): DerElement[] {
  const children: DerElement[] = [];
  for (let at = 0; at < element.content.length;) {
    const child = readDer(element.content, at);
    children.push(child);
    if (children.length > LIMITS.derElements) throw inspectionError('too_complex');
    at = child.end;
  }
  return children;
}

/** The bytes of an OCTET STRING, primitive or constructed. */
export function octetsOf(element: DerElement, depth = 0): Buffer {
  if (element.tag === DER.octets) return element.content;
  if (element.tag !== DER.octetsInParts || depth > LIMITS.treeDepth) throw inspectionError('unreadable');
  return Buffer.concat(childrenOf(element).map((part) => octetsOf(part, depth + 1)));
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
export function readSignedData(bytes: Buffer): SignedData {
  const wrapped = childrenOf(readDer(bytes)).find((child) => child.tag === DER.explicit0);
  if (!wrapped) throw inspectionError('unreadable');
  const parts = childrenOf(readDer(wrapped.content));
  const enclosed = parts.find((part) => part.tag === DER.sequence);
  const explicit = enclosed && childrenOf(enclosed).find((child) => child.tag === DER.explicit0);
  const certificates = parts.find((part) => part.tag === DER.explicit0);
  const signers = parts.findLast((part) => part.tag === DER.set);
  return {
    content: explicit ? octetsOf(readDer(explicit.content)) : null,
    certificates: certificates ? childrenOf(certificates).map((certificate) => certificate.raw) : [],
    signerSerials: (signers ? childrenOf(signers) : []).flatMap(serialOf),
  };
}

/** SignerInfo ::= { version, IssuerAndSerialNumber { issuer, serial }, … }. Empty when the signer is identified by key id. */
function serialOf(signer: DerElement): Buffer[] {
  const issuerAndSerial = childrenOf(signer)[1];
  const serial = issuerAndSerial?.tag === DER.sequence ? childrenOf(issuerAndSerial)[1] : undefined;
  return serial?.tag === DER.integer ? [serial.content] : [];
}
