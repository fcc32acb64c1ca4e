import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';

/** @throws AppError invalid_input for a token that would be born dead. */
export function requireFuture(ctx: RequestContext, expiresAt: Date | null): void {
  if (expiresAt === null || expiresAt > ctx.clock.now()) return;
  throw AppError.invalidInput('expires_in_the_past', 'expires_at must be in the future.');
}
