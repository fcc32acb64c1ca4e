import { inspectionError } from '../inspection-errors';
import { type WorkBudget } from '../limits/work-budget';
import {
  ANDROID_NAMESPACE,
  type ManifestAttribute,
  type ManifestElement,
  type ManifestValue,
} from './manifest/manifest-element';
import { CHUNK, type Chunk, chunksIn, readChunk } from './resource-chunk';
import { StringPool } from './string-pool';

const NONE = 0xffffffff;
const ATTRIBUTE_BYTES = 20;
/** Data types of `Res_value`. */
export const VALUE = { reference: 0x01, text: 0x03, dynamicReference: 0x07, firstInt: 0x10, lastInt: 0x1f } as const;

/**
 * Reads the elements of Android's binary XML (ResourceTypes.h, `ResXMLTree`). Throws when it is malformed. Like devices, it does not look at
 * the type of the outer chunk, which protected packages change.
 */
export function readBinaryXml(bytes: Buffer, budget: WorkBudget): ManifestElement[] {
  const document = readChunk(bytes, 0);
  const reader = new BinaryXml(budget);
  for (const chunk of chunksIn(document, budget)) reader.take(chunk);
  return reader.elements;
}

class BinaryXml {
  readonly elements: ManifestElement[] = [];
  private pool: StringPool | null = null;
  private resourceMap: Chunk | null = null;
  private depth = 0;

  constructor(private readonly budget: WorkBudget) {}

  take(chunk: Chunk): void {
    if (chunk.type === CHUNK.stringPool) this.pool ??= new StringPool(chunk, this.budget);
    else if (chunk.type === CHUNK.xmlResourceMap) this.resourceMap ??= chunk;
    else if (chunk.type === CHUNK.xmlStart) this.start(chunk);
    else if (chunk.type === CHUNK.xmlEnd) this.depth -= 1;
  }

  private start({ bytes, headerBytes }: Chunk): void {
    const attributes = headerBytes + bytes.readUInt16LE(headerBytes + 8);
    const stride = bytes.readUInt16LE(headerBytes + 10);
    const count = bytes.readUInt16LE(headerBytes + 12);
    if (count > 0 && stride < ATTRIBUTE_BYTES) throw inspectionError('unreadable');
    this.budget.countElements(count);
    this.elements.push({
      depth: this.depth,
      name: this.text(bytes.readUInt32LE(headerBytes + 4)),
      attributes: Array.from({ length: count }, (_, index) => this.attribute(bytes, attributes + index * stride)),
    });
    this.depth += 1;
  }

  private attribute(bytes: Buffer, at: number): ManifestAttribute {
    const namespace = bytes.readUInt32LE(at);
    const name = bytes.readUInt32LE(at + 4);
    const raw = bytes.readUInt32LE(at + 8);
    return {
      id: this.resourceId(name),
      isAndroid: namespace !== NONE && this.text(namespace) === ANDROID_NAMESPACE,
      name: this.text(name),
      value: this.value(raw, bytes.readUInt8(at + 15), bytes.readUInt32LE(at + 16)),
    };
  }

  private value(raw: number, type: number, data: number): ManifestValue {
    if (type === VALUE.reference || type === VALUE.dynamicReference) return { kind: 'reference', id: data };
    if (type >= VALUE.firstInt && type <= VALUE.lastInt) return { kind: 'number', number: data };
    return { kind: 'text', text: this.text(type === VALUE.text && raw === NONE ? data : raw) };
  }

  private resourceId(name: number): number {
    const at = this.resourceMap ? this.resourceMap.headerBytes + name * 4 : 0;
    return this.resourceMap && at + 4 <= this.resourceMap.bytes.length ? this.resourceMap.bytes.readUInt32LE(at) : 0;
  }

  private text(index: number): string {
    return this.pool?.at(index) ?? '';
  }
}
