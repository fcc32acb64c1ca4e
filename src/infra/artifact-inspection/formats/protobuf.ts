import { inspectionError } from '../inspection-errors';

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** Reads the fields of a protocol buffer message one by one. Throws on malformed fields and on the deprecated group types. */
export class ProtoReader {
  /** The number of the current field. */
  number = 0;
  /** The value of a varint field, otherwise 0. */
  integer = 0;
  private start = 0;
  private at = 0;

  constructor(private readonly message: Buffer) {}

  /** Moves to the next field. False at the end of the message. */
  next(): boolean {
    const { message } = this;
    if (this.at >= message.length) return false;
    const tag = this.varint();
    const type = tag % 8;
    this.number = Math.floor(tag / 8);
    this.integer = type === VARINT ? this.varint() : 0;
    const length = type === BYTES ? this.varint() : sizeOf(type);
    this.start = this.at;
    this.at += length;
    if (this.at > message.length) throw inspectionError('unreadable');
    if (type !== BYTES) this.start = this.at;
    return true;
  }

  /** The content of the current field if it is length-delimited, otherwise empty. Shares the memory of the message. */
  get bytes(): Buffer {
    return this.message.subarray(this.start, this.at);
  }

  private varint(): number {
    let value = 0;
    for (let shift = 0; shift < 10; shift += 1) {
      const byte = this.message.readUInt8(this.at);
      this.at += 1;
      value += (byte & 0x7f) * 2 ** (7 * shift);
      if (byte < 0x80) return value;
    }
    throw inspectionError('unreadable');
  }
}

function sizeOf(type: number): number {
  if (type === VARINT) return 0;
  if (type === FIXED64) return 8;
  if (type === FIXED32) return 4;
  throw inspectionError('unreadable');
}

/** The content of the first field with this number; empty when the message has none. */
export function bytesAt(message: Buffer, number: number): Buffer {
  for (const reader = new ProtoReader(message); reader.next();) if (reader.number === number) return reader.bytes;
  return Buffer.alloc(0);
}

/** The integer of the first field with this number; 0, the default, when the message has none. */
export function integerAt(message: Buffer, number: number): number {
  for (const reader = new ProtoReader(message); reader.next();) if (reader.number === number) return reader.integer;
  return 0;
}
