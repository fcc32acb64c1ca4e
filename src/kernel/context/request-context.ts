import { type ProjectRole } from '#kernel/access/roles';
import { type Clock } from '#kernel/context/clock';
import { AppError } from '#kernel/errors/app-error';
import { type DeveloperOwned, type Identity, isDeveloper } from './identity';

declare const transaction: unique symbol;

/** An open database transaction. Opaque outside `infra/database`. */
export interface TransactionHandle {
  readonly [transaction]: true;
}

/** The program that sends requests to the API for a client, within the service. */
export interface ClientProgram {
  readonly kind: 'mcp';
  /** The name that the client states for itself. Null when it states none. */
  readonly name: string | null;
}

/**
 * The caller, its address and the current transaction. It is immutable and the first argument of every service and
 * repository method, so that a call depends on nothing implicit.
 */
export interface RequestContext {
  readonly requestId: string;
  /** The `X-Request-Id` that the client sent. It identifies nothing: a client may send any value, also one of another request. */
  readonly clientRequestId?: string;
  /** Undefined for requests that a client sends to the API itself. */
  readonly client?: ClientProgram;
  /** The client's IP address; null for jobs. */
  readonly sourceIp: string | null;
  readonly identity: Identity;
  /**
   * The role of the developer in the project that the request names, own or implied by the organization. The access guard sets it on
   * routes that require a project role; a project access token has its role in its identity.
   */
  readonly projectRole?: ProjectRole | null;
  /**
   * The organization in which the access guard has admitted the developer; undefined before that, and on routes that name none. Its requests
   * share their turns for the database.
   */
  readonly organizationId?: string;
  /** Aborts when the client has disconnected. Heavy statements stop waiting for the database then. Undefined on routes without them. */
  readonly signal?: AbortSignal;
  /** Whether the request reads much. Its statements leave one of the database connections of its organization to other requests. */
  readonly isHeavy?: true;
  readonly clock: Clock;
  /** Whether a job runs. Its statements use the connections of jobs, which have a longer timeout than those of requests. */
  readonly isJob?: true;
  /** Undefined outside a transaction. */
  readonly transaction?: TransactionHandle;
}

/** The context of work outside any request, such as a check. */
export const systemContext = (name: string, clock: Clock, requestId: string): RequestContext => ({
  requestId,
  sourceIp: null,
  identity: { kind: 'system', name },
  clock,
});

/** The context of a job's handler. */
export const jobContext = (kind: string, clock: Clock, requestId: string): RequestContext => ({
  ...systemContext(kind, clock, requestId),
  isJob: true,
});

/**
 * Returns the developer of the request. Routes that declare only `jwt` and `pat` always have one. @throws AppError
 * unauthorized
 */
export function developerOf(ctx: RequestContext): DeveloperOwned {
  if (!isDeveloper(ctx.identity)) throw new AppError('unauthorized');
  return ctx.identity;
}
