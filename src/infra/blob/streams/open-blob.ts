import { type Readable, type Writable } from 'node:stream';
import { type ContentCheck } from './content-check';

/** An open blob, or an open range of one. Call exactly one of its methods, once. */
export interface OpenBlob {
  /**
   * Writes `expectedBytes` bytes to the sink and ends it. Destroys the sink when the store sends fewer or more bytes or fails, so that a
   * client never takes a partial body for a complete one, nor surplus bytes for the next response on the connection.
   * @param check destroys the sink before the last chunk when the content is other than expected. Only for a whole blob.
   * @returns the number of bytes the sink has flushed, at most `expectedBytes`. Never rejects.
   */
  sendTo(sink: Writable, expectedBytes: number, check?: ContentCheck): Promise<number>;

  /** Changes whenever the stored bytes change. Absent when that is unknown, and when the bytes come over a network. */
  readonly version?: string;

  /** Closes the blob without sending it. */
  close(): void;
}

/** Wraps a stream as an open blob. */
export function toOpenBlob(stream: Readable): OpenBlob {
  // The stream can fail before `sendTo` is called, which then sees the error.
  stream.on('error', () => undefined);
  const close = (): void => void stream.destroy();
  return {
    close,
    sendTo(sink, expectedBytes, check) {
      sink.once('close', close);
      if (sink.destroyed) close();
      return sendChunks(stream as AsyncIterable<Buffer>, sink, expectedBytes, check);
    },
  };
}

/** Implements {@link OpenBlob.sendTo}. Each chunk is flushed before the next one is requested, so `chunks` may reuse its memory. */
export async function sendChunks(
  chunks: AsyncIterable<Buffer>,
  sink: Writable,
  expectedBytes: number,
  check?: ContentCheck,
): Promise<number> {
  let sentBytes = 0;
  let isLonger = false;
  try {
    for await (const chunk of chunks) {
      // A chunk that is too long is not sent at all: a store that ignores the range sends the wrong bytes.
      isLonger = sentBytes + chunk.length > expectedBytes;
      const isLast = sentBytes + chunk.length === expectedBytes;
      if (isLonger || check?.accepts(chunk, isLast) === false || !(await flushed(sink, chunk))) break;
      sentBytes += chunk.length;
    }
  } catch {
    // The store failed; the sink is destroyed below.
  }
  if (sentBytes < expectedBytes || isLonger) sink.destroy();
  else sink.end();
  return sentBytes;
}

/** Whether the sink has flushed the chunk; false when the sink closes first. */
function flushed(sink: Writable, chunk: Buffer): Promise<boolean> {
  if (sink.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const closed = (): void => resolve(false);
    sink.once('close', closed);
    sink.write(chunk, (error) => {
      sink.off('close', closed);
      resolve(!error);
    });
  });
}
