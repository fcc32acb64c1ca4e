import { createHash } from 'node:crypto';
import { certificate, jarBlock, name } from '../der-writer';
import { type PlistInput, xmlPlist } from '../plist-writer';

const SUBJECT = { CN: 'Apple Distribution: Example GmbH' };

/** The certificate of the profiles that the generator makes. */
export const APPLE_CERTIFICATE = certificate(SUBJECT);
export const APPLE_ISSUER = name(SUBJECT);

export interface CodeSignatureOptions {
  readonly identifier: string;
  readonly info?: Buffer;
  readonly codeResources?: Buffer;
  readonly entitlements?: Readonly<Record<string, PlistInput>>;
  /** The hash functions, in the order of the directories. */
  readonly hashes?: readonly ('sha1' | 'sha256' | 'sha384')[];
  /** A signature without a certificate. */
  readonly adHoc?: boolean;
  /** The CMS signature of the first directory. */
  readonly cms?: (directory: Buffer) => Buffer;
}

const TYPES = { sha1: 1, sha256: 2, sha384: 4 } as const;
const SPECIAL_SLOTS = 7;

function blob(magic: number, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(magic, 0);
  head.writeUInt32BE(8 + content.length, 4);
  return Buffer.concat([head, content]);
}

/** A CodeDirectory (version 0x20200) with the special slots that have a content, and one page of code. */
function directory(
  hash: keyof typeof TYPES,
  { identifier, adHoc }: CodeSignatureOptions,
  slots: readonly (Buffer | undefined)[],
): Buffer {
  const digest = (content: Buffer): Buffer => createHash(hash).update(content).digest();
  const size = digest(Buffer.alloc(0)).length;
  const special = Array.from({ length: SPECIAL_SLOTS }, (_, index) => {
    const content = slots[SPECIAL_SLOTS - index];
    return content ? digest(content) : Buffer.alloc(size);
  });
  const texts = Buffer.from(`${identifier}\0ABCDE12345\0`);
  const head = Buffer.alloc(44);
  const hashOffset = 8 + head.length + texts.length + SPECIAL_SLOTS * size;
  head.writeUInt32BE(0x20200, 0);
  head.writeUInt32BE(adHoc ? 2 : 0, 4);
  head.writeUInt32BE(hashOffset, 8);
  head.writeUInt32BE(8 + head.length, 12);
  head.writeUInt32BE(SPECIAL_SLOTS, 16);
  head.writeUInt32BE(1, 20);
  head.writeUInt32BE(4096, 24);
  head.set([size, TYPES[hash], 0, 12], 28);
  head.writeUInt32BE(8 + head.length + Buffer.byteLength(identifier) + 1, 40);
  return blob(0xfade0c02, Buffer.concat([head, texts, ...special, digest(Buffer.alloc(4096))]));
}

/** A SuperBlob of blobs by slot. */
export function superBlob(blobs: readonly (readonly [number, Buffer])[]): Buffer {
  const index = Buffer.alloc(4 + blobs.length * 8);
  index.writeUInt32BE(blobs.length, 0);
  let offset = 8 + index.length;
  blobs.forEach(([slot, bytes], at) => {
    index.writeUInt32BE(slot, 4 + at * 8);
    index.writeUInt32BE(offset, 8 + at * 8);
    offset += bytes.length;
  });
  return blob(0xfade0cc0, Buffer.concat([index, ...blobs.map(([, bytes]) => bytes)]));
}

/** An embedded code signature, as Apple's signer writes it. */
export function codeSignature(options: CodeSignatureOptions): Buffer {
  const { info, codeResources, entitlements, hashes = ['sha256'], adHoc = false } = options;
  const requirements = blob(0xfade0c01, Buffer.alloc(4));
  const claims = entitlements && blob(0xfade7171, Buffer.from(xmlPlist({ ...entitlements })));
  const slots = [undefined, info, requirements, codeResources, undefined, claims];
  const directories = hashes.map((hash) => directory(hash, options, slots));
  const cms = options.cms ?? ((signed: Buffer) => jarBlock(signed, APPLE_CERTIFICATE, APPLE_ISSUER));
  return superBlob([
    ...directories.map((bytes, index) => [index === 0 ? 0 : 0x1000 + index - 1, bytes] as const),
    [2, requirements],
    ...(claims ? [[5, claims] as const] : []),
    [0x10000, blob(0xfade0b01, adHoc ? Buffer.alloc(0) : cms(directories[0]!))],
  ]);
}
