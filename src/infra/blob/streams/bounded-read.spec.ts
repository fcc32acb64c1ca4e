import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { boundedRead, isTooLong, withDeadline } from './bounded-read';

const bytes = Buffer.from('0123456789');
const unavailable = (kind: string) => ({ errorCase: 'storage_backend_unavailable', cause: { kind } });
const closed = async (stream: Readable): Promise<boolean> => {
  while (!stream.closed) await new Promise((resolve) => setImmediate(resolve));
  return stream.destroyed;
};

describe('boundedRead', () => {
  it('passes a stream of at most the maximum size unchanged', async () => {
    const source = Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]);
    expect(await buffer(boundedRead(source, 10))).toEqual(bytes);
    expect(await buffer(boundedRead(Readable.from([]), 10))).toHaveLength(0);
  });

  // red when: the bytes are not counted, or the store's stream stays open
  it('fails at the first byte past the maximum and closes the source', async () => {
    function* endless(): Generator<Buffer> {
      for (;;) yield bytes;
    }
    const source = Readable.from(endless());
    const failure: unknown = await buffer(boundedRead(source, 35)).catch((error: unknown) => error);
    expect(failure).toMatchObject(unavailable('failing'));
    expect(isTooLong(failure)).toBe(true);
    expect(await closed(source)).toBe(true);
  });

  // red when: there is no timeout
  it('fails when a stream is too slow, even if it sends continuously, and closes the source', async () => {
    const source = new Readable({ read: () => undefined });
    const drip = setInterval(() => source.push('.'), 5);
    try {
      await expect(buffer(boundedRead(source, 2 ** 40, 100))).rejects.toMatchObject(unavailable('timeout'));
    } finally {
      clearInterval(drip);
    }
    expect(await closed(source)).toBe(true);
  });

  it('fails with a store error when the source breaks off', async () => {
    const source = new Readable({ read: () => undefined });
    const reading = buffer(boundedRead(source, 10));
    source.destroy(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
    const failure: unknown = await reading.catch((error: unknown) => error);
    expect([isTooLong(failure), failure]).toMatchObject([false, unavailable('connect')]);
  });

  it('closes the source when the reader is destroyed', async () => {
    const source = new Readable({ read: () => undefined });
    const reader = boundedRead(source, 10);
    reader.destroy();
    expect(await closed(source)).toBe(true);
  });
});

describe('withDeadline', () => {
  const aborted = (signal: AbortSignal): Promise<string> =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted')));

  it('aborts work that takes longer', async () => {
    await expect(withDeadline(aborted, 80)).resolves.toBe('aborted');
  });

  // red when: one timer of the whole duration aborts the work
  it('reads a response that arrived while the process was stalled', async () => {
    // From here the loop runs its timers before it reads what arrived.
    await new Promise((resolve) => setImmediate(resolve));
    const response = withDeadline(
      (signal) => Promise.race([aborted(signal), stat(__filename).then(() => 'answered')]),
      160,
    );
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    await expect(response).resolves.toBe('answered');
  });
});
