const SEGMENT_64 = 0x19;
const LC_UUID = 0x1b;

function command(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(type, 0);
  head.writeUInt32LE(8 + data.length, 4);
  return Buffer.concat([head, data]);
}

/** A thin executable with a segment, then the UUID, then some code. */
export function executable(uuid: string, { bits = 64 }: { bits?: 32 | 64 } = {}): Buffer {
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  const commands = [command(SEGMENT_64, Buffer.alloc(64)), command(LC_UUID, bytes)];
  const header = Buffer.alloc(bits === 64 ? 32 : 28);
  header.writeUInt32LE(bits === 64 ? 0xfeedfacf : 0xfeedface, 0);
  header.writeUInt32LE(commands.length, 16);
  header.writeUInt32LE(Buffer.concat(commands).length, 20);
  return Buffer.concat([header, ...commands, Buffer.alloc(100, 0x1f)]);
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
