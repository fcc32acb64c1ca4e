import { ProtoReader } from '../formats/protobuf';
import { inspectionError } from '../inspection-errors';
import { LIMITS } from '../limits/limits';
import { type WorkBudget } from '../limits/work-budget';
import {
  ANDROID_NAMESPACE,
  type ManifestAttribute,
  type ManifestElement,
  type ManifestValue,
} from './manifest/manifest-element';

/** Field numbers of aapt2's Resources.proto. */
const NODE = { element: 1 } as const;
const ELEMENT = { name: 3, attribute: 4, child: 5 } as const;
const ATTRIBUTE = { namespace: 1, name: 2, value: 3, resourceId: 5, compiledItem: 6 } as const;
const ITEM = { reference: 1 } as const;
const REFERENCE = { id: 2 } as const;

interface Field {
  readonly number: number;
  /** The value of a varint field, otherwise 0. */
  readonly integer: number;
  /** The content of a length-delimited field, otherwise empty. */
  readonly bytes: Buffer;
}

/** Reads the elements of an app bundle's manifest (aapt.pb.XmlNode). Throws when it is malformed. */
export function readProtoXml(bytes: Buffer, budget: WorkBudget): ManifestElement[] {
  const reader = new ProtoXml(budget);
  reader.node(bytes, 0);
  return reader.elements;
}

class ProtoXml {
  readonly elements: ManifestElement[] = [];

  constructor(private readonly budget: WorkBudget) {}

  node(message: Buffer, depth: number): void {
    if (depth > LIMITS.treeDepth) throw inspectionError('too_complex');
    for (const field of this.fields(message)) if (field.number === NODE.element) this.element(field.bytes, depth);
  }

  private element(message: Buffer, depth: number): void {
    const fields = [...this.fields(message)];
    const attributes = fields.filter((field) => field.number === ELEMENT.attribute);
    this.elements.push({
      depth,
      name: textOf(fields, ELEMENT.name),
      attributes: attributes.map((field) => this.attribute(field.bytes)),
    });
    for (const field of fields) if (field.number === ELEMENT.child) this.node(field.bytes, depth + 1);
  }

  private attribute(message: Buffer): ManifestAttribute {
    const fields = [...this.fields(message)];
    return {
      id: fields.find((field) => field.number === ATTRIBUTE.resourceId)?.integer ?? 0,
      isAndroid: textOf(fields, ATTRIBUTE.namespace) === ANDROID_NAMESPACE,
      name: textOf(fields, ATTRIBUTE.name),
      value: this.reference(fields) ?? { kind: 'text', text: textOf(fields, ATTRIBUTE.value) },
    };
  }

  private reference(fields: readonly Field[]): ManifestValue | null {
    const item = fields.find((field) => field.number === ATTRIBUTE.compiledItem);
    const reference = item && [...this.fields(item.bytes)].find((field) => field.number === ITEM.reference);
    const id = reference && [...this.fields(reference.bytes)].find((field) => field.number === REFERENCE.id);
    return id ? { kind: 'reference', id: id.integer } : null;
  }

  private *fields(message: Buffer): Generator<Field> {
    for (const reader = new ProtoReader(message); reader.next();) {
      this.budget.countElements();
      yield { number: reader.number, integer: reader.integer, bytes: reader.bytes };
    }
  }
}

const textOf = (fields: readonly Field[], number: number): string =>
  fields.find((field) => field.number === number)?.bytes.toString('utf8') ?? '';
