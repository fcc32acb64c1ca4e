import { crc32, deflateSync } from 'node:zlib';
import { create, type QRCode, toString } from 'qrcode';

export const QR_CONTENT_TYPE = 'image/svg+xml; charset=utf-8';
export const QR_PNG_CONTENT_TYPE = 'image/png';

/** ISO/IEC 18004 requires a white margin of four modules. */
const MARGIN = 4;
const LEVEL = { errorCorrectionLevel: 'M' } as const;
const OPTIONS = { type: 'svg', ...LEVEL, margin: MARGIN, color: { dark: '#10201f' } } as const;

/** The lengths of the sides of a PNG that a client may ask for, in pixels. */
export const QR_PNG_SIZE = { min: 64, max: 2048, default: 512 } as const;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A QR code of `text` as an SVG image, dark on white in every colour scheme. It contains no style and no script. */
export const qrCodeSvg = (text: string): Promise<string> => toString(text, OPTIONS);

/**
 * A QR code of `text` as a PNG of black and white pixels, for chats and mails that show no SVG. Each module has the same whole number of
 * pixels, at least one; the rest of the size becomes margin.
 * @param size the length of a side in pixels. A code with more modules is as large as it must be.
 */
export function qrCodePng(text: string, size: number): Buffer {
  const { modules } = create(text, LEVEL);
  const scale = Math.max(1, Math.floor(size / (modules.size + 2 * MARGIN)));
  const side = Math.max(size, modules.size + 2 * MARGIN);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit for each pixel, in greyscale.
  header.set([1, 0], 8);
  const pixels = deflateSync(pixelsOf(modules, side, scale));
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** The rows from top to bottom: a byte for the filter, none, and a bit for each pixel, 1 for white. */
function pixelsOf(modules: QRCode['modules'], side: number, scale: number): Buffer {
  const white = Buffer.alloc(1 + Math.ceil(side / 8), 0xff);
  white[0] = 0;
  const rows = Array.from({ length: side }, () => white);
  const start = Math.floor((side - modules.size * scale) / 2);
  for (let y = 0; y < modules.size; y += 1) {
    const row = Buffer.from(white);
    for (let x = 0; x < modules.size * scale; x += 1) {
      if (!modules.get(y, Math.floor(x / scale))) continue;
      const at = 1 + ((start + x) >> 3);
      row[at] = (row[at] ?? 0) & ~(0x80 >> ((start + x) & 7));
    }
    rows.fill(row, start + y * scale, start + (y + 1) * scale);
  }
  return Buffer.concat(rows);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}
