import { errorMonitor } from 'node:events';
import { Readable } from 'node:stream';
import { AppError } from '#kernel/errors/app-error';
import { type BlobStore } from './blob-store';
import { StoreError, type StoreErrorKind } from './store-errors';

type Method = (...args: unknown[]) => unknown;

/**
 * The same store; whatever is wrong with it is also reported, once for each call. What is a caller's fault, or the fault of a
 * caller's stream, is not.
 */
export function watchStore(store: BlobStore, onTrouble: (trouble: StoreErrorKind) => void): BlobStore {
  const report = (error: unknown): void => {
    const trouble = troubleOf(error);
    if (trouble) onTrouble(trouble);
  };
  return watched(store, report);
}

function watched<T extends object>(target: T, report: (error: unknown) => void): T {
  return new Proxy(target, {
    get: (_target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (name === 'parts') return watched(member as object, report);
      return typeof member === 'function' ? watchedMethod(target, member as Method, report) : member;
    },
  });
}

const watchedMethod =
  (target: object, method: Method, report: (error: unknown) => void): Method =>
  (...args) => {
    const result = method.apply(target, args);
    if (!(result instanceof Promise)) return result;
    return result.then(
      (value: unknown) => {
        // A stream that was opened may break later; its reader hears of it as before.
        if (value instanceof Readable) value.once(errorMonitor, report);
        return value;
      },
      (error: unknown) => {
        report(error);
        throw error;
      },
    );
  };

/** Null for what is not the store's trouble. Local files fail with a system's error. */
function troubleOf(error: unknown): StoreErrorKind | null {
  if (!(error instanceof AppError) || error.errorCase !== 'storage_backend_unavailable') return null;
  if (error.cause instanceof StoreError) return error.cause.trouble;
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'full' : 'failing';
}
