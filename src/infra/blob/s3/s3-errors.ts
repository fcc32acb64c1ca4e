import { AppError } from '#kernel/errors/app-error';
import { type ProviderError, storeUnavailable, type StoreErrorKind } from '../store-errors';

/** Codes of Amazon's and of others that speak S3. */
const TROUBLES: Readonly<Record<string, StoreErrorKind>> = {
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

/** The SDK may wrap a system's error, and keep no more of it than the message: `read ECONNRESET`. */
const SYSTEM_CODE = /\bE[A-Z]{5,}$/;

/** What the SDK threw: its errors have the code as their name, a system's have it as `code`. */
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

/** Whatever the SDK threw, as our error; one of ours stays as it is. */
export const s3Unavailable = (error: unknown): AppError =>
  error instanceof AppError ? error : storeUnavailable(s3ErrorOf(error), TROUBLES);
