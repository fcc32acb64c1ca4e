import { AppError } from '#kernel/errors/app-error';

/**
 * The kinds of store errors, one vocabulary for all providers:
 * - `address`: the host resolves to an address that is not allowed;
 * - `resolve`, `connect`, `tls`, `timeout`: there was no response;
 * - `credentials`, `clock`, `permission`: the store rejects the credentials, the time of the request, or the operation;
 * - `container`: the bucket or container does not exist;
 * - `full`, `failing`: the store itself is out of space or has failed.
 */
export type StoreErrorKind =
  | 'address'
  | 'resolve'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'credentials'
  | 'clock'
  | 'permission'
  | 'container'
  | 'full'
  | 'failing';

/**
 * The cause of a `storage_backend_unavailable`. Holds only the fields of the provider's error that are safe to log: never the request,
 * which is signed in its headers or URL.
 */
export class StoreError extends Error {
  constructor(
    readonly kind: StoreErrorKind,
    /** The error code of the provider or of the operating system. */
    readonly code: string,
    readonly status: number | undefined,
    message: string,
  ) {
    super(message);
    this.name = 'StoreError';
  }
}

/** The fields of a provider SDK's error. */
export interface ProviderError {
  readonly code: string;
  readonly status: number | undefined;
  readonly message: string;
}

const SYSTEM_ERROR_KINDS: Readonly<Record<string, StoreErrorKind>> = {
  EADDRREFUSED: 'address',
  ENOTFOUND: 'resolve',
  EAI_AGAIN: 'resolve',
  ETIMEDOUT: 'timeout',
  ESILENT: 'timeout',
  ABORT_ERR: 'timeout',
  AbortError: 'timeout',
  TimeoutError: 'timeout',
  ECONNREFUSED: 'connect',
  ECONNRESET: 'connect',
  EHOSTUNREACH: 'connect',
  ENETUNREACH: 'connect',
  EPIPE: 'connect',
};
const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO$)/;

/** @param kinds the kinds of the provider's own error codes. */
export function storeUnavailable(
  { code, status, message }: ProviderError,
  kinds: Readonly<Record<string, StoreErrorKind>>,
): AppError {
  const named = [kinds, SYSTEM_ERROR_KINDS].find((known) => Object.hasOwn(known, code))?.[code];
  const kind = named ?? (TLS_CODE.test(code) ? 'tls' : kindOfStatus(status));
  return new AppError('storage_backend_unavailable', { cause: new StoreError(kind, code, status, message) });
}

/** Maps an error of a connection or a stream to `storage_backend_unavailable`; returns an `AppError` unchanged. */
export function toStoreUnavailable(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, name, message } = error as Error & { readonly code?: unknown };
  return storeUnavailable({ code: typeof code === 'string' ? code : name, status: undefined, message }, {});
}

/** For responses without an error code, such as those to `HEAD`. */
function kindOfStatus(status: number | undefined): StoreErrorKind {
  if (status === 401 || status === 403) return 'permission';
  if (status === 507) return 'full';
  return 'failing';
}

/** Whether an error says that the range starts past the end of the blob. */
export const isRangeNotSatisfiable = (error: unknown): boolean =>
  error instanceof AppError && error.cause instanceof StoreError && error.cause.status === 416;
