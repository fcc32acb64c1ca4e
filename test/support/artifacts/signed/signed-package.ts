import { inflateRawSync } from 'node:zlib';
import { zip, type ZipFile } from '../zip-writer';

const END_BYTES = 22;
const FOOTER_BYTES = 24;

/** One id-value pair of an APK Signing Block. */
export interface BlockPair {
  readonly id: number;
  readonly value: Buffer;
}

/** The parts of a package whose archive has no comment. */
export interface SignedPackage {
  readonly contents: Buffer;
  /** Empty without a signing block. */
  readonly pairs: readonly BlockPair[];
  readonly directory: Buffer;
  readonly end: Buffer;
}

export function partsOf(bytes: Buffer): SignedPackage {
  const end = bytes.subarray(bytes.length - END_BYTES);
  const directoryAt = end.readUInt32LE(16);
  const hasBlock = bytes.toString('latin1', directoryAt - 16, directoryAt) === 'APK Sig Block 42';
  const blockAt = hasBlock ? directoryAt - Number(bytes.readBigUInt64LE(directoryAt - FOOTER_BYTES)) - 8 : directoryAt;
  return {
    contents: bytes.subarray(0, blockAt),
    pairs: hasBlock ? pairsOf(bytes.subarray(blockAt + 8, directoryAt - FOOTER_BYTES)) : [],
    directory: bytes.subarray(directoryAt, bytes.length - END_BYTES),
    end,
  };
}

function pairsOf(bytes: Buffer): BlockPair[] {
  const pairs: BlockPair[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = Number(bytes.readBigUInt64LE(at));
    pairs.push({ id: bytes.readUInt32LE(at + 8), value: bytes.subarray(at + 12, at + 8 + length) });
    at += 8 + length;
  }
  return pairs;
}

const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};

/** An APK Signing Block; empty without pairs. */
export function blockOf(pairs: readonly BlockPair[]): Buffer {
  if (pairs.length === 0) return Buffer.alloc(0);
  const body = pairs.map(({ id, value }) => {
    const head = Buffer.alloc(4);
    head.writeUInt32LE(id);
    return Buffer.concat([u64(value.length + 4), head, value]);
  });
  const size = u64(Buffer.concat(body).length + FOOTER_BYTES);
  return Buffer.concat([size, ...body, size, Buffer.from('APK Sig Block 42')]);
}

/** Puts the parts together. The end record then has the place of the directory. */
export function joined({ contents, pairs, directory, end }: SignedPackage): Buffer {
  const block = blockOf(pairs);
  const last = Buffer.from(end);
  last.writeUInt32LE(contents.length + block.length, 16);
  return Buffer.concat([contents, block, directory, last]);
}

/** The files of a package, in order of the directory. */
export function filesOf(bytes: Buffer): ZipFile[] {
  const { directory } = partsOf(bytes);
  const files: ZipFile[] = [];
  for (let at = 0; at < directory.length;) {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field));
    const name = directory.toString('utf8', at + 46, at + 46 + (nameBytes ?? 0));
    const local = directory.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(start, start + directory.readUInt32LE(at + 20));
    const method = directory.readUInt16LE(at + 10);
    files.push({ name, data: method === 0 ? packed : inflateRawSync(packed), method });
    at += 46 + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0);
  }
  return files;
}

/** Writes the files of a package again, with the same signing block. */
export const rewritten = (bytes: Buffer, files: readonly ZipFile[]): Buffer =>
  zip(files, { beforeDirectory: blockOf(partsOf(bytes).pairs) });
