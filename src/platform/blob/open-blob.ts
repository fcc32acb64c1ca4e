import { type Readable, type Writable } from 'node:stream';

/** A blob, or a part of it, that is there and open: to be sent or closed, once. */
export interface OpenBlob {
  /**
   * Writes its bytes and leaves the sink open. Resolves with how many the sink let go of, and never rejects: they are fewer when
   * the sink closed, the store failed on the way, or the blob was shorter.
   */
  sendTo(sink: Writable): Promise<number>;

  /** Lets go of it, unsent. */
  close(): void;
}

/** A blob that comes as a stream. */
export function streamed(stream: Readable): OpenBlob {
  // It may break before it is sent; whoever sends it then finds it broken.
  stream.on('error', () => undefined);
  const close = (): void => void stream.destroy();
  return { sendTo: (sink) => sendStream(stream, sink, close), close };
}

async function sendStream(stream: Readable, sink: Writable, close: () => void): Promise<number> {
  let sentBytes = 0;
  sink.once('close', close);
  if (sink.destroyed) close();
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (!(await taken(sink, chunk))) break;
      sentBytes += chunk.length;
    }
  } catch {
    // The store failed, or nobody is there to send to.
  } finally {
    sink.off('close', close);
  }
  return sentBytes;
}

/** Whether the sink wrote the chunk out; not when it is closed, or closes meanwhile. */
export function taken(sink: Writable, chunk: Buffer): Promise<boolean> {
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
