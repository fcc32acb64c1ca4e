import { AppError } from '#kernel/errors/app-error';
import { type BlobWriteOptions, type UploadPart } from './blob-store';

/** The minimum of S3 for every part but the last. */
export const MIN_PART_BYTES = 5 * 1024 * 1024;
/** The maximum of S3. */
export const MAX_PARTS = 10_000;

/** The error of `writePart` for a source of another length. */
export const partSizeMismatch = ({ partNumber, sizeBytes }: UploadPart): AppError =>
  AppError.invalidInput('part_size_mismatch', `Part ${partNumber} must be exactly ${sizeBytes} bytes long.`);

/** The error of `complete` when other parts have arrived. */
export const partsMismatch = (): AppError =>
  AppError.invalidInput(
    'parts_mismatch',
    'The parts that arrived do not match this file. Send the missing or wrong parts again.',
  );

/** The size of the assembled blob. */
export const totalBytes = (parts: readonly UploadPart[]): number =>
  parts.reduce((total, { sizeBytes }) => total + sizeBytes, 0);

/** Whether the arrived parts are exactly the expected ones; both lists are sorted by number. */
export const areSameParts = (arrived: readonly UploadPart[], expected: readonly UploadPart[]): boolean =>
  arrived.length === expected.length &&
  expected.every(({ partNumber, sizeBytes }, index) => {
    const part = arrived[index];
    return part?.partNumber === partNumber && part.sizeBytes === sizeBytes;
  });

/** Wraps `onChunk` so that the write fails at the first byte past the part's size. */
export function rejectLonger(part: UploadPart, { onChunk }: BlobWriteOptions): (chunk: Buffer) => void {
  let receivedBytes = 0;
  return (chunk) => {
    receivedBytes += chunk.length;
    if (receivedBytes > part.sizeBytes) throw partSizeMismatch(part);
    onChunk?.(chunk);
  };
}
