import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { usageError } from '../output/cli-error';

/** A file to upload. */
export interface LocalFile {
  readonly path: string;
  /** The name without folders. */
  readonly name: string;
  readonly size: number;
}

const READ_BYTES = 1024 * 1024;

/**
 * The SHA-256 of a file, in hexadecimal.
 * @param onProgress gets the number of bytes that were read so far.
 * @throws CliError when the file cannot be read, or has another size than before.
 */
export async function hashOf(
  { path, size }: LocalFile,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES, signal })) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      onProgress(bytes);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    throw usageError(`${path} cannot be read: ${(error as Error).message}`);
  }
  if (bytes !== size) throw usageError(`${path} changed while it was read. Upload it when it is complete.`);
  return hash.digest('hex');
}
