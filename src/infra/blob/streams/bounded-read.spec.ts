import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { bounded, isOverlong } from './bounded-read';

const bytes = Buffer.from('0123456789');
const unavailable = (trouble: string) => ({ errorCase: 'storage_backend_unavailable', cause: { trouble } });
const closed = async (stream: Readable): Promise<boolean> => {
  while (!stream.closed) await new Promise((resolve) => setImmediate(resolve));
  return stream.destroyed;
};

describe('what a store sends', () => {
  it('passes as it is, up to its bound', async () => {
    const source = Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]);
    expect(await buffer(bounded(source, 10))).toEqual(bytes);
    expect(await buffer(bounded(Readable.from([]), 10))).toHaveLength(0);
  });

  // red when: it is not counted, or the store's stream is left open
  it('fails with the first byte beyond it, and the store’s stream ends', async () => {
    function* endless(): Generator<Buffer> {
      for (;;) yield bytes;
    }
    const source = Readable.from(endless());
    const failure: unknown = await buffer(bounded(source, 35)).catch((error: unknown) => error);
    expect(failure).toMatchObject(unavailable('failing'));
    expect(isOverlong(failure)).toBe(true);
    expect(await closed(source)).toBe(true);
  });

  // red when: there is no end to waiting
  it('fails when it comes too slowly, however steadily, and the store’s stream ends', async () => {
    const source = new Readable({ read: () => undefined });
    const drip = setInterval(() => source.push('.'), 5);
    try {
      await expect(buffer(bounded(source, 2 ** 40, 100))).rejects.toMatchObject(unavailable('timeout'));
    } finally {
      clearInterval(drip);
    }
    expect(await closed(source)).toBe(true);
  });

  it('fails as a store does when it breaks off', async () => {
    const source = new Readable({ read: () => undefined });
    const reading = buffer(bounded(source, 10));
    source.destroy(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
    const failure: unknown = await reading.catch((error: unknown) => error);
    expect([isOverlong(failure), failure]).toMatchObject([false, unavailable('connect')]);
  });

  it('lets go of the store when its reader leaves', async () => {
    const source = new Readable({ read: () => undefined });
    const reader = bounded(source, 10);
    reader.destroy();
    expect(await closed(source)).toBe(true);
  });
});
