import { once } from 'node:events';
import { Readable } from 'node:stream';
import { AppError } from '#kernel/errors/app-error';
import { type BlobStore } from './blob-store';
import { monitorStore } from './monitored-store';
import { StoreError, type StoreErrorKind } from './store-errors';

const unavailable = (kind: StoreErrorKind): AppError =>
  new AppError('storage_backend_unavailable', { cause: new StoreError(kind, 'X', 403, 'x') });

describe('monitorStore', () => {
  let kinds: StoreErrorKind[];
  const monitor = (store: object): BlobStore => monitorStore(store as BlobStore, (kind) => kinds.push(kind));
  beforeEach(() => (kinds = []));

  // red when: monitoredMethod does not report, or does not rethrow
  it('reports an error of the store and rethrows it', async () => {
    const error = unavailable('permission');
    await expect(monitor({ head: () => Promise.reject(error) }).head('a')).rejects.toBe(error);
    expect(kinds).toEqual(['permission']);
  });

  it('reports errors of part uploads', async () => {
    const store = monitor({ parts: { begin: () => Promise.reject(unavailable('timeout')) } });
    await expect(store.parts.begin('a')).rejects.toThrow();
    expect(kinds).toEqual(['timeout']);
  });

  it('reports a full disk as `full`', async () => {
    const cause = Object.assign(new TypeError(), { code: 'ENOSPC' });
    const store = monitor({ check: () => Promise.reject(new AppError('storage_backend_unavailable', { cause })) });
    await expect(store.check()).rejects.toThrow();
    expect(kinds).toEqual(['full']);
  });

  it('does not report an error that is not of the store', async () => {
    await expect(monitor({ read: () => Promise.reject(new AppError('not_found')) }).read('a')).rejects.toThrow();
    expect(kinds).toEqual([]);
  });

  it('reports a stream that fails after it was opened, and its reader gets the error too', async () => {
    const error = unavailable('connect');
    const stream = await monitor({ read: () => Promise.resolve(new Readable({ read: () => undefined })) }).read('a');
    const received = once(stream, 'error').catch((thrown: unknown) => thrown);
    stream.destroy(error);
    expect(await received).toEqual([error]);
    expect(kinds).toEqual(['connect']);
  });

  it('reports once when a method of the store calls another one', async () => {
    const store = monitor({
      head: () => Promise.reject(unavailable('failing')),
      async delete(this: BlobStore) {
        await this.head('a');
      },
    });
    await expect(store.delete('a')).rejects.toThrow();
    expect(kinds).toEqual(['failing']);
  });

  it('has no optional method that the store does not have', () => {
    expect(Reflect.get(monitor({}), 'signedUrl')).toBeUndefined();
  });
});
