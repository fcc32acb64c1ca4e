import { AppError } from '#kernel/errors/app-error';
import { type ProviderError, type StoreErrorKind, storeUnavailable } from '../store-errors';

const KINDS: Readonly<Record<string, StoreErrorKind>> = {
  AuthenticationFailed: 'credentials',
  InvalidAuthenticationInfo: 'credentials',
  InvalidConnectionString: 'credentials',
  AuthorizationFailure: 'permission',
  AuthorizationPermissionMismatch: 'permission',
  InsufficientAccountPermissions: 'permission',
  AccountIsDisabled: 'permission',
  ContainerNotFound: 'container',
  ContainerBeingDeleted: 'container',
  ContainerDisabled: 'container',
  InvalidResourceName: 'container',
  ServerBusy: 'failing',
  OperationTimedOut: 'timeout',
};

interface RestErrorLike extends Partial<Error> {
  readonly code?: string;
  readonly statusCode?: number;
  readonly details?: { readonly errorCode?: string };
}

/** Reads the fields of an SDK error. For responses without a body, the SDK puts the service's error code into `details`. */
export function azureErrorOf(error: unknown): ProviderError {
  const { name, code, message, statusCode, details } = (error ?? {}) as RestErrorLike;
  return {
    code: code ?? details?.errorCode ?? name ?? 'unknown',
    status: statusCode,
    // The lines after the first repeat the signed request.
    message: (message ?? String(error)).split('\n', 1)[0] ?? '',
  };
}

/** Maps an SDK error to `storage_backend_unavailable`; returns an `AppError` unchanged. */
export const azureUnavailable = (error: unknown): AppError =>
  error instanceof AppError ? error : storeUnavailable(azureErrorOf(error), KINDS);
