import { chunk, ChunkType, stringPool, u16, u32, value, ValueType } from './android-chunks';

/** One value of one resource: a text, or the path of a file in the package. */
export interface Resource {
  /** Such as `string` or `drawable`. */
  readonly type: string;
  readonly name: string;
  readonly value: string;
  /** Dots per inch it is meant for; by default any. */
  readonly density?: number;
}

const APP_PACKAGE = 0x7f;
const CONFIG_SIZE = 64;
const DEPENDS_ON_DENSITY = 0x0100;

/** The number by which other files refer to the n-th type's only resource (from 0): package, type, entry. */
export const resourceId = (type: number): number => APP_PACKAGE * 0x1000000 + (type + 1) * 0x10000;

/** Encodes `resources.arsc` (AOSP, ResourceTypes.h, `ResTable`) for resources that are each the only one of their type. */
export function encodeResourceTable(packageName: string, resources: readonly Resource[]): Buffer {
  const types = stringPool(resources.map(({ type }) => type));
  const keys = stringPool(resources.map(({ name }) => name));
  const name = Buffer.alloc(256);
  name.write(packageName.slice(0, 127), 'utf16le');
  const headerSize = 288;
  const places = u32(headerSize, resources.length, headerSize + types.length, resources.length, 0);
  const body = resources.flatMap((resource, index) => [encodeTypeSpec(resource, index), encodeType(resource, index)]);
  return chunk(
    ChunkType.table,
    u32(1),
    stringPool(resources.map((resource) => resource.value)),
    chunk(ChunkType.package, Buffer.concat([u32(APP_PACKAGE), name, places]), types, keys, ...body),
  );
}

/** Says of each entry which properties of the device its values depend on. */
const encodeTypeSpec = ({ density }: Resource, index: number): Buffer =>
  chunk(
    ChunkType.typeSpec,
    Buffer.concat([Buffer.from([index + 1, 0]), u16(1), u32(1)]),
    u32(density === undefined ? 0 : DEPENDS_ON_DENSITY),
  );

function encodeType({ density = 0 }: Resource, index: number): Buffer {
  const config = Buffer.alloc(CONFIG_SIZE);
  config.writeUInt32LE(CONFIG_SIZE, 0);
  config.writeUInt16LE(density, 14);
  const entriesStart = 20 + CONFIG_SIZE + 4;
  const header = Buffer.concat([Buffer.from([index + 1, 0]), u16(0), u32(1, entriesStart), config]);
  const entry = Buffer.concat([u16(8, 0), u32(index), value(ValueType.string, index)]);
  return chunk(ChunkType.type, header, u32(0), entry);
}
