import { createHash } from 'node:crypto';
import { signWithKey } from '../der-writer';
import { type BlockPair, joined, partsOf } from './signed-package';

const CHUNK_BYTES = 1024 * 1024;
const ECDSA_SHA256 = 0x0201;
const IDS = { v2: 0x7109871a, v3: 0xf05368c0, 'v3.1': 0x1b93ad61 } as const;
/** The API levels of the signers. */
const RANGES = { v2: [], v3: [28, 0x7fffffff], 'v3.1': [33, 0x7fffffff] } as const;
/** In v2: another scheme that the package is also signed with. */
const STRIPPING_PROTECTION = 0xbeeff00d;

export type BlockScheme = keyof typeof IDS;

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

const prefixed = (...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length), body]);
};

const sha256 = (...parts: readonly Buffer[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

function chunkDigests(section: Buffer): Buffer[] {
  const digests: Buffer[] = [];
  for (let at = 0; at < section.length; at += CHUNK_BYTES) {
    const chunk = section.subarray(at, at + CHUNK_BYTES);
    digests.push(sha256(Buffer.from([0xa5]), u32(chunk.length), chunk));
  }
  return digests;
}

/**
 * Signs a package as `apksigner` does, with the key of the generated certificates. The archive must have no comment.
 * @param certificate of the signer.
 */
export function signPackage(unsigned: Buffer, schemes: readonly BlockScheme[], certificate: Buffer): Buffer {
  const parts = partsOf(unsigned);
  const digests = [parts.contents, parts.directory, parts.end].flatMap(chunkDigests);
  const digest = sha256(Buffer.from([0x5a]), u32(digests.length), ...digests);
  const isStrippable = schemes.includes('v2') && schemes.includes('v3');
  const pairs = schemes.map((scheme): BlockPair => {
    const attributes = scheme === 'v2' && isStrippable ? prefixed(u32(STRIPPING_PROTECTION), u32(3)) : Buffer.alloc(0);
    return { id: IDS[scheme], value: signatureOf(scheme, digest, certificate, attributes) };
  });
  return joined({ ...parts, pairs });
}

function signatureOf(scheme: BlockScheme, digest: Buffer, certificate: Buffer, attributes: Buffer): Buffer {
  const range = RANGES[scheme].map(u32);
  const itemOf = (bytes: Buffer): Buffer => prefixed(prefixed(u32(ECDSA_SHA256), prefixed(bytes)));
  const signedData = Buffer.concat([itemOf(digest), prefixed(prefixed(certificate)), ...range, prefixed(attributes)]);
  const { signature, publicKey } = signWithKey(signedData);
  return prefixed(prefixed(prefixed(signedData), ...range, itemOf(signature), prefixed(publicKey)));
}
