import { crc32 } from 'node:zlib';
import { AppError } from '#kernel/errors/app-error';

export const MAX_LOGO_BYTES = 64 * 1024;
/** A browser unpacks the picture: four bytes for each pixel. */
export const MAX_LOGO_SIDE = 2_048;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const IHDR_BYTES = 13;
/** Signature, then the length, type, data and CRC-32 of the first chunk (PNG, "Chunk layout"). */
const HEAD_BYTES = SIGNATURE.length + 4 + 4 + IHDR_BYTES + 4;
/** The bit depths of each colour type (PNG, "IHDR"). */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const DATA_URL = /^data:image\/png;base64,/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** A logo as it was sent. */
export interface LogoImage {
  readonly png: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * Reads a logo from base64, which may be a `data:` URL. Only the header of the picture is decoded, because the service does not draw it.
 * @throws AppError invalid_input when it is not a PNG of at most 64 KiB and 2,048 pixels a side.
 */
export function readLogo(text: string): LogoImage {
  const base64 = text.replace(DATA_URL, '');
  if (!BASE64.test(base64)) throw AppError.invalidInput('logo_not_base64', 'The logo must be a PNG in base64.');
  const png = Buffer.from(base64, 'base64');
  if (png.length > MAX_LOGO_BYTES) throw tooLarge('64 KiB', { max_bytes: MAX_LOGO_BYTES });
  const size = sizeOf(png);
  if (!size) throw AppError.invalidInput('logo_not_png', 'The logo is not a PNG.');
  if (Math.max(size.width, size.height) > MAX_LOGO_SIDE)
    throw tooLarge(`${MAX_LOGO_SIDE} pixels a side`, { max_pixels: MAX_LOGO_SIDE });
  return { png, ...size };
}

const tooLarge = (limit: string, details: Record<string, number>): AppError =>
  AppError.invalidInput('logo_too_large', `The logo has more than ${limit}. Reduce its size.`, details);

/** The size that the header of a PNG states. Null when the header is not valid. */
function sizeOf(png: Buffer): { readonly width: number; readonly height: number } | null {
  const chunk = headerOf(png);
  if (!chunk || !isKnownFormat(chunk.subarray(12))) return null;
  const [width, height] = [chunk.readUInt32BE(4), chunk.readUInt32BE(8)];
  return width > 0 && height > 0 ? { width, height } : null;
}

/** The type and data of the first chunk, null when it is not a whole `IHDR`, or nothing follows it. */
function headerOf(png: Buffer): Buffer | null {
  if (png.length <= HEAD_BYTES || !png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return null;
  const chunk = png.subarray(SIGNATURE.length + 4, HEAD_BYTES - 4);
  const isHeader = png.readUInt32BE(SIGNATURE.length) === IHDR_BYTES && chunk.toString('latin1', 0, 4) === 'IHDR';
  return isHeader && png.readUInt32BE(HEAD_BYTES - 4) === crc32(chunk) ? chunk : null;
}

/** @param format bit depth, colour type, and the methods of compression, filtering and interlacing. */
function isKnownFormat([depth = 0, colour = 0, compression, filter, interlace = 0]: Uint8Array): boolean {
  return DEPTHS[colour]?.includes(depth) === true && compression === 0 && filter === 0 && interlace <= 1;
}
