import { inspectionError } from '../inspection-errors';
import { type WorkBudget } from '../limits/work-budget';
import { VALUE } from './binary-xml';
import { CHUNK, type Chunk, chunksIn, readChunk } from './resource-chunk';
import { followReferences, type Resources, type ResourceValues } from './resources';
import { StringPool } from './string-pool';

const SPARSE = 0x01;
const OFFSET16 = 0x02;
const COMPLEX = 0x01;
const COMPACT = 0x08;
const NO_ENTRY = 0xffffffff;
const NO_ENTRY16 = 0xffff;

interface EntryValue {
  readonly type: number;
  readonly data: number;
}

/** `resources.arsc` (ResourceTypes.h, `ResTable`). Looks up resources by id on demand. */
export class ResourceTable implements Resources {
  private readonly strings: StringPool;
  /** Type chunks, keyed by `package << 8 | type`. */
  private readonly types = new Map<number, Chunk[]>();

  /** Throws when `bytes` are malformed. */
  constructor(
    bytes: Buffer,
    private readonly budget: WorkBudget,
  ) {
    const table = readChunk(bytes, 0);
    if (table.type !== CHUNK.table) throw inspectionError('unreadable');
    let strings: StringPool | null = null;
    for (const chunk of chunksIn(table, budget)) {
      if (chunk.type === CHUNK.stringPool) strings ??= new StringPool(chunk, budget);
      if (chunk.type === CHUNK.package) this.indexPackage(chunk);
    }
    if (!strings) throw inspectionError('unreadable');
    this.strings = strings;
  }

  valuesOf(id: number): ResourceValues {
    return followReferences(id, (each, found) => {
      const references: number[] = [];
      for (const chunk of this.types.get(each >>> 16) ?? []) {
        this.budget.countElements();
        const value = readEntry(chunk, each & 0xffff);
        const text = value?.type === VALUE.text ? this.strings.at(value.data) : null;
        if (text !== null) found.texts.push({ text, ...configurationOf(chunk) });
        else if (value?.type === VALUE.reference) references.push(value.data);
        else if (value && value.type >= VALUE.firstInt && value.type <= VALUE.lastInt) found.numbers.push(value.data);
      }
      return references;
    });
  }

  private indexPackage(chunk: Chunk): void {
    const packageId = chunk.bytes.readUInt32LE(8) & 0xff;
    for (const part of chunksIn(chunk, this.budget)) {
      if (part.type !== CHUNK.type) continue;
      const key = (packageId << 8) | part.bytes.readUInt8(8);
      const known = this.types.get(key);
      if (known) known.push(part);
      else this.types.set(key, [part]);
    }
  }
}

function configurationOf({ bytes }: Chunk): { density: number; anyLocale: boolean } {
  const configuration = 20;
  const sizeBytes = bytes.readUInt32LE(configuration);
  return {
    anyLocale: sizeBytes < 12 || bytes.readUInt32LE(configuration + 8) === 0,
    density: sizeBytes < 16 ? 0 : bytes.readUInt16LE(configuration + 14),
  };
}

/** The value of an entry in one configuration. `null` when it is missing or compound. */
function readEntry(chunk: Chunk, index: number): EntryValue | null {
  const offset = entryOffset(chunk, index);
  if (offset === null) return null;
  const { bytes } = chunk;
  const at = bytes.readUInt32LE(16) + offset;
  const flags = bytes.readUInt16LE(at + 2);
  if (flags & COMPACT) return { type: flags >> 8, data: bytes.readUInt32LE(at + 4) };
  if (flags & COMPLEX) return null;
  const value = at + bytes.readUInt16LE(at);
  return { type: bytes.readUInt8(value + 3), data: bytes.readUInt32LE(value + 4) };
}

/** The offset of an entry. The offset table has one of three encodings. */
function entryOffset({ bytes, headerBytes }: Chunk, index: number): number | null {
  const flags = bytes.readUInt8(9);
  const count = bytes.readUInt32LE(12);
  if (flags & SPARSE) return sparseOffset(bytes, headerBytes, count, index);
  if (index >= count) return null;
  if (flags & OFFSET16) {
    const offset = bytes.readUInt16LE(headerBytes + index * 2);
    return offset === NO_ENTRY16 ? null : offset * 4;
  }
  const offset = bytes.readUInt32LE(headerBytes + index * 4);
  return offset === NO_ENTRY ? null : offset;
}

/** Sparse entries are sorted by index; devices search them by bisection, too. */
function sparseOffset(bytes: Buffer, start: number, count: number, index: number): number | null {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (bytes.readUInt16LE(start + middle * 4) < index) low = middle + 1;
    else high = middle;
  }
  const at = start + low * 4;
  return low < count && bytes.readUInt16LE(at) === index ? bytes.readUInt16LE(at + 2) * 4 : null;
}
