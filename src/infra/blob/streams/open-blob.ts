import { type Readable, type Writable } from 'node:stream';

/** A blob, or a part of it, that is there and open: to be sent or closed, once. */
export interface OpenBlob {
  /**
   * Writes its bytes, which are to be exactly so many, and ends the sink. Where they are fewer or more, or the store fails on the
   * way, it destroys the sink: nobody takes a part for the whole, and nothing of a store gets behind our answer, where a client
   * would take it for the next one. Resolves with how many the sink let go of, never more than `expectedBytes`; never rejects.
   */
  sendTo(sink: Writable, expectedBytes: number): Promise<number>;

  /** Lets go of it, unsent. */
  close(): void;
}

/** A blob that comes as a stream. */
export function streamed(stream: Readable): OpenBlob {
  // It may break before it is sent; whoever sends it then finds it broken.
  stream.on('error', () => undefined);
  const close = (): void => void stream.destroy();
  return {
    close,
    sendTo(sink, expectedBytes) {
      sink.once('close', close);
      if (sink.destroyed) close();
      return sendChunks(stream as AsyncIterable<Buffer>, sink, expectedBytes);
    },
  };
}

/** {@link OpenBlob.sendTo} of chunks, each of which may be used again when the next is asked for. */
export async function sendChunks(
  chunks: AsyncIterable<Buffer>,
  sink: Writable,
  expectedBytes: number,
): Promise<number> {
  let sentBytes = 0;
  let isLonger = false;
  try {
    for await (const chunk of chunks) {
      // Not even the beginning of it: a store that ignores ranges sends other bytes than were asked for.
      isLonger = sentBytes + chunk.length > expectedBytes;
      if (isLonger || !(await taken(sink, chunk))) break;
      sentBytes += chunk.length;
    }
  } catch {
    // The store failed, or nobody is there to send to.
  }
  if (sentBytes < expectedBytes || isLonger) sink.destroy();
  else sink.end();
  return sentBytes;
}

/** Whether the sink wrote the chunk out; not when it is closed, or closes meanwhile. */
function taken(sink: Writable, chunk: Buffer): Promise<boolean> {
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
