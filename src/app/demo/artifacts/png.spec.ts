import { crc32, inflateSync } from 'node:zlib';
import { encodePng } from './png';
import { agateIcon } from './agate-icon';

/** The chunks of a PNG, each with its checksum looked at. */
function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
  const chunks = [];
  for (let at = 8; at < png.length;) {
    const end = at + 8 + png.readUInt32BE(at);
    expect(png.readUInt32BE(end)).toBe(crc32(png.subarray(at + 4, end)));
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

describe('encodePng', () => {
  it('writes every row, unfiltered, between a header and an end', () => {
    const rgba = Uint8Array.from({ length: 3 * 2 * 4 }, (_, index) => index * 10);
    const [header, pixels, end, ...more] = chunksOf(encodePng({ width: 3, height: 2, rgba }));
    expect(more).toEqual([]);
    expect(header?.type).toBe('IHDR');
    expect(header?.data.toString('hex')).toBe('00000003000000020806000000');
    expect(pixels?.type).toBe('IDAT');
    expect([...inflateSync(pixels!.data)]).toEqual([0, ...rgba.subarray(0, 12), 0, ...rgba.subarray(12)]);
    expect(end).toEqual({ type: 'IEND', data: Buffer.alloc(0) });
  });
});

describe('agateIcon', () => {
  it('is a badge: clear corners, opaque elsewhere, light in the middle, dark at the rim', () => {
    const pixels = inflateSync(chunksOf(agateIcon(40))[1]!.data);
    const at = (x: number, y: number) => [...pixels.subarray(y * 161 + 1 + x * 4, y * 161 + 5 + x * 4)];
    const brightness = ([red = 0, green = 0, blue = 0]: number[]) => red + green + blue;
    for (const [x, y] of [
      [0, 0],
      [39, 0],
      [0, 39],
      [39, 39],
    ] as const) {
      expect(at(x, y)).toEqual([0, 0, 0, 0]);
    }
    expect(at(20, 0)[3]).toBe(255);
    expect(brightness(at(18, 21))).toBeGreaterThan(600);
    expect(brightness(at(3, 3))).toBeLessThan(200);
  });
});
