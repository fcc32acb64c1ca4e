import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ReadableStream } from 'node:stream/web';
import { ApiError, toApiError } from '@agate/client';
import { type Context } from '../context';
import { usageError } from '../output/cli-error';

/**
 * Writes the bytes of an address into a file, which gets its name when `accepts` returns without an error.
 * @param accepts gets the SHA-256 of all bytes in hexadecimal, and throws when it is wrong.
 * @param onProgress gets the number of bytes that were received so far.
 * @throws CliError when the file cannot be written, before anything is requested; ApiError when the bytes do not arrive.
 */
export async function receiveFile(
  { signal }: Context,
  url: string | URL,
  file: string,
  accepts: (sha256: string) => void,
  onProgress: (bytes: number) => void = () => undefined,
): Promise<void> {
  const partial = `${file}.part`;
  const target = await open(partial, 'w').catch((error: Error) => Promise.reject(unwritable(file, error)));
  const hash = createHash('sha256');
  let bytes = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      onProgress((bytes += chunk.length));
      done(null, chunk);
    },
  });
  try {
    await pipeline(await bodyOf(url, signal), counting, target.createWriteStream(), { signal });
    accepts(hash.digest('hex'));
    await rename(partial, file);
  } catch (error) {
    throw signal.aborted ? error : explained(file, error);
  } finally {
    await closed(target);
    rmSync(partial, { force: true });
  }
}

async function bodyOf(url: string | URL, signal: AbortSignal): Promise<Readable> {
  const response = await fetch(url, { signal });
  if (!response.ok || !response.body) throw await toApiError(response);
  return Readable.fromWeb(response.body as ReadableStream);
}

/** A stream that wrote to the file may have closed it already. */
const closed = (target: FileHandle): Promise<void> => target.close().catch(() => undefined);

/** `fetch` and the body that it returns fail with a TypeError, the file system with the name of a system call. */
function explained(file: string, error: unknown): unknown {
  if (error instanceof TypeError) {
    const failure = new ApiError(0, 'network_error', 'The connection was lost while the file was received.');
    failure.cause = error;
    return failure;
  }
  return (error as NodeJS.ErrnoException).syscall === undefined ? error : unwritable(file, error as Error);
}

const unwritable = (file: string, { message }: Error): Error =>
  usageError(`${file} cannot be written: ${message}. Use another file.`);
