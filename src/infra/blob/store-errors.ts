import { AppError } from '#kernel/errors/app-error';

/**
 * What is wrong with a store, in words that are the same for every provider:
 * - `address`: it resolves to an address that may not be reached; `resolve`, `connect`, `tls`, `timeout`: no answer was had;
 * - `credentials`, `clock`, `permission`, `container`: it refuses us, because of who we are, our clock, what we may do, or a bucket
 *   or container that is not there;
 * - `full`, `failing`: it is in trouble itself.
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
 * The cause of a `storage_backend_unavailable`. It keeps of the provider's error what is fit for a log: never the request, whose
 * headers and address are signed.
 */
export class StoreError extends Error {
  constructor(
    readonly trouble: StoreErrorKind,
    /** The provider's or the system's word for it. */
    readonly code: string,
    readonly status: number | undefined,
    message: string,
  ) {
    super(message);
    this.name = 'StoreError';
  }
}

/** What a provider's SDK threw, taken apart. */
export interface ProviderError {
  readonly code: string;
  readonly status: number | undefined;
  readonly message: string;
}

const SYSTEM_TROUBLES: Readonly<Record<string, StoreErrorKind>> = {
  EADDRREFUSED: 'address',
  ENOTFOUND: 'resolve',
  EAI_AGAIN: 'resolve',
  ETIMEDOUT: 'timeout',
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

/** @param troubles the provider's own codes. */
export function storeUnavailable(
  { code, status, message }: ProviderError,
  troubles: Readonly<Record<string, StoreErrorKind>>,
): AppError {
  const named = [troubles, SYSTEM_TROUBLES].find((known) => Object.hasOwn(known, code))?.[code];
  const trouble = named ?? (TLS_CODE.test(code) ? 'tls' : troubleOfStatus(status));
  return new AppError('storage_backend_unavailable', { cause: new StoreError(trouble, code, status, message) });
}

/** The same for whatever broke a connection or a stream; one of ours stays as it is. */
export function brokenOff(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, name, message } = error as Error & { readonly code?: unknown };
  return storeUnavailable({ code: typeof code === 'string' ? code : name, status: undefined, message }, {});
}

/** The one thing that a status says when a code is missing, as it is in answers to `HEAD`. */
function troubleOfStatus(status: number | undefined): StoreErrorKind {
  if (status === 401 || status === 403) return 'permission';
  if (status === 507) return 'full';
  return 'failing';
}

/** Whether a failure only says that a range begins where the blob has ended. */
export const isBehindTheEnd = (error: unknown): boolean =>
  error instanceof AppError && error.cause instanceof StoreError && error.cause.status === 416;
