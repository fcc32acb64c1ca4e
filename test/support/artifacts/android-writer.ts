/** An attribute of a manifest. */
export interface AttributeInput {
  readonly name: string;
  /** The platform's resource id; 0 for an attribute without namespace. */
  readonly id: number;
  /** Whether it is in the namespace `android`; by default when it has an id. */
  readonly isAndroid?: boolean;
  readonly value: string | number | boolean | { readonly reference: number };
}

const ANDROID_NAMESPACE = 'http://schemas.android.com/apk/res/android';
const isAndroid = (attribute: AttributeInput): boolean => attribute.isAndroid ?? attribute.id !== 0;

export interface ElementInput {
  readonly name: string;
  readonly attributes?: readonly AttributeInput[];
  readonly children?: readonly ElementInput[];
}

/** A chunk of ResourceTypes.h. @param sizeBytes overrides the size in the header. */
export function chunk(type: number, header: Buffer, body: Buffer, sizeBytes?: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(8 + header.length, 2);
  head.writeUInt32LE(sizeBytes ?? 8 + header.length + body.length, 4);
  return Buffer.concat([head, header, body]);
}

const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32LE(value >>> 0, index * 4));
  return bytes;
};
const u16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16LE(value & 0xffff, index * 2));
  return bytes;
};
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);

/** A string pool, in UTF-16 (as older tools write it) or UTF-8. */
export function stringPool(strings: readonly string[], utf8 = false): Buffer {
  const texts = strings.map((text) => {
    const bytes = Buffer.from(text, utf8 ? 'utf8' : 'utf16le');
    if (!utf8) return Buffer.concat([u16(text.length), bytes, u16(0)]);
    const wide = (length: number): number[] => (length > 0x7f ? [0x80 | (length >> 8), length & 0xff] : [length]);
    return Buffer.concat([Buffer.from([...wide(text.length), ...wide(bytes.length)]), bytes, Buffer.alloc(1)]);
  });
  let at = 0;
  const offsets = texts.map((text) => (at += text.length) - text.length);
  const header = u32(strings.length, 0, utf8 ? 0x100 : 0, 28 + strings.length * 4, 0);
  return chunk(0x0001, header, Buffer.concat([u32(...offsets), padded(Buffer.concat(texts))]));
}

/** Binary XML, the manifest format of an APK. */
export function binaryXml(
  root: ElementInput,
  options: { utf8?: boolean; extraChunks?: readonly Buffer[] } = {},
): Buffer {
  const all = (element: ElementInput): ElementInput[] => [element, ...(element.children ?? []).flatMap(all)];
  const attributes = all(root).flatMap((element) => element.attributes ?? []);
  const ids = [...new Map(attributes.filter((each) => each.id).map((each) => [each.id, each.name]))];
  const strings = [...ids.map(([, name]) => name)];
  const index = (text: string): number => {
    const known = strings.indexOf(text, ids.length);
    return known >= 0 ? known : strings.push(text) - 1;
  };
  const key = (each: AttributeInput): number => (each.id ? ids.findIndex(([id]) => id === each.id) : index(each.name));
  const namespace = (each: AttributeInput): number => (isAndroid(each) ? index(ANDROID_NAMESPACE) : 0xffffffff);
  const start = (element: ElementInput): Buffer => {
    const list = element.attributes ?? [];
    const head = Buffer.concat([u32(0xffffffff, index(element.name)), u16(20, 20, list.length, 0, 0, 0)]);
    return chunk(
      0x0102,
      u32(1, 0xffffffff),
      Buffer.concat([head, ...list.map((each) => typedAttribute([namespace(each), key(each)], each.value, index))]),
    );
  };
  const tree = (element: ElementInput): Buffer[] => [
    start(element),
    ...(element.children ?? []).flatMap(tree),
    chunk(0x0103, u32(1, 0xffffffff), u32(0xffffffff, index(element.name))),
  ];
  const nodes = tree(root);
  const map = chunk(0x0180, Buffer.alloc(0), u32(...ids.map(([id]) => id)));
  const body = [stringPool(strings, options.utf8), map, ...(options.extraChunks ?? []), ...nodes];
  return chunk(0x0003, Buffer.alloc(0), Buffer.concat(body));
}

