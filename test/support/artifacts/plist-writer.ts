/** A value of a property list. */
export type PlistInput = string | number | boolean | Date | Buffer | PlistInput[] | { [key: string]: PlistInput };

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n';

/** An XML property list with the given body. */
export const xmlDocument = (body: string): string => `${HEAD}<plist version="1.0">${body}</plist>`;

/** An XML property list of a value. */
export const xmlPlist = (value: PlistInput): string => xmlDocument(xml(value));

function xml(value: PlistInput): string {
  if (typeof value === 'string') return `<string>${escaped(value)}</string>`;
  if (typeof value === 'number') return `<integer>${value}</integer>`;
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>';
  if (value instanceof Date) return `<date>${value.toISOString().replace(/\.\d+Z/, 'Z')}</date>`;
  if (Buffer.isBuffer(value)) return `<data>${value.toString('base64')}</data>`;
  if (Array.isArray(value)) return `<array>${value.map(xml).join('')}</array>`;
  const members = Object.entries(value).map(([key, member]) => `<key>${escaped(key)}</key>${xml(member)}`);
  return `<dict>${members.join('\n')}</dict>`;
}

/** A binary property list of a value. */
export function binaryPlist(root: PlistInput): Buffer {
  const objects: Buffer[] = [];
  const add = (value: PlistInput): number => {
    const index = objects.push(Buffer.alloc(0)) - 1;
    objects[index] = encode(value, add);
    return index;
  };
  add(root);
  return binaryPlistOf(objects);
}

/**
 * A binary property list of encoded objects, the first being the root. References are two bytes wide. @param lies overrides the trailer.
 */
export function binaryPlistOf(
  objects: readonly Buffer[],
  lies: { count?: number; root?: number; table?: number } = {},
): Buffer {
  const offsets = Buffer.alloc(objects.length * 4);
  let offset = 8;
  objects.forEach((object, index) => {
    offsets.writeUInt32BE(offset, index * 4);
    offset += object.length;
  });
  const trailer = Buffer.alloc(32);
  trailer.set([4, 2], 6);
  trailer.writeBigUInt64BE(BigInt(lies.count ?? objects.length), 8);
  trailer.writeBigUInt64BE(BigInt(lies.root ?? 0), 16);
  trailer.writeBigUInt64BE(BigInt(lies.table ?? offset), 24);
  return Buffer.concat([Buffer.from('bplist00'), ...objects, offsets, trailer]);
}

/** A marker with a count, in the low nibble or in an integer after it. */
export function sized(type: number, count: number): Buffer {
  if (count < 15) return Buffer.from([(type << 4) | count]);
  const head = Buffer.from([(type << 4) | 0xf, 0x12, 0, 0, 0, 0]);
  head.writeUInt32BE(count, 2);
  return head;
}

/** An array (type 0xa) or dictionary (type 0xd) of references. */
export function references(type: number, count: number, indices: readonly number[]): Buffer {
  const refs = Buffer.alloc(indices.length * 2);
  indices.forEach((index, at) => refs.writeUInt16BE(index, at * 2));
  return Buffer.concat([sized(type, count), refs]);
}

function encode(value: PlistInput, add: (value: PlistInput) => number): Buffer {
  if (typeof value === 'string') {
    if (/^[\x00-\x7f]*$/.test(value)) return Buffer.concat([sized(5, value.length), Buffer.from(value, 'latin1')]);
    return Buffer.concat([sized(6, value.length), Buffer.from(value, 'utf16le').swap16()]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(5, 0x12);
    bytes.writeUInt32BE(value, 1);
    return bytes;
  }
  if (typeof value === 'boolean') return Buffer.from([value ? 9 : 8]);
  if (value instanceof Date) {
    const bytes = Buffer.alloc(9, 0x33);
    bytes.writeDoubleBE(value.getTime() / 1000 - 978_307_200, 1);
    return bytes;
  }
  if (Buffer.isBuffer(value)) return Buffer.concat([sized(4, value.length), value]);
  if (Array.isArray(value)) return references(0xa, value.length, value.map(add));
  const entries = Object.entries(value);
  const keys = entries.map(([key]) => add(key));
  return references(0xd, entries.length, [...keys, ...entries.map(([, member]) => add(member))]);
}
