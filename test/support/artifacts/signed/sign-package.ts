import { createHash, X509Certificate } from 'node:crypto';
import { signWithKey } from '../der-writer';
import { blockOf, type BlockPair, joined, partsOf } from './signed-package';

const CHUNK_BYTES = 1024 * 1024;
const PAGE_BYTES = 4096;
const ECDSA_SHA256 = 0x0201;
const VERITY = [0x0421, 0x0423, 0x0425];
const IDS = { v2: 0x7109871a, v3: 0xf05368c0, 'v3.1': 0x1b93ad61 } as const;
const PADDING_ID = 0x42726577;
/** The API levels of the signers. */
const RANGES = { v2: [], v3: [28, 0x7fffffff], 'v3.1': [33, 0x7fffffff] } as const;
/** In v2: another scheme that the package is also signed with. */
const STRIPPING_PROTECTION = 0xbeeff00d;

export type BlockScheme = keyof typeof IDS;

/** A scheme with other properties than `apksigner` gives it. */
export interface SchemeSigner {
  readonly scheme: BlockScheme;
  readonly certificate?: Buffer;
  /** The ids of the signature algorithms, all with the key of the generated certificates. */
  readonly algorithms?: readonly number[];
  /** The API levels. */
  readonly range?: readonly [minSdk: number, maxSdk: number];
  readonly attributes?: readonly { readonly id: number; readonly value: number }[];
  /** Writes signatures that nobody made. */
  readonly isForged?: true;
}

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

/** The root of the tree of fs-verity over the contents, and their length. */
function verityDigest(contents: Buffer): Buffer {
  const hashPages = (bytes: Buffer): Buffer[] =>
    Array.from({ length: Math.ceil(bytes.length / PAGE_BYTES) }, (_, at) => {
      const page = Buffer.alloc(PAGE_BYTES);
      bytes.copy(page, 0, at * PAGE_BYTES);
      return sha256(Buffer.alloc(8), page);
    });
  let level = hashPages(contents);
  while (level.length > PAGE_BYTES / 32) level = hashPages(Buffer.concat(level));
  return Buffer.concat([...hashPages(Buffer.concat(level)), u32(contents.length), u32(0)]);
}

const inPages = (bytes: Buffer): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((PAGE_BYTES - (bytes.length % PAGE_BYTES)) % PAGE_BYTES)]);

/**
 * Signs a package as `apksigner` does, with the key of the generated certificates. The archive must have no comment.
 * @param certificate of the signer.
 */
export function signPackage(
  unsigned: Buffer,
  schemes: readonly (BlockScheme | SchemeSigner)[],
  certificate: Buffer,
): Buffer {
  const signers = schemes.map((each): SchemeSigner => (typeof each === 'string' ? { scheme: each } : each));
  const usesVerity = signers.some(({ algorithms = [] }) => algorithms.some((id) => VERITY.includes(id)));
  const { contents: packed, directory, end } = partsOf(unsigned);
  const contents = usesVerity ? inPages(packed) : packed;
  const record = Buffer.from(end);
  record.writeUInt32LE(contents.length, 16);
  const digests = [contents, directory, record].flatMap(chunkDigests);
  const chunked = sha256(Buffer.from([0x5a]), u32(digests.length), ...digests);
  const verity = verityDigest(Buffer.concat([contents, directory, record]));
  const announced = signers.map(({ scheme }) => scheme);
  const isStrippable = announced.includes('v2') && announced.includes('v3');
  const pairs = signers.map((signer): BlockPair => {
    const { scheme, attributes = [] } = signer;
    const protection = scheme === 'v2' && isStrippable ? [{ id: STRIPPING_PROTECTION, value: 3 }] : [];
    const complete = { certificate, ...signer, attributes: [...protection, ...attributes] };
    return { id: IDS[scheme], value: signatureOf(complete, (id) => (VERITY.includes(id) ? verity : chunked)) };
  });
  return joined({ contents, directory, end, pairs: usesVerity ? padded(pairs) : pairs });
}

/** The pairs with another one that makes their block end with a page. */
export function padded(pairs: readonly BlockPair[]): BlockPair[] {
  const padding = { id: PADDING_ID, value: Buffer.alloc(0) };
  const missing = PAGE_BYTES - (blockOf([...pairs, padding]).length % PAGE_BYTES);
  return [...pairs, { ...padding, value: Buffer.alloc(missing % PAGE_BYTES) }];
}

function signatureOf(signer: SchemeSigner & { certificate: Buffer }, digestOf: (algorithm: number) => Buffer): Buffer {
  const { scheme, certificate, algorithms = [ECDSA_SHA256], attributes = [], isForged } = signer;
  const range = (signer.range ?? RANGES[scheme]).map(u32);
  const itemsOf = (bytesOf: (algorithm: number) => Buffer): Buffer =>
    prefixed(...algorithms.map((id) => prefixed(u32(id), prefixed(bytesOf(id)))));
  const attributeItems = attributes.map(({ id, value }) => prefixed(u32(id), u32(value)));
  const certificates = prefixed(prefixed(certificate));
  const signedData = Buffer.concat([itemsOf(digestOf), certificates, ...range, prefixed(...attributeItems)]);
  const made = signWithKey(signedData);
  const signature = isForged ? Buffer.alloc(256, 2) : made.signature;
  const publicKey = isForged ? publicKeyOf(certificate) : made.publicKey;
  return prefixed(
    prefixed(
      prefixed(signedData),
      ...range,
      itemsOf(() => signature),
      prefixed(publicKey),
    ),
  );
}

const publicKeyOf = (certificate: Buffer): Buffer =>
  new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' });
