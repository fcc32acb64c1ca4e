import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';

/** Null means that a token does not expire. */
export const isUnexpired = (ctx: RequestContext, expiresAt: Date | null): boolean =>
  expiresAt === null || expiresAt > ctx.clock.now();

/**
 * Checks the expiry of a new token.
 * @throws AppError invalid_input when it is not in the future.
 */
export function requireFuture(ctx: RequestContext, expiresAt: Date | null): void {
  if (!isUnexpired(ctx, expiresAt))
    throw AppError.invalidInput('expires_in_the_past', 'expires_at must be in the future.');
}

/**
 * Checks that a token may get a new value. A rotation does not change the expiry, so the new value would not work either.
 * @throws AppError operation_not_allowed when the token has expired.
 */
export function requireNotExpired(ctx: RequestContext, expiresAt: Date | null): void {
  if (isUnexpired(ctx, expiresAt)) return;
  throw new AppError('operation_not_allowed', {
    message: 'This token has expired. Create a new one.',
    details: { reason: 'token_expired' },
  });
}
