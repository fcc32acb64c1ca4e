import { AppError } from '#kernel/errors/app-error';
import { type Clock } from '#kernel/context/clock';
import { type DeveloperOwned, type Identity, isDeveloper } from './identity';

declare const transaction: unique symbol;

/** An open database transaction. Opaque: only `infra/database` knows what is inside. */
export interface TransactionHandle {
  readonly [transaction]: true;
}

/**
 * Who asks, from where, in which transaction. The first argument of every service and repository method, required and
 * immutable: what a call may do depends on nothing else.
 */
export interface RequestContext {
  readonly requestId: string;
  /** The client's address, a valid IP or null (jobs). */
  readonly sourceIp: string | null;
  readonly identity: Identity;
  readonly clock: Clock;
  /** Absent outside a transaction. */
  readonly transaction?: TransactionHandle;
}

/** The service itself, outside any request: a job, a timer. */
export const systemContext = (name: string, clock: Clock, requestId: string): RequestContext => ({
  requestId,
  sourceIp: null,
  identity: { kind: 'system', name },
  clock,
});

/** The developer behind the request; routes that declare `by: ['jwt', …]` have one. */
export function developerOf(ctx: RequestContext): DeveloperOwned {
  if (!isDeveloper(ctx.identity)) throw new AppError('unauthorized');
  return ctx.identity;
}
