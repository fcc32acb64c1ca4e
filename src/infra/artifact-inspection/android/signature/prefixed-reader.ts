import { inspectionError } from '../../inspection-errors';

/** Reads the fields of an APK Signing Block: little-endian numbers, and byte sequences that are prefixed with their length in 32 bits. */
export class PrefixedReader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  number(): number {
    const value = this.bytes.readUInt32LE(this.at);
    this.at += 4;
    return value;
  }

  /** The content of the next prefixed sequence. Throws when it is longer than the rest. */
  prefixed(): Buffer {
    const length = this.number();
    const content = this.bytes.subarray(this.at, this.at + length);
    if (content.length !== length) throw inspectionError('unreadable');
    this.at += length;
    return content;
  }

  /** The contents of all prefixed sequences up to the end, at most `limit`. */
  allPrefixed(limit: number): Buffer[] {
    const found: Buffer[] = [];
    while (!this.isAtEnd) {
      if (found.length === limit) throw inspectionError('too_complex');
      found.push(this.prefixed());
    }
    return found;
  }

  rest(): Buffer {
    return this.bytes.subarray(this.at);
  }
}

/** The prefixed sequences inside of `bytes`. */
export const sequencesIn = (bytes: Buffer, limit: number): Buffer[] => new PrefixedReader(bytes).allPrefixed(limit);
