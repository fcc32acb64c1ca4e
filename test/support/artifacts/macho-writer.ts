const SEGMENT_64 = 0x19;
const LC_UUID = 0x1b;
const LC_CODE_SIGNATURE = 0x1d;
const LC_ENCRYPTION_INFO_64 = 0x2c;
const LC_BUILD_VERSION = 0x32;

export const CPU = { arm: 0x0c, arm64: 0x0100000c, x86_64: 0x01000007 } as const;

export interface ExecutableOptions {
  readonly bits?: 32 | 64;
  readonly cpu?: number;
  /** 2: program, 6: library. Without one, devices do not load the file. */
  readonly fileType?: number;
  /** Follows the code. */
  readonly signature?: Buffer;
  readonly encrypted?: boolean;
  /** 2: iOS, 7: simulator. */
  readonly platform?: number;
  readonly code?: Buffer;
  /** Overrides the place of the signature. */
  readonly lies?: { readonly signatureOffset?: number; readonly signatureBytes?: number; readonly commands?: number };
}

function command(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(type, 0);
  head.writeUInt32LE(8 + data.length, 4);
  return Buffer.concat([head, data]);
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32LE(value, index * 4));
  return bytes;
}

/** A thin executable with a segment, the UUID, other commands, some code, and its signature. */
export function executable(uuid: string, options: ExecutableOptions = {}): Buffer {
  const { bits = 64, code = Buffer.alloc(100, 0x1f), signature, platform, lies = {} } = options;
  const commands = [
    command(SEGMENT_64, Buffer.alloc(64)),
    command(LC_UUID, Buffer.from(uuid.replaceAll('-', ''), 'hex')),
    ...(platform === undefined ? [] : [command(LC_BUILD_VERSION, words(platform, 0xf0000, 0x110000, 0))]),
    ...(options.encrypted === undefined
      ? []
      : [command(LC_ENCRYPTION_INFO_64, words(0x4000, 0x4000, options.encrypted ? 1 : 0, 0))]),
  ];
  const header = Buffer.alloc(bits === 64 ? 32 : 28);
  const headBytes = header.length + Buffer.concat(commands).length + (signature ? 16 : 0);
  if (signature) {
    const place = words(lies.signatureOffset ?? headBytes + code.length, lies.signatureBytes ?? signature.length);
    commands.push(command(LC_CODE_SIGNATURE, place));
  }
  header.writeUInt32LE(bits === 64 ? 0xfeedfacf : 0xfeedface, 0);
  header.writeUInt32LE(options.cpu ?? 0, 4);
  header.writeUInt32LE(options.fileType ?? 0, 12);
  header.writeUInt32LE(lies.commands ?? commands.length, 16);
  header.writeUInt32LE(Buffer.concat(commands).length, 20);
  return Buffer.concat([header, ...commands, code, ...(signature ? [signature] : [])]);
}

/** A fat executable of thin ones. */
export function fatExecutable(slices: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(8 + slices.length * 20);
  header.writeUInt32BE(0xcafebabe, 0);
  header.writeUInt32BE(slices.length, 4);
  let offset = header.length;
  for (const [index, slice] of slices.entries()) {
    header.writeUInt32BE(offset, 8 + index * 20 + 8);
    header.writeUInt32BE(slice.length, 8 + index * 20 + 12);
    offset += slice.length;
  }
  return Buffer.concat([header, ...slices]);
}
