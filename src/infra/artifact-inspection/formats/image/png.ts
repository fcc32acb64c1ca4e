import { crc32, deflateSync, inflateRawSync, inflateSync } from 'node:zlib';
import { inspectionError } from '../../inspection-errors';
import { LIMITS } from '../../limits/limits';
import { type WorkBudget } from '../../limits/work-budget';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Samples per pixel by PNG colour type. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const RGBA = 6;
/** The chunks that define the picture. All others (texts, profiles, animation, private chunks) are removed. */
const KEPT_CHUNKS: readonly string[] = ['IHDR', 'sRGB', 'gAMA', 'PLTE', 'tRNS', 'IDAT', 'IEND'];

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

interface Header {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  readonly colourType: number;
  readonly interlaced: boolean;
}

export const isPng = (bytes: Buffer): boolean => bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE);

/** The number of pixels according to the header, 0 without a header. Used to choose the largest icon. */
export function pngArea(bytes: Buffer): number {
  const at = bytes.indexOf('IHDR', 0, 'latin1');
  return isPng(bytes) && at > 0 && at + 12 <= bytes.length
    ? bytes.readUInt32BE(at + 4) * bytes.readUInt32BE(at + 8)
    : 0;
}

/**
 * Converts an untrusted PNG into one that is safe to serve: limits its dimensions, checks its chunks, verifies that the pixels inflate, and
 * removes everything but the picture. Converts Apple's CgBI variant to standard PNG. Throws on anything else.
 */
export function cleanPng(bytes: Buffer, budget: WorkBudget): Buffer {
  const chunks = readChunks(bytes, budget);
  const header = readHeader(chunks);
  budget.countUnpacked(maxPixelBytes(header));
  const data = Buffer.concat(chunks.filter((chunk) => chunk.type === 'IDAT').map((chunk) => chunk.data));
  if (chunks[0]?.type === 'CgBI') return convertCgbi(header, data);
  const pixels = inflateSync(data, { maxOutputLength: maxPixelBytes(header) });
  if (!header.interlaced && pixels.length !== rowBytes(header) * header.height) throw inspectionError('unreadable');
  return writePng(chunks.filter((chunk) => KEPT_CHUNKS.includes(chunk.type)));
}

function readChunks(bytes: Buffer, budget: WorkBudget): Chunk[] {
  if (!isPng(bytes)) throw inspectionError('unreadable');
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; chunks.at(-1)?.type !== 'IEND';) {
    const length = bytes.readUInt32BE(at);
    const body = bytes.subarray(at + 4, at + 8 + length);
    if (body.length !== length + 4 || bytes.readUInt32BE(at + 8 + length) !== crc32(body))
      throw inspectionError('unreadable');
    chunks.push({ type: body.toString('latin1', 0, 4), data: body.subarray(4) });
    budget.countElements();
    at += 12 + length;
  }
  return chunks;
}

function readHeader(chunks: readonly Chunk[]): Header {
  const data = chunks.find((chunk) => chunk.type === 'IHDR')?.data;
  if (data?.length !== 13) throw inspectionError('unreadable');
  const [bitDepth = 0, colourType = 0, , , interlace = 0] = data.subarray(8);
  const header = {
    width: data.readUInt32BE(0),
    height: data.readUInt32BE(4),
    bitDepth,
    colourType,
    interlaced: interlace !== 0,
  };
  const isBounded = isIconSide(header.width) && isIconSide(header.height);
  if (!isBounded || !SAMPLES[colourType] || ![1, 2, 4, 8, 16].includes(bitDepth)) throw inspectionError('unreadable');
  return header;
}

export const isIconSide = (pixels: number): boolean => pixels >= 1 && pixels <= LIMITS.iconSide;

/** The bytes of one row, with its filter byte. */
const rowBytes = ({ width, bitDepth, colourType }: Header): number =>
  1 + Math.ceil((width * bitDepth * (SAMPLES[colourType] ?? 0)) / 8);

/** Interlacing splits rows into up to seven pieces, each with its own filter byte and padding. */
const maxPixelBytes = (header: Header): number => (rowBytes(header) + 14) * header.height + 64;

function writePng(chunks: readonly Chunk[]): Buffer {
  const parts = chunks.map(({ type, data }) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const frame = Buffer.alloc(4 + body.length + 4);
    frame.writeUInt32BE(data.length, 0);
    body.copy(frame, 4);
    frame.writeUInt32BE(crc32(body), 4 + body.length);
    return frame;
  });
  return Buffer.concat([SIGNATURE, ...parts]);
}

/** CgBI: deflate without a zlib header, 8-bit BGRA, colours premultiplied by alpha. Only Apple's browsers can draw it. */
function convertCgbi(header: Header, data: Buffer): Buffer {
  if (header.colourType !== RGBA || header.bitDepth !== 8 || header.interlaced) throw inspectionError('unreadable');
  const row = rowBytes(header);
  const pixels = inflateRawSync(data, { maxOutputLength: row * header.height });
  if (pixels.length !== row * header.height) throw inspectionError('unreadable');
  unfilter(pixels, row);
  for (let start = 1; start < pixels.length; start += row) toPlainRgba(pixels.subarray(start, start + row - 1));
  const ihdr = Buffer.alloc(13);
  ihdr.writeUInt32BE(header.width, 0);
  ihdr.writeUInt32BE(header.height, 4);
  ihdr.set([8, RGBA, 0, 0, 0], 8);
  return writePng([
    { type: 'IHDR', data: ihdr },
    { type: 'IDAT', data: deflateSync(pixels, { level: 9 }) },
    { type: 'IEND', data: Buffer.alloc(0) },
  ]);
}

/** Removes the row filters in place, for four bytes per pixel (PNG, "Filtering"). Every row then has filter 0. */
function unfilter(pixels: Buffer, row: number): void {
  const byte = (at: number): number => pixels[at] ?? 0;
  // Runs before any other work, so that an invalid filter in the last row does not waste it.
  for (let start = 0; start < pixels.length; start += row) {
    if (byte(start) > 4) throw inspectionError('unreadable');
  }
  for (let start = 0; start < pixels.length; start += row) {
    const filter = byte(start);
    for (let column = 1; filter > 0 && column < row; column += 1) {
      const at = start + column;
      const left = column > 4 ? byte(at - 4) : 0;
      const up = start > 0 ? byte(at - row) : 0;
      const corner = column > 4 && start > 0 ? byte(at - row - 4) : 0;
      pixels[at] = (byte(at) + predict(filter, left, up, corner)) & 0xff;
    }
    pixels[start] = 0;
  }
}

function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const fromLeft = Math.abs(up - corner);
  const fromUp = Math.abs(left - corner);
  const fromCorner = Math.abs(left + up - 2 * corner);
  if (fromLeft <= fromUp && fromLeft <= fromCorner) return left;
  return fromUp <= fromCorner ? up : corner;
}

/** Converts premultiplied BGRA to plain RGBA. */
function toPlainRgba(row: Buffer): void {
  for (let at = 0; at + 3 < row.length; at += 4) {
    const alpha = row[at + 3] ?? 0;
    const plain = (value: number): number => (alpha === 0 ? 0 : Math.min(255, Math.round((value * 255) / alpha)));
    const blue = plain(row[at] ?? 0);
    row[at] = plain(row[at + 2] ?? 0);
    row[at + 1] = plain(row[at + 1] ?? 0);
    row[at + 2] = blue;
  }
}
