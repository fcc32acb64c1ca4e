import { once } from 'node:events';
import { Readable } from 'node:stream';
import { AppError } from '#kernel/errors/app-error';
import { type BlobStore } from './blob-store';
import { StoreError, type StoreErrorKind } from './store-errors';
import { watchStore } from './monitored-store';

const away = (trouble: StoreErrorKind): AppError =>
  new AppError('storage_backend_unavailable', { cause: new StoreError(trouble, 'X', 403, 'x') });

describe('a watched store', () => {
  let troubles: StoreErrorKind[];
  const watch = (store: object): BlobStore => watchStore(store as BlobStore, (trouble) => troubles.push(trouble));
  beforeEach(() => (troubles = []));

  // red when: watchedMethod does not report; or swallows what it reports
  it('reports its troubles, and fails as before', async () => {
    const error = away('permission');
    await expect(watch({ head: () => Promise.reject(error) }).head('a')).rejects.toBe(error);
    expect(troubles).toEqual(['permission']);
  });

  it('reports those of its parts', async () => {
    const store = watch({ parts: { begin: () => Promise.reject(away('timeout')) } });
    await expect(store.parts.begin('a')).rejects.toThrow();
    expect(troubles).toEqual(['timeout']);
  });

  it('knows a full disk', async () => {
    const cause = Object.assign(new TypeError(), { code: 'ENOSPC' });
    const store = watch({ check: () => Promise.reject(new AppError('storage_backend_unavailable', { cause })) });
    await expect(store.check()).rejects.toThrow();
    expect(troubles).toEqual(['full']);
  });

  it('does not report what is not its fault', async () => {
    await expect(watch({ read: () => Promise.reject(new AppError('not_found')) }).read('a')).rejects.toThrow();
    expect(troubles).toEqual([]);
  });

  it('reports a stream that breaks, whose reader hears of it too', async () => {
    const error = away('connect');
    const stream = await watch({ read: () => Promise.resolve(new Readable({ read: () => undefined })) }).read('a');
    const heard = once(stream, 'error').catch((thrown: unknown) => thrown);
    stream.destroy(error);
    expect(await heard).toEqual([error]);
    expect(troubles).toEqual(['connect']);
  });

  it('counts a call once, though it calls itself, and lacks what the store lacks', async () => {
    const store = watch({
      head: () => Promise.reject(away('failing')),
      async delete(this: BlobStore) {
        await this.head('a');
      },
    });
    await expect(store.delete('a')).rejects.toThrow();
    expect(troubles).toEqual(['failing']);
    expect(Reflect.get(store, 'signedUrl')).toBeUndefined();
  });
});