function typedAttribute(
  name: readonly [namespace: number, key: number],
  value: AttributeInput['value'],
  index: (text: string) => number,
): Buffer {
  const typed = (raw: number, type: number, data: number): Buffer =>
    Buffer.concat([u32(...name, raw), u16(8), Buffer.from([0, type]), u32(data)]);
  if (typeof value === 'string') return typed(index(value), 0x03, index(value));
  if (typeof value === 'number') return typed(0xffffffff, 0x10, value);
  if (typeof value === 'boolean') return typed(0xffffffff, 0x12, value ? 0xffffffff : 0);
  return typed(0xffffffff, 0x01, value.reference);
}

/** The value of a resource in one configuration. */
export interface ResourceInput {
  readonly id: number;
  readonly density?: number;
  readonly language?: string;
  /** Writes the type with sparse entries, among other entries that are outside the file. */
  readonly sparse?: boolean;
  readonly value: string | boolean | { readonly reference: number };
}

/** A resource table with one package. Each resource has its own type chunk, which is valid and simple. */
export function resourceTable(resources: readonly ResourceInput[]): Buffer {
  const strings: string[] = [];
  const types = resources.map(({ id, density = 0, language, sparse = false, value }) => {
    const entry = id & 0xffff;
    const [type, data] =
      typeof value === 'string'
        ? [3, strings.push(value) - 1]
        : typeof value === 'boolean'
          ? [0x12, value ? 0xffffffff : 0]
          : [1, value.reference];
    const configuration = Buffer.alloc(64);
    configuration.writeUInt32LE(64, 0);
    if (language) configuration.write(language, 8, 'latin1');
    configuration.writeUInt16LE(density, 14);
    const offsets = sparse
      ? u16(...[-3, -2, -1, 0, 1, 2].flatMap((at) => [entry + at, at === 0 ? 0 : 0xffff]))
      : u32(...Array.from({ length: entry }, () => 0xffffffff), 0);
    const value8 = Buffer.concat([u16(8, 0), u32(0), u16(8), Buffer.from([0, type]), u32(data)]);
    const head = Buffer.concat([
      Buffer.from([(id >>> 16) & 0xff, sparse ? 1 : 0, 0, 0]),
      u32(sparse ? offsets.length / 4 : entry + 1, 84 + offsets.length),
      configuration,
    ]);
    return chunk(0x0201, head, Buffer.concat([offsets, value8]));
  });
  const packageHeader = Buffer.concat([u32(0x7f), Buffer.alloc(256), u32(0, 0, 0, 0, 0)]);
  const body = Buffer.concat([stringPool(strings, true), chunk(0x0200, packageHeader, Buffer.concat(types))]);
  return chunk(0x0002, u32(1), body);
}

const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 0x80);
  }
};

/** A protocol buffer field: numbers as varint, bytes length-delimited. */
export const protoField = (number: number, value: number | Buffer): Buffer =>
  typeof value === 'number'
    ? Buffer.concat([varint(number * 8), varint(value)])
    : Buffer.concat([varint(number * 8 + 2), varint(value.length), value]);

/** A protocol buffer, the manifest format of an app bundle. */
export function protoXml(element: ElementInput): Buffer {
  const attributes = (element.attributes ?? []).map((attribute) => {
    const { name, id, value } = attribute;
    const reference =
      typeof value === 'object' ? protoField(6, protoField(1, protoField(2, value.reference))) : Buffer.alloc(0);
    const text = typeof value === 'object' ? '@string/x' : String(value);
    const fields = [
      isAndroid(attribute) ? protoField(1, Buffer.from(ANDROID_NAMESPACE)) : Buffer.alloc(0),
      protoField(2, Buffer.from(name)),
      protoField(3, Buffer.from(text)),
      id ? protoField(5, id) : Buffer.alloc(0),
    ];
    return protoField(4, Buffer.concat([...fields, reference]));
  });
  const children = (element.children ?? []).map((child) => protoField(5, protoXml(child)));
  return protoField(1, Buffer.concat([protoField(3, Buffer.from(element.name)), ...attributes, ...children]));
}

