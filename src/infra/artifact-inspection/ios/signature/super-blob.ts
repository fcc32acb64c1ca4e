import { createHash } from 'node:crypto';
import { inspectionError } from '../../inspection-errors';
import { LIMITS } from '../../limits/limits';
import { type WorkBudget } from '../../limits/work-budget';

const SUPER_BLOB = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
const HEADER_BYTES = 8;
const ALTERNATE_DIRECTORIES = 0x1000;
const MAX_DIRECTORIES = 5;
const CMS = 0x10000;
const AD_HOC = 0x2;
const DIRECTORY_BYTES = 44;

/** Blobs of a code signature, by their slot. */
export const SLOT = { info: 1, requirements: 2, resources: 3, entitlements: 5, derEntitlements: 7 } as const;

/** The hash functions of a CodeDirectory, by their number. */
const HASHES: Readonly<Record<number, { readonly name: string; readonly bytes: number }>> = {
  1: { name: 'sha1', bytes: 20 },
  2: { name: 'sha256', bytes: 32 },
  3: { name: 'sha256', bytes: 20 },
  4: { name: 'sha384', bytes: 48 },
};

/** The list of hashes that a code signature signs. */
export interface CodeDirectory {
  /** The whole blob, over which the signature is made. */
  readonly raw: Buffer;
  readonly identifier: string;
  /** Whether the code was signed without a certificate. */
  readonly isAdHoc: boolean;
  /**
   * Whether a content is the one that a slot seals. `null` when the slot is empty, or its hash function is not known. Counts what it hashes
   * in the budget, because many directories can seal the same content.
   */
  readonly seals: (slot: number, content: Buffer) => boolean | null;
}

/** The embedded signature of an executable for one architecture. */
export interface CodeSignature {
  /** The first one is signed; further ones have the same content for other hash functions. */
  readonly directories: readonly CodeDirectory[];
  /** Blobs by slot, with their headers. */
  readonly blobs: ReadonlyMap<number, Buffer>;
  /** The CMS signature of the first directory. `null` without one. */
  readonly cms: Buffer | null;
}

/** Reads an embedded code signature. Throws when it is malformed: call it in `orNull`. */
export function readCodeSignature(bytes: Buffer, budget: WorkBudget): CodeSignature {
  if (bytes.readUInt32BE(0) !== SUPER_BLOB) throw inspectionError('unreadable');
  const count = bytes.readUInt32BE(8);
  if (count > LIMITS.codeSignatureBlobs) throw inspectionError('unreadable');
  const blobs = new Map<number, Buffer>();
  for (let at = 12; at < 12 + count * 8; at += 8) {
    const slot = bytes.readUInt32BE(at);
    if (blobs.has(slot)) throw inspectionError('unreadable');
    blobs.set(slot, blobAt(bytes, bytes.readUInt32BE(at + 4)));
  }
  const slots = [0, ...Array.from({ length: MAX_DIRECTORIES }, (_, index) => ALTERNATE_DIRECTORIES + index)];
  const directories = slots.flatMap((slot) => blobs.get(slot) ?? []).map((raw) => readDirectory(raw, budget));
  if (!blobs.has(0)) throw inspectionError('unreadable');
  const cms = blobs.get(CMS)?.subarray(HEADER_BYTES);
  return { directories, blobs, cms: cms && cms.length > 0 ? cms : null };
}

/** The content of a blob, without its header. */
export const contentOf = (blob: Buffer): Buffer => blob.subarray(HEADER_BYTES);

function blobAt(bytes: Buffer, offset: number): Buffer {
  const length = bytes.readUInt32BE(offset + 4);
  if (length < HEADER_BYTES || offset + length > bytes.length) throw inspectionError('unreadable');
  return bytes.subarray(offset, offset + length);
}

/**
 * CodeDirectory: magic, length, version, flags, hash offset, identifier offset, number of special slots, number of code slots, code limit,
 * hash size, hash type, … Special slots are before the hash offset, the first one last.
 */
function readDirectory(raw: Buffer, budget: WorkBudget): CodeDirectory {
  if (raw.readUInt32BE(0) !== CODE_DIRECTORY || raw.length < DIRECTORY_BYTES) throw inspectionError('unreadable');
  const [flags, hashOffset, identifierOffset, slots] = [12, 16, 20, 24].map((at) => raw.readUInt32BE(at)) as [
    number,
    number,
    number,
    number,
  ];
  const hash = HASHES[raw.readUInt8(37)];
  const hashBytes = raw.readUInt8(36);
  const end = raw.indexOf(0, identifierOffset);
  if (hashOffset > raw.length || slots * hashBytes > hashOffset || identifierOffset > raw.length || end < 0)
    throw inspectionError('unreadable');
  return {
    raw,
    identifier: raw.toString('utf8', identifierOffset, Math.min(end, identifierOffset + LIMITS.nameLength)),
    isAdHoc: (flags & AD_HOC) !== 0,
    seals: (slot, content) => {
      if (!hash || hash.bytes !== hashBytes || slot > slots) return null;
      const sealed = raw.subarray(hashOffset - slot * hashBytes, hashOffset - (slot - 1) * hashBytes);
      if (sealed.every((byte) => byte === 0)) return null;
      budget.countUnpacked(content.length);
      return createHash(hash.name).update(content).digest().subarray(0, hashBytes).equals(sealed);
    },
  };
}
