import { errorMonitor } from 'node:events';
import { Readable } from 'node:stream';
import { AppError } from '#kernel/errors/app-error';
import { type BlobStore } from './blob-store';
import { StoreError, type StoreErrorKind } from './store-errors';

type Method = (...args: unknown[]) => unknown;

/**
 * Wraps a store so that its errors are also reported to `onError`, once per call. Errors of the caller or of the caller's stream are
 * not reported.
 */
export function monitorStore(store: BlobStore, onError: (kind: StoreErrorKind) => void): BlobStore {
  const report = (error: unknown): void => {
    const kind = kindOf(error);
    if (kind) onError(kind);
  };
  return monitored(store, report);
}

function monitored<T extends object>(target: T, report: (error: unknown) => void): T {
  return new Proxy(target, {
    get: (_target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (name === 'parts') return monitored(member as object, report);
      return typeof member === 'function' ? monitoredMethod(target, member as Method, report) : member;
    },
  });
}

const monitoredMethod =
  (target: object, method: Method, report: (error: unknown) => void): Method =>
  (...args) => {
    const result = method.apply(target, args);
    if (!(result instanceof Promise)) return result;
    return result.then(
      (value: unknown) => {
        // An open stream can still fail. `errorMonitor` leaves the reader's own error handling as it is.
        if (value instanceof Readable) value.once(errorMonitor, report);
        return value;
      },
      (error: unknown) => {
        report(error);
        throw error;
      },
    );
  };

/** `null` when the error is not the store's. The local driver fails with errors of the operating system. */
function kindOf(error: unknown): StoreErrorKind | null {
  if (!(error instanceof AppError) || error.errorCase !== 'storage_backend_unavailable') return null;
  if (error.cause instanceof StoreError) return error.cause.kind;
  const { code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'full' : 'failing';
}
