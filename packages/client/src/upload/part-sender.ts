import { type ApiError } from '../api-error';

/** One part of a file that is sent to an address. */
export interface OutgoingPart {
  /** The address to which the part is sent by PUT. It may be a path of the service. */
  readonly url: string;
  /** The range of the file: from `start` up to, and not including, `end`. */
  readonly start: number;
  readonly end: number;
  readonly signal: AbortSignal;
  /** Reports how many bytes of this part were sent so far. */
  readonly onProgress: (sentBytes: number) => void;
}

/**
 * Sends ranges of one file. The engine knows neither files nor sockets: a browser sends by `XMLHttpRequest`, which reports
 * progress, and a command line streams from the disk.
 */
export interface PartSender {
  /**
   * Resolves with null when the service has stored the part, otherwise with the error. An error without a response has status 0.
   * @throws FileUnreadableError when the bytes cannot be read; the reason of `signal` when it aborts.
   */
  send(part: OutgoingPart): Promise<ApiError | null>;
}

/** The file was changed, moved or deleted while it was sent. */
export class FileUnreadableError extends Error {
  override readonly name = 'FileUnreadableError';
}

/** Whether there is a network connection. Without one, an upload waits and does not count failed attempts. */
export interface Network {
  isOnline(): boolean;
  /** Calls the listener after each change. Returns the function that ends this. */
  subscribe(listener: () => void): () => void;
}
