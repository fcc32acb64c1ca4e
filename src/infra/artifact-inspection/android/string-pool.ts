import { type WorkBudget } from '../limits/work-budget';
import { type Chunk } from './resource-chunk';

const UTF8 = 0x100;
/** Longer strings are truncated; every displayed text is shorter. */
const MAX_UNITS = 4096;

/** A string pool (ResourceTypes.h, `ResStringPool`). Decodes single strings on demand, because counts and offsets are untrusted. */
export class StringPool {
  private readonly count: number;
  private readonly utf8: boolean;
  private readonly start: number;
  private readonly decoded = new Map<number, string>();

  constructor(
    private readonly chunk: Chunk,
    private readonly budget: WorkBudget,
  ) {
    this.count = chunk.bytes.readUInt32LE(8);
    this.utf8 = (chunk.bytes.readUInt32LE(16) & UTF8) !== 0;
    this.start = chunk.bytes.readUInt32LE(20);
  }

  /** The string at an index. `null` outside the pool. Throws when the decoded strings exceed the budget. */
  at(index: number): string | null {
    if (index >= this.count) return null;
    const decoded = this.decoded.get(index);
    if (decoded !== undefined) return decoded;
    const { bytes, headerBytes } = this.chunk;
    const entry = headerBytes + index * 4;
    if (entry + 4 > bytes.length) return null;
    const offset = this.start + bytes.readUInt32LE(entry);
    if (offset + 2 > bytes.length) return null;
    const text = this.utf8 ? this.utf8At(offset) : this.utf16At(offset);
    this.budget.countText(text.length);
    this.decoded.set(index, text);
    return text;
  }

  /** Two lengths precede the text, in characters and in bytes. The high bit marks a length of two bytes. */
  private utf8At(offset: number): string {
    const { bytes } = this.chunk;
    const at = offset + ((bytes.readUInt8(offset) & 0x80) !== 0 ? 2 : 1);
    const first = bytes.readUInt8(at);
    const wide = (first & 0x80) !== 0;
    const length = wide ? ((first & 0x7f) << 8) | bytes.readUInt8(at + 1) : first;
    const start = at + (wide ? 2 : 1);
    return bytes.toString('utf8', start, start + Math.min(length, MAX_UNITS));
  }

  private utf16At(offset: number): string {
    const { bytes } = this.chunk;
    const first = bytes.readUInt16LE(offset);
    const wide = (first & 0x8000) !== 0;
    const length = wide ? (first & 0x7fff) * 0x10000 + bytes.readUInt16LE(offset + 2) : first;
    const start = offset + (wide ? 4 : 2);
    return bytes.toString('utf16le', start, start + 2 * Math.min(length, MAX_UNITS));
  }
}
