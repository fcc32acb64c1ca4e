import { chunk, ChunkType, NONE, stringPool, u16, u32, value, ValueType } from './android-chunks';

/** An attribute of Android's namespace, whose name stands for a number of the framework (`R.attr`), or one without. */
export interface XmlAttribute {
  readonly name: string;
  readonly resourceId?: number;
  readonly value: string | boolean | number | { readonly reference: number };
}

export interface XmlElement {
  readonly name: string;
  readonly attributes?: readonly XmlAttribute[];
  readonly children?: readonly XmlElement[];
}

const ANDROID = 'http://schemas.android.com/apk/res/android';

/** Encodes a document as Android reads it (AOSP, ResourceTypes.h, `ResXMLTree`). */
export function encodeBinaryXml(root: XmlElement): Buffer {
  const strings = new Strings(root);
  const namespace = u32(strings.indexOf('android'), strings.indexOf(ANDROID));
  return chunk(
    ChunkType.xml,
    Buffer.alloc(0),
    stringPool(strings.all),
    chunk(ChunkType.resourceMap, Buffer.alloc(0), u32(...strings.resourceIds)),
    node(ChunkType.startNamespace, namespace),
    encodeElement(root, strings),
    node(ChunkType.endNamespace, namespace),
  );
}

/** Every string of a document. The names of attributes with a number come first: the resource map goes by their place. */
class Strings {
  readonly all: readonly string[];
  readonly resourceIds: readonly number[];

  constructor(root: XmlElement) {
    const elements = flatten(root);
    const attributes = elements.flatMap((element) => element.attributes ?? []);
    const known = new Map(
      attributes.flatMap(({ name, resourceId }) => (resourceId ? [[name, resourceId] as const] : [])),
    );
    const texts = attributes.flatMap(({ name, value }) => (typeof value === 'string' ? [name, value] : [name]));
    this.all = [...new Set([...known.keys(), 'android', ANDROID, ...elements.map(({ name }) => name), ...texts])];
    this.resourceIds = [...known.values()];
  }

  indexOf(text: string): number {
    return this.all.indexOf(text);
  }
}

const flatten = (element: XmlElement): XmlElement[] => [element, ...(element.children ?? []).flatMap(flatten)];

function encodeElement({ name, attributes = [], children = [] }: XmlElement, strings: Strings): Buffer {
  // Android looks attributes up by bisection.
  const sorted = [...attributes].sort((a, b) => (a.resourceId ?? Infinity) - (b.resourceId ?? Infinity));
  const tag = u32(NONE, strings.indexOf(name));
  const layout = u16(20, 20, sorted.length, 0, 0, 0);
  return Buffer.concat([
    node(ChunkType.startElement, tag, layout, ...sorted.map((attribute) => encodeAttribute(attribute, strings))),
    ...children.map((child) => encodeElement(child, strings)),
    node(ChunkType.endElement, tag),
  ]);
}

function encodeAttribute(attribute: XmlAttribute, strings: Strings): Buffer {
  const namespace = attribute.resourceId === undefined ? NONE : strings.indexOf(ANDROID);
  const text = typeof attribute.value === 'string' ? strings.indexOf(attribute.value) : NONE;
  return Buffer.concat([u32(namespace, strings.indexOf(attribute.name), text), encodeValue(attribute.value, text)]);
}

function encodeValue(typed: XmlAttribute['value'], text: number): Buffer {
  if (typeof typed === 'string') return value(ValueType.string, text);
  if (typeof typed === 'boolean') return value(ValueType.boolean, typed ? NONE : 0);
  if (typeof typed === 'number') return value(ValueType.decimal, typed);
  return value(ValueType.reference, typed.reference);
}

/** A chunk of the tree: line number and comment, neither of which we have, then what it says. */
const node = (type: number, ...body: Buffer[]): Buffer => chunk(type, u32(1, NONE), ...body);
