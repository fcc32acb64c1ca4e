/** The few pieces of DER (ITU-T X.690) that a certificate and a signed message are made of. */

function tagged(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const digits = content.length.toString(16);
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
}

export const sequence = (...elements: Buffer[]): Buffer => tagged(0x30, ...elements);
export const setOf = (...elements: Buffer[]): Buffer => tagged(0x31, ...elements);
export const octetString = (content: Buffer): Buffer => tagged(0x04, content);
export const bitString = (content: Buffer): Buffer => tagged(0x03, Buffer.from([0]), content);
export const utf8String = (text: string): Buffer => tagged(0x0c, Buffer.from(text));
/** An explicitly tagged element, `[0]` and up in the notation of the standards. */
export const explicit = (tag: number, element: Buffer): Buffer => tagged(0xa0 | tag, element);

/** A positive number, given as big-endian bytes. */
export function integer(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const significant = first === -1 ? Buffer.from([0]) : bytes.subarray(first);
  return tagged(0x02, significant[0]! & 0x80 ? Buffer.concat([Buffer.from([0]), significant]) : significant);
}

/** @param dotted an object identifier such as `1.2.840.113549.1.7.2`. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** A moment, to the second: UTCTime before 2050, GeneralizedTime from then on, as RFC 5280 §4.1.2.5 wants it. */
export function time(moment: Date): Buffer {
  const digits = `${moment.toISOString().replace(/\D/g, '').slice(0, 14)}Z`;
  return moment.getUTCFullYear() < 2050
    ? tagged(0x17, Buffer.from(digits.slice(2), 'latin1'))
    : tagged(0x18, Buffer.from(digits, 'latin1'));
}

function base128(arc: number): number[] {
  const digits = [arc & 0x7f];
  for (let rest = arc >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}