/**
 * The resources of an app bundle (aapt.pb.ResourceTable) with one package. A text that contains a slash is the path of a file.
 */
export function protoResources(resources: readonly ResourceInput[]): Buffer {
  const text = (content: string): Buffer => protoField(1, Buffer.from(content));
  const itemOf = (value: ResourceInput['value']): Buffer => {
    if (typeof value === 'boolean') return protoField(7, protoField(8, Number(value)));
    if (typeof value === 'string') return protoField(value.includes('/') ? 5 : 2, text(value));
    return protoField(1, protoField(2, value.reference));
  };
  const configValue = ({ density, language, value }: ResourceInput): Buffer => {
    const configuration = [
      language === undefined ? Buffer.alloc(0) : protoField(3, Buffer.from(language)),
      density === undefined ? Buffer.alloc(0) : protoField(18, density),
    ];
    return protoField(
      6,
      Buffer.concat([protoField(1, Buffer.concat(configuration)), protoField(2, protoField(4, itemOf(value)))]),
    );
  };
  const ids = [...new Set(resources.map(({ id }) => id))];
  const types = [...new Set(ids.map((id) => (id >>> 16) & 0xff))].map((type) => {
    const entries = ids
      .filter((id) => ((id >>> 16) & 0xff) === type)
      .map((id) =>
        protoField(
          3,
          Buffer.concat([
            protoField(1, protoField(1, id & 0xffff)),
            protoField(2, Buffer.from(`name${id}`)),
            ...resources.filter((each) => each.id === id).map(configValue),
          ]),
        ),
      );
    return protoField(
      3,
      Buffer.concat([protoField(1, protoField(1, type)), protoField(2, Buffer.from('type')), ...entries]),
    );
  });
  const content = [protoField(1, protoField(1, 0x7f)), protoField(2, Buffer.from('com.example.demo')), ...types];
  return Buffer.concat([protoField(1, Buffer.from('pool')), protoField(2, Buffer.concat(content))]);
}

const prefixed = (...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length), body]);
};

export const SCHEME_IDS = { v2: 0x7109871a, v3: 0xf05368c0, 'v3.1': 0x1b93ad61 } as const;

/** An APK Signing Block with certificates but without signatures. @param lies overrides sizes. */
export function signingBlock(
  certificates: Readonly<Partial<Record<keyof typeof SCHEME_IDS, Buffer>>>,
  lies: { head?: bigint; foot?: bigint; pairLength?: bigint } = {},
): Buffer {
  const pairs = Object.entries(certificates).map(([scheme, der]) => {
    const signedData = prefixed(prefixed(), prefixed(prefixed(der)), prefixed());
    const value = prefixed(prefixed(signedData, prefixed(), prefixed()));
    const head = Buffer.alloc(12);
    head.writeBigUInt64LE(lies.pairLength ?? BigInt(value.length + 4), 0);
    head.writeUInt32LE(SCHEME_IDS[scheme as keyof typeof SCHEME_IDS], 8);
    return Buffer.concat([head, value]);
  });
  const body = Buffer.concat(pairs);
  const size = BigInt(body.length + 24);
  const [head, foot] = [Buffer.alloc(8), Buffer.alloc(8)];
  head.writeBigUInt64LE(lies.head ?? size);
  foot.writeBigUInt64LE(lies.foot ?? size);
  return Buffer.concat([head, body, foot, Buffer.from('APK Sig Block 42')]);
}
