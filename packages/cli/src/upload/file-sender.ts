import { ApiError, FileUnreadableError, type OutgoingPart, type PartSender, toApiError } from '@agate/client';

/** The slowest line on which a part arrives, in bytes per second, and the least time that a part gets. */
const SLOWEST_BYTES_PER_SECOND = 20_000;
const LEAST_MS = 120_000;

interface FileSenderOptions {
  readonly file: Blob;
  readonly fileName: string;
  /** Called when a part has arrived. */
  readonly arrived: () => void;
  readonly debug: (text: string) => void;
}

/** Sends ranges of a file. They are read as they are sent, and their length is known, which stores demand. */
export class FileSender implements PartSender {
  /** How many bytes were sent, counting those that were sent again. */
  sentBytes = 0;

  constructor(private readonly options: FileSenderOptions) {}

  async send({ url, start, end, signal, onProgress }: OutgoingPart): Promise<ApiError | null> {
    const { file, fileName, arrived, debug } = this.options;
    const timeout = AbortSignal.timeout(timeoutOf(end - start));
    this.sentBytes += end - start;
    try {
      const body = file.slice(start, end);
      const response = await fetch(url, { method: 'PUT', body, signal: AbortSignal.any([signal, timeout]) });
      debug(`PUT ${url} ${response.status}`);
      if (!response.ok) return await toApiError(response);
      await response.arrayBuffer();
    } catch (error) {
      if (signal.aborted) throw error;
      if (isUnreadable(error)) throw new FileUnreadableError(`${fileName} changed while it was sent.`);
      debug(`PUT ${url} failed: ${String(error instanceof Error && error.cause ? error.cause : error)}`);
      const failure = new ApiError(0, 'network_error', 'The connection was lost while the file was sent.');
      failure.cause = error;
      return failure;
    }
    onProgress(end - start);
    arrived();
    return null;
  }
}

/** Node reads a file when its bytes are needed, and fails when the file has changed since it was opened. */
function isUnreadable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.name === 'NotReadableError') return true;
  }
  return false;
}

/** How long a part may take, in milliseconds. */
const timeoutOf = (bytes: number): number => LEAST_MS + Math.ceil(bytes / SLOWEST_BYTES_PER_SECOND) * 1_000;
