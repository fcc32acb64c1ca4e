import { AppError } from '#kernel/errors/app-error';
import { type ProviderError, type StoreErrorKind, storeUnavailable } from '../store-errors';

/** Error codes of Amazon S3 and of S3-compatible stores. */
const KINDS: Readonly<Record<string, StoreErrorKind>> = {
  InvalidAccessKeyId: 'credentials',
  SignatureDoesNotMatch: 'credentials',
  InvalidToken: 'credentials',
  ExpiredToken: 'credentials',
  AuthorizationHeaderMalformed: 'credentials',
  RequestTimeTooSkewed: 'clock',
  RequestExpired: 'clock',
  AccessDenied: 'permission',
  AllAccessDisabled: 'permission',
  NoSuchBucket: 'container',
  PermanentRedirect: 'container',
  InvalidBucketName: 'container',
  XMinioStorageFull: 'full',
  QuotaExceeded: 'full',
  InsufficientStorage: 'full',
  RequestTimeout: 'timeout',
};

/** The SDK may wrap an error of the operating system and keep only its message: `read ECONNRESET`. */
const SYSTEM_CODE = /\bE[A-Z]{5,}$/;

/** Reads the fields of an SDK error. Errors of the store have their code as `name`, errors of the operating system as `code`. */
export function s3ErrorOf(error: unknown): ProviderError {
  const { name, code, message, $metadata } = (error ?? {}) as Partial<Error> & {
    code?: unknown;
    $metadata?: { httpStatusCode?: number };
  };
  return {
    code: typeof code === 'string' ? code : (SYSTEM_CODE.exec(message ?? '')?.[0] ?? name ?? 'unknown'),
    status: $metadata?.httpStatusCode,
    message: message ?? String(error),
  };
}

/** Maps an SDK error to `storage_backend_unavailable`; returns an `AppError` unchanged. */
export const s3Unavailable = (error: unknown): AppError =>
  error instanceof AppError ? error : storeUnavailable(s3ErrorOf(error), KINDS);
