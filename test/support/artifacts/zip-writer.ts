import { crc32, deflateRawSync } from 'node:zlib';

/** One file of a zip. `lies` overrides header fields with false values; omitted fields are correct. */
export interface ZipFile {
  readonly name: string | Buffer;
  readonly data: Buffer | string;
  readonly method?: number;
  /** Compressed bytes to store instead of the deflated `data`. */
  readonly compressed?: Buffer;
  readonly flags?: number;
  readonly attributes?: number;
  readonly extra?: Buffer;
  /** The alignment of the data, made by padding in the local header, as zipalign does. */
  readonly align?: number;
  /** The distance of the data from the alignment. */
  readonly misalign?: number;
  readonly lies?: {
    readonly crc?: number;
    readonly sizeBytes?: number;
    readonly compressedBytes?: number;
    readonly headerOffset?: number;
    readonly localName?: string;
    readonly localMethod?: number;
    readonly nameLength?: number;
    readonly extraLength?: number;
  };
}

export interface ZipOptions {
  readonly prefix?: Buffer;
  readonly comment?: Buffer;
  /** Bytes between the last file and the central directory, such as an APK Signing Block. */
  readonly beforeDirectory?: Buffer;
  readonly zip64?: boolean;
  readonly lies?: {
    readonly entries?: number;
    readonly directoryOffset?: number;
    readonly commentLength?: number;
    readonly disk?: number;
    readonly zip64Offset?: bigint;
    readonly zip64Entries?: bigint;
    readonly zip64DirectoryOffset?: bigint;
  };
}

interface Written {
  readonly file: ZipFile;
  readonly name: Buffer;
  readonly crc: number;
  readonly sizeBytes: number;
  readonly compressedBytes: number;
  readonly method: number;
  readonly offset: number;
}

const DEFLATED = 8;

/** Writes a zip (APPNOTE.TXT), correct by default. */
export function zip(files: readonly ZipFile[], options: ZipOptions = {}): Buffer {
  const parts: Buffer[] = [options.prefix ?? Buffer.alloc(0)];
  let offset = parts[0]?.length ?? 0;
  const written = files.map((file) => {
    const { local, entry } = writeFile(file, offset);
    parts.push(local);
    offset += local.length;
    return entry;
  });
  if (options.beforeDirectory) parts.push(options.beforeDirectory);
  const directoryOffset = offset + (options.beforeDirectory?.length ?? 0);
  const directory = Buffer.concat(written.map(directoryEntry));
  return Buffer.concat([...parts, directory, ...ending(written.length, directory.length, directoryOffset, options)]);
}

function writeFile(file: ZipFile, offset: number): { local: Buffer; entry: Written } {
  const data = Buffer.from(file.data);
  const method = file.method ?? DEFLATED;
  const compressed = file.compressed ?? (method === DEFLATED ? deflateRawSync(data) : data);
  const name = Buffer.from(file.name);
  const localName = file.lies?.localName === undefined ? name : Buffer.from(file.lies.localName);
  const entry: Written = {
    file,
    name,
    crc: file.lies?.crc ?? crc32(data),
    sizeBytes: file.lies?.sizeBytes ?? data.length,
    compressedBytes: file.lies?.compressedBytes ?? compressed.length,
    method,
    offset: file.lies?.headerOffset ?? offset,
  };
  const { align = 1, misalign = 0 } = file;
  const padding = Buffer.alloc(((align - ((offset + 30 + localName.length) % align)) % align) + misalign);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(file.flags ?? 0x800, 6);
  header.writeUInt16LE(file.lies?.localMethod ?? method, 8);
  header.writeUInt32LE(entry.crc, 14);
  header.writeUInt32LE(Math.min(entry.compressedBytes, 0xffffffff), 18);
  header.writeUInt32LE(Math.min(entry.sizeBytes, 0xffffffff), 22);
  header.writeUInt16LE(localName.length, 26);
  header.writeUInt16LE(padding.length, 28);
  return { local: Buffer.concat([header, localName, padding, compressed]), entry };
}

function directoryEntry({ file, name, crc, sizeBytes, compressedBytes, method, offset }: Written): Buffer {
  const extra = file.extra ?? Buffer.alloc(0);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(0x0314, 4);
  header.writeUInt16LE(20, 6);
  header.writeUInt16LE(file.flags ?? 0x800, 8);
  header.writeUInt16LE(method, 10);
  header.writeUInt32LE(crc, 16);
  header.writeUInt32LE(compressedBytes, 20);
  header.writeUInt32LE(sizeBytes, 24);
  header.writeUInt16LE(file.lies?.nameLength ?? name.length, 28);
  header.writeUInt16LE(file.lies?.extraLength ?? extra.length, 30);
  header.writeUInt32LE(file.attributes ?? (0o100644 << 16) >>> 0, 38);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, name, extra]);
}

function ending(count: number, directoryBytes: number, directoryOffset: number, options: ZipOptions): Buffer[] {
  const { lies = {}, comment = Buffer.alloc(0), zip64 = false } = options;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(lies.disk ?? 0, 4);
  end.writeUInt16LE(zip64 ? 0xffff : (lies.entries ?? count) & 0xffff, 8);
  end.writeUInt16LE(zip64 ? 0xffff : (lies.entries ?? count) & 0xffff, 10);
  end.writeUInt32LE(zip64 ? 0xffffffff : directoryBytes, 12);
  end.writeUInt32LE(zip64 ? 0xffffffff : (lies.directoryOffset ?? directoryOffset), 16);
  end.writeUInt16LE(lies.commentLength ?? comment.length, 20);
  if (!zip64) return [end, comment];
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(lies.zip64Entries ?? BigInt(count), 24);
  record.writeBigUInt64LE(lies.zip64Entries ?? BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(directoryBytes), 40);
  record.writeBigUInt64LE(lies.zip64DirectoryOffset ?? BigInt(directoryOffset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(lies.zip64Offset ?? BigInt(directoryOffset + directoryBytes), 8);
  locator.writeUInt32LE(1, 16);
  return [record, locator, end, comment];
}
