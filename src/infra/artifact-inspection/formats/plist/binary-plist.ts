import { inspectionError } from '../../inspection-errors';
import { LIMITS } from '../../limits/limits';
import { type WorkBudget } from '../../limits/work-budget';
import { type PlistDict, type PlistValue } from './plist-value';

const HEADER_BYTES = 8;
const TRAILER_BYTES = 32;
/** Seconds between 1970-01-01 and Apple's 2001-01-01. */
const APPLE_EPOCH_SECONDS = 978_307_200;
/** The maximum width of offsets, references and counts in CoreFoundation. */
const MAX_INTEGER_BYTES = 8;

/**
 * Reads Apple's binary property list (`bplist00`; CoreFoundation's CFBinaryPList.c is its only definition). Throws (RangeError or AppError)
 * when it is malformed, cyclic, too deep or too large.
 *
 * Objects are cached by index, so an object that is referenced a million times is decoded once. The library bplist-parser decodes shared
 * objects repeatedly: a plist of 200 bytes with 22 nested shared arrays exhausts the worker's memory. A shared text counts in the budget
 * for every reference, because the readers of a list process each of its texts.
 */
export function readBinaryPlist(bytes: Buffer, budget: WorkBudget): PlistValue {
  return new BinaryPlist(bytes, budget).root();
}

class BinaryPlist {
  private readonly offsetSize: number;
  private readonly refSize: number;
  private readonly objectCount: number;
  private readonly topObject: number;
  private readonly tableOffset: number;
  private readonly decoded = new Map<number, PlistValue>();
  /** The objects on the path from the root, to detect cycles. */
  private readonly ancestors = new Set<number>();

  constructor(
    private readonly bytes: Buffer,
    private readonly budget: WorkBudget,
  ) {
    const trailer = bytes.length - TRAILER_BYTES;
    this.offsetSize = bytes.readUInt8(trailer + 6);
    this.refSize = bytes.readUInt8(trailer + 7);
    this.objectCount = this.unsigned(trailer + 8, 8);
    this.topObject = this.unsigned(trailer + 16, 8);
    this.tableOffset = this.unsigned(trailer + 24, 8);
    const tableEnd = this.tableOffset + this.objectCount * this.offsetSize;
    const isValid = this.offsetSize > 0 && this.refSize > 0 && this.tableOffset >= HEADER_BYTES && tableEnd <= trailer;
    if (!isValid) throw inspectionError('unreadable');
  }

  root(): PlistValue {
    return this.object(this.topObject);
  }

  private object(index: number): PlistValue {
    const decoded = this.decoded.get(index);
    if (decoded !== undefined) {
      if (typeof decoded === 'string' || Buffer.isBuffer(decoded)) this.budget.countText(decoded.length);
      return decoded;
    }
    if (index >= this.objectCount || this.ancestors.has(index)) throw inspectionError('unreadable');
    if (this.ancestors.size >= LIMITS.treeDepth) throw inspectionError('too_complex');
    this.ancestors.add(index);
    const value = this.decode(this.unsigned(this.tableOffset + index * this.offsetSize, this.offsetSize));
    this.ancestors.delete(index);
    this.decoded.set(index, value);
    return value;
  }

  private decode(offset: number): PlistValue {
    if (offset < HEADER_BYTES || offset >= this.tableOffset) throw inspectionError('unreadable');
    const marker = this.bytes.readUInt8(offset);
    const low = marker & 0x0f;
    switch (marker >> 4) {
      case 0x0:
        return low === 0x9 ? true : low === 0x8 ? false : null;
      case 0x1:
        return this.integer(offset + 1, 2 ** low);
      case 0x2:
        return low === 2 ? this.bytes.readFloatBE(offset + 1) : this.bytes.readDoubleBE(offset + 1);
      case 0x3:
        return new Date((this.bytes.readDoubleBE(offset + 1) + APPLE_EPOCH_SECONDS) * 1000);
      case 0x8:
        return this.unsigned(offset + 1, low + 1);
      default:
        return this.sized(marker >> 4, offset, low);
    }
  }

  /** Decodes an object with a length, which is in the marker or in an integer after it. */
  private sized(type: number, offset: number, low: number): PlistValue {
    const extended = low === 0x0f;
    const width = extended ? 2 ** (this.bytes.readUInt8(offset + 1) & 0x0f) : 0;
    const count = extended ? this.unsigned(offset + 2, width) : low;
    const start = offset + 1 + (extended ? 1 + width : 0);
    switch (type) {
      case 0x4:
        return this.slice(start, count);
      case 0x5:
        return this.slice(start, count).toString('latin1');
      case 0x6:
        return Buffer.from(this.slice(start, count * 2))
          .swap16()
          .toString('utf16le');
      case 0xa:
      case 0xc:
        return this.list(start, count);
      case 0xd:
        return this.dict(start, count);
      default:
        throw inspectionError('unreadable');
    }
  }

  private list(start: number, count: number): PlistValue[] {
    this.countMembers(start, count);
    return Array.from({ length: count }, (_, index) => this.object(this.reference(start, index)));
  }

  private dict(start: number, count: number): PlistDict {
    this.countMembers(start, count * 2);
    const dict: PlistDict = new Map();
    for (let index = 0; index < count; index += 1) {
      const key = this.object(this.reference(start, index));
      if (typeof key !== 'string') throw inspectionError('unreadable');
      dict.set(key, this.object(this.reference(start, count + index)));
    }
    return dict;
  }

  private countMembers(start: number, count: number): void {
    this.budget.countElements(count);
    if (start + count * this.refSize > this.tableOffset) throw inspectionError('unreadable');
  }

  private reference(start: number, index: number): number {
    return this.unsigned(start + index * this.refSize, this.refSize);
  }

  private slice(start: number, length: number): Buffer {
    if (start + length > this.tableOffset) throw inspectionError('unreadable');
    this.budget.countText(length);
    return this.bytes.subarray(start, start + length);
  }

  private integer(offset: number, width: number): number | bigint {
    if (width === 16) return this.bytes.readBigUInt64BE(offset + 8);
    if (width < 8) return this.unsigned(offset, width);
    const value = this.bytes.readBigInt64BE(offset);
    return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }

  /** Reads a big-endian integer of 1 to 8 bytes. Above 2^53 it is inexact, and then fails every range check. */
  private unsigned(offset: number, width: number): number {
    if (width > MAX_INTEGER_BYTES) throw inspectionError('unreadable');
    if (width <= 6) return this.bytes.readUIntBE(offset, width);
    return this.bytes.readUIntBE(offset, width - 6) * 2 ** 48 + this.bytes.readUIntBE(offset + width - 6, 6);
  }
}
