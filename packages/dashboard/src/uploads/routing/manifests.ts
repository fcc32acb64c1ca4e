const textOf = (bytes: Uint8Array, encoding = 'utf-8'): string => new TextDecoder(encoding).decode(bytes);

/** A file that names more, or longer, parts is not of an app. Without limits it could stop the browser. */
const MAX_PARTS = 1000;

/** Reads texts of an Info.plist, which is XML or binary, by their keys. */
export function plistTexts(bytes: Uint8Array): ReadonlyMap<string, string> {
  if (textOf(bytes.subarray(0, 6)) !== 'bplist') {
    const pairs = textOf(bytes).matchAll(/<key>([^<]+)<\/key>\s*<string>([^<]*)<\/string>/g);
    return new Map(Array.from(pairs, ([, key = '', value = '']) => [key, value]));
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const trailer = bytes.length - 32;
  const numberAt = (at: number, size: number): number =>
    bytes.subarray(at, at + size).reduce((sum, byte) => sum * 256 + byte, 0);
  const [offsetSize, referenceSize] = [view.getUint8(trailer + 6), view.getUint8(trailer + 7)];
  const [top, offsets] = [numberAt(trailer + 16, 8), numberAt(trailer + 24, 8)];
  const placeOf = (index: number): number => numberAt(offsets + index * offsetSize, offsetSize);
  /** The kind of an object, the number of its parts, and where they begin. */
  const head = (at: number): readonly [kind: number, count: number, start: number] => {
    const marker = view.getUint8(at);
    if ((marker & 15) !== 15) return [marker >> 4, marker & 15, at + 1];
    const size = 2 ** (view.getUint8(at + 1) & 15);
    return [marker >> 4, numberAt(at + 2, size), at + 2 + size];
  };
  const text = (index: number): string => {
    const [kind, count, start] = head(placeOf(index));
    if (count > MAX_PARTS) return '';
    if (kind === 5) return textOf(bytes.subarray(start, start + count));
    return kind === 6 ? textOf(bytes.subarray(start, start + 2 * count), 'utf-16be') : '';
  };
  const [, count, start] = head(placeOf(top));
  if (count > MAX_PARTS) throw new RangeError('The list of properties is too long.');
  const referenceAt = (index: number): number => numberAt(start + index * referenceSize, referenceSize);
  return new Map(
    Array.from({ length: count }, (_, index) => [text(referenceAt(index)), text(referenceAt(count + index))]),
  );
}

const STRING_POOL = 8;
const START_ELEMENT = 0x0102;
const UTF_8 = 1 << 8;
const ATTRIBUTE_BYTES = 20;

/** The application id of an AndroidManifest.xml in the binary form of an .apk; null when it cannot be read. */
export function apkPackage(bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const u16 = (at: number): number => view.getUint16(at, true);
  const u32 = (at: number): number => view.getUint32(at, true);
  const isUtf8 = (u32(STRING_POOL + 16) & UTF_8) !== 0;
  const strings = STRING_POOL + u32(STRING_POOL + 20);
  const text = (index: number): string => {
    let at = strings + u32(STRING_POOL + 28 + 4 * index);
    if (!isUtf8) return textOf(bytes.subarray(at + 2, at + 2 + 2 * u16(at)), 'utf-16le');
    // The number of characters, then that of bytes, each in one byte or two.
    at += view.getUint8(at) > 127 ? 2 : 1;
    const size = view.getUint8(at);
    return textOf(bytes.subarray(at + 1, at + 1 + size));
  };
  for (let at = STRING_POOL; at + 8 <= bytes.length && u32(at + 4) > 0; at += u32(at + 4)) {
    if (u16(at) !== START_ELEMENT) continue;
    const first = at + 16 + u16(at + 24);
    const values = Array.from(
      { length: Math.min(u16(at + 28), MAX_PARTS) },
      (_, index) => first + index * ATTRIBUTE_BYTES,
    );
    const found = values.find((attribute) => text(u32(attribute + 4)) === 'package');
    return found === undefined ? null : text(u32(found + 8));
  }
  return null;
}

/** The application id of the AndroidManifest.xml in an .aab, a message of Protocol Buffers. */
export function aabPackage(bytes: Uint8Array): string | null {
  const [, size, rest] = /\x12\x07package\x1a([\x01-\x7f])([^]*)/.exec(textOf(bytes, 'latin1')) ?? [];
  return size && rest ? rest.slice(0, size.charCodeAt(0)) : null;
}
