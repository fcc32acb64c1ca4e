import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

export interface PngOptions {
  readonly width?: number;
  readonly height?: number;
  /** The RGBA colour of all pixels. */
  readonly colour?: readonly [number, number, number, number];
  /** Writes Apple's variant: no zlib header, BGRA premultiplied by alpha. */
  readonly cgbi?: boolean;
  readonly filter?: number;
  /** Overrides the size in the header. */
  readonly claims?: { readonly width: number; readonly height: number };
  readonly extraChunks?: readonly Buffer[];
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

/** A PNG with one colour. */
export function png(options: PngOptions = {}): Buffer {
  const {
    width = 60,
    height = 60,
    colour = [200, 100, 50, 255],
    cgbi = false,
    filter = 0,
    claims,
    extraChunks = [],
  } = options;
  const [red, green, blue, alpha] = colour;
  const times = (value: number): number => Math.round((value * alpha) / 255);
  const pixel = cgbi ? [times(blue), times(green), times(red), alpha] : colour;
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + width * 4);
    row[0] = filter;
    for (let x = 0; x < width; x += 1) {
      const [left, up] = [filter === 1 && x > 0, filter === 2 && y > 0];
      row.set(left || up ? [0, 0, 0, 0] : pixel, 1 + x * 4);
    }
    return row;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(claims?.width ?? width, 0);
  header.writeUInt32BE(claims?.height ?? height, 4);
  header.set([8, 6], 8);
  const pixels = Buffer.concat(rows);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...(cgbi ? [pngChunk('CgBI', Buffer.from([0x50, 0, 0x20, 2]))] : []),
    pngChunk('IHDR', header),
    ...extraChunks,
    pngChunk('IDAT', cgbi ? deflateRawSync(pixels) : deflateSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A lossless WebP with a header of the given size and an empty picture. Valid for readers that read only headers. */
export function webp(width = 48, height = 48): Buffer {
  const data = Buffer.alloc(10);
  data[0] = 0x2f;
  data.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1);
  const bytes = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8L\0\0\0\0', 'latin1'), data]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.writeUInt32LE(data.length, 16);
  return bytes;
}
