import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';

/**
 * Checks the expiry of a new token. Null means that it does not expire.
 * @throws AppError invalid_input when it is not in the future.
 */
export function requireFuture(ctx: RequestContext, expiresAt: Date | null): void {
  if (expiresAt === null || expiresAt > ctx.clock.now()) return;
  throw AppError.invalidInput('expires_in_the_past', 'expires_at must be in the future.');
}
