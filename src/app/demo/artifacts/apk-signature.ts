import { createHash, sign } from 'node:crypto';
import { u32 } from './android-chunks';
import { type Signer } from './self-signed-certificate';

const ECDSA_WITH_SHA256 = 0x0201;
const V2_BLOCK_ID = 0x7109871a;
const MAGIC = Buffer.from('APK Sig Block 42', 'latin1');
const DIGEST_CHUNK_BYTES = 1 << 20;
/** End of central directory (APPNOTE.TXT §4.3.16), in an archive without a comment. */
const END_RECORD_BYTES = 22;
const DIRECTORY_OFFSET_AT = 16;

/**
 * Signs an APK by the APK Signature Scheme v2 (source.android.com/docs/security/features/apksigning/v2): digests of its three
 * sections, signed, in a block between the entries and the central directory.
 */
export function signApk(apk: Buffer, signer: Signer): Buffer {
  const end = apk.subarray(apk.length - END_RECORD_BYTES);
  const directoryAt = end.readUInt32LE(DIRECTORY_OFFSET_AT);
  const entries = apk.subarray(0, directoryAt);
  const directory = apk.subarray(directoryAt, apk.length - END_RECORD_BYTES);
  const block = signingBlock(signerBlock(digest([entries, directory, end]), signer));
  const newEnd = Buffer.from(end);
  newEnd.writeUInt32LE(directoryAt + block.length, DIRECTORY_OFFSET_AT);
  return Buffer.concat([entries, block, directory, newEnd]);
}

/** Every mebibyte of every section, then all of those. The end record counts as it was: pointing at where the block will be. */
function digest(sections: readonly Buffer[]): Buffer {
  const chunks = sections.flatMap((section) =>
    Array.from({ length: Math.ceil(section.length / DIGEST_CHUNK_BYTES) }, (_, index) =>
      section.subarray(index * DIGEST_CHUNK_BYTES, (index + 1) * DIGEST_CHUNK_BYTES),
    ),
  );
  const digests = chunks.map((chunk) => sha256(Buffer.from([0xa5]), u32(chunk.length), chunk));
  return sha256(Buffer.from([0x5a]), u32(chunks.length), ...digests);
}

function signerBlock(contentDigest: Buffer, { certificate, privateKey, publicKey }: Signer): Buffer {
  const algorithm = u32(ECDSA_WITH_SHA256);
  const digests = sized(sized(algorithm, sized(contentDigest)));
  const noAttributes = sized();
  const signedData = Buffer.concat([digests, sized(sized(certificate)), noAttributes]);
  const signature = sized(sized(algorithm, sized(sign('sha256', signedData, privateKey))));
  return sized(sized(sized(signedData), signature, sized(publicKey)));
}

function signingBlock(v2: Buffer): Buffer {
  const pair = Buffer.concat([u64(4 + v2.length), u32(V2_BLOCK_ID), v2]);
  const size = u64(pair.length + 8 + MAGIC.length);
  return Buffer.concat([size, pair, size, MAGIC]);
}

const sha256 = (...parts: Buffer[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

/** Prefixed with its length in bytes. */
function sized(...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([u32(content.length), content]);
}

function u64(number: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(number));
  return bytes;
}
