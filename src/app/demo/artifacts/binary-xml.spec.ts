import { stringPool } from './android-chunks';
import { encodeBinaryXml } from './binary-xml';

/** The chunks that follow one another in `bytes`. */
function chunksOf(bytes: Buffer): { type: number; headerSize: number; bytes: Buffer }[] {
  const chunks = [];
  for (let at = 0; at < bytes.length; at += bytes.readUInt32LE(at + 4)) {
    const size = bytes.readUInt32LE(at + 4);
    expect(size % 4).toBe(0);
    chunks.push({
      type: bytes.readUInt16LE(at),
      headerSize: bytes.readUInt16LE(at + 2),
      bytes: bytes.subarray(at, at + size),
    });
  }
  return chunks;
}

function stringsOf(pool: Buffer): string[] {
  const [count, , , start] = [8, 12, 16, 20].map((at) => pool.readUInt32LE(at)) as [number, number, number, number];
  return Array.from({ length: count }, (_, index) => {
    let at = start + pool.readUInt32LE(28 + 4 * index);
    const lengthAt = () => {
      const first = pool[at++]!;
      return first & 0x80 ? ((first & 0x7f) << 8) | pool[at++]! : first;
    };
    lengthAt();
    const bytes = lengthAt();
    expect(pool[at + bytes]).toBe(0);
    return pool.toString('utf8', at, at + bytes);
  });
}

describe('stringPool', () => {
  it('holds strings of any length and script', () => {
    const strings = ['', 'plain', 'Ünï 🚀', 'x'.repeat(127), 'x'.repeat(128), 'é'.repeat(100), 'x'.repeat(5_000)];
    const [pool, ...more] = chunksOf(stringPool(strings));
    expect(more).toEqual([]);
    expect(pool).toMatchObject({ type: 0x0001, headerSize: 28 });
    expect(stringsOf(pool!.bytes)).toEqual(strings);
  });
});

describe('encodeBinaryXml', () => {
  const [document] = chunksOf(
    encodeBinaryXml({
      name: 'manifest',
      attributes: [
        { name: 'versionName', resourceId: 0x0101021c, value: '1.0' },
        { name: 'package', value: 'dev.example' },
        { name: 'versionCode', resourceId: 0x0101021b, value: 7 },
      ],
      children: [
        {
          name: 'application',
          attributes: [{ name: 'icon', resourceId: 0x01010002, value: { reference: 0x7f020000 } }],
        },
      ],
    }),
  );
  const chunks = chunksOf(document!.bytes.subarray(document!.headerSize));

  it('is a pool, a resource map and a tree', () => {
    expect(document).toMatchObject({ type: 0x0003, headerSize: 8 });
    expect(chunks.map(({ type }) => type)).toEqual([0x0001, 0x0180, 0x0100, 0x0102, 0x0102, 0x0103, 0x0103, 0x0101]);
  });

  it('puts the names that have a number first, in the order of the map', () => {
    const map = chunks[1]!.bytes.subarray(8);
    const ids = Array.from({ length: map.length / 4 }, (_, index) => map.readUInt32LE(index * 4));
    expect(ids).toEqual([0x0101021c, 0x0101021b, 0x01010002]);
    expect(stringsOf(chunks[0]!.bytes).slice(0, 3)).toEqual(['versionName', 'versionCode', 'icon']);
  });

  it('sorts attributes by number, those without one last, each with its type', () => {
    const strings = stringsOf(chunks[0]!.bytes);
    const element = chunks[3]!.bytes;
    expect(element.readUInt16LE(28)).toBe(3);
    const attributes = [0, 1, 2].map((index) => element.subarray(36 + index * 20, 56 + index * 20));
    expect(
      attributes.map((attribute) => ({
        namespaced: attribute.readUInt32LE(0) !== 0xffffffff,
        name: strings[attribute.readUInt32LE(4)],
        type: attribute[15],
        data: attribute.readUInt32LE(16),
      })),
    ).toEqual([
      { namespaced: true, name: 'versionCode', type: 0x10, data: 7 },
      { namespaced: true, name: 'versionName', type: 0x03, data: strings.indexOf('1.0') },
      { namespaced: false, name: 'package', type: 0x03, data: strings.indexOf('dev.example') },
    ]);
  });
});
