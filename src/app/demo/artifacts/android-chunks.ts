/** The building blocks shared by Android's binary XML and resource table (AOSP, ResourceTypes.h). All little-endian. */

export const ChunkType = {
  stringPool: 0x0001,
  table: 0x0002,
  xml: 0x0003,
  startNamespace: 0x0100,
  endNamespace: 0x0101,
  startElement: 0x0102,
  endElement: 0x0103,
  resourceMap: 0x0180,
  package: 0x0200,
  type: 0x0201,
  typeSpec: 0x0202,
} as const;

export const ValueType = { reference: 0x01, string: 0x03, decimal: 0x10, boolean: 0x12 } as const;

/** No string, no comment, no namespace. */
export const NONE = 0xffffffff;

export const u16 = (...numbers: number[]): Buffer => Buffer.from(Uint16Array.from(numbers).buffer);
export const u32 = (...numbers: number[]): Buffer => Buffer.from(Uint32Array.from(numbers).buffer);

/** A chunk: type, size of the header, size of it all, the rest of the header, the body. */
export function chunk(type: number, header: Buffer, ...body: Buffer[]): Buffer {
  const headerSize = 8 + header.length;
  const content = Buffer.concat(body);
  return Buffer.concat([u16(type, headerSize), u32(headerSize + content.length), header, content]);
}

/** `Res_value`: a typed 32-bit value. */
export const value = (type: number, data: number): Buffer => Buffer.concat([u16(8), Buffer.from([0, type]), u32(data)]);

/** A pool of UTF-8 strings, referred to by their index. */
export function stringPool(strings: readonly string[]): Buffer {
  const encoded = strings.map(encodeString);
  const offsets = encoded.map((_, index) => encoded.slice(0, index).reduce((sum, { length }) => sum + length, 0));
  const data = Buffer.concat(encoded);
  const padding = Buffer.alloc(-data.length & 3);
  const headerSize = 28;
  const header = u32(strings.length, 0, UTF8_FLAG, headerSize + 4 * strings.length, 0);
  return chunk(ChunkType.stringPool, header, u32(...offsets), data, padding);
}

const UTF8_FLAG = 1 << 8;

/** Its length in UTF-16 units, its length in bytes, the bytes, a zero. */
function encodeString(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([encodeLength(text.length), encodeLength(bytes.length), bytes, Buffer.from([0])]);
}

const encodeLength = (length: number): Buffer =>
  Buffer.from(length > 0x7f ? [0x80 | (length >> 8), length & 0xff] : [length]);
