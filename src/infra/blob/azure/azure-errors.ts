import { AppError } from '#kernel/errors/app-error';
import { type ProviderError, storeUnavailable, type StoreErrorKind } from '../store-errors';

const TROUBLES: Readonly<Record<string, StoreErrorKind>> = {
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

/** What the SDK threw: `code` is the service's or the system's word; answers without a body have it among the details. */
export function azureErrorOf(error: unknown): ProviderError {
  const { name, code, message, statusCode, details } = (error ?? {}) as RestErrorLike;
  return {
    code: code ?? details?.errorCode ?? name ?? 'unknown',
    status: statusCode,
    // The service repeats the signed request in the lines below the first.
    message: (message ?? String(error)).split('\n', 1)[0] ?? '',
  };
}

/** Whatever the SDK threw, as our error; one of ours stays as it is. */
export const azureUnavailable = (error: unknown): AppError =>
  error instanceof AppError ? error : storeUnavailable(azureErrorOf(error), TROUBLES);
