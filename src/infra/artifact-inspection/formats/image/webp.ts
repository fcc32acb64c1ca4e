import { inspectionError } from '../../inspection-errors';
import { type WorkBudget } from '../../limits/work-budget';
import { isIconSide } from './png';

const ANIMATED = 0x02;

export const isWebp = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';

/** The width and height of a still WebP in any of its three formats (RFC 9649). Throws on anything else. */
function dimensions(bytes: Buffer): readonly [number, number] {
  const format = bytes.toString('latin1', 12, 16);
  if (format === 'VP8X' && (bytes.readUInt8(20) & ANIMATED) === 0) {
    return [1 + bytes.readUIntLE(24, 3), 1 + bytes.readUIntLE(27, 3)];
  }
  if (format === 'VP8L' && bytes[20] === 0x2f) {
    const bits = bytes.readUInt32LE(21);
    return [1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)];
  }
  const keyFrame = format === 'VP8 ' && bytes.readUIntBE(23, 3) === 0x9d012a;
  if (keyFrame) return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  throw inspectionError('unreadable');
}

/** Removes data after the picture. Throws when the frame, the dimensions or the chunk sizes are inconsistent. */
export function cleanWebp(bytes: Buffer, budget: WorkBudget): Buffer {
  const end = 8 + bytes.readUInt32LE(4);
  if (!isWebp(bytes) || end > bytes.length || !dimensions(bytes).every(isIconSide)) throw inspectionError('unreadable');
  let at = 12;
  while (at < end) {
    budget.countElements();
    at += 8 + bytes.readUInt32LE(at + 4) + (bytes.readUInt32LE(at + 4) & 1);
  }
  if (at !== end) throw inspectionError('unreadable');
  return bytes.subarray(0, end);
}
