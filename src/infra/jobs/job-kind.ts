import { type RequestContext } from '#kernel/context/request-context';
import { StartupError } from '#kernel/errors/startup-error';

declare const payload: unique symbol;

/**
 * The kind of server that a job waits for. Each class has separate slots, so that a mail server or a store that hangs delays no job of
 * another class. `database` is everything that only uses the database: sweeps, pruning, returned credit. `shards` is work over all
 * organizations, which may take hours. `network` waits for servers that customers choose.
 */
export const JOB_CLASSES = ['mail', 'store', 'database', 'shards', 'network'] as const;
export type JobClass = (typeof JOB_CLASSES)[number];

/** A kind of work that runs outside the request: its name in the database and, as a type only, its payload. */
export interface JobKind<Payload extends object> {
  readonly name: string;
  readonly maxAttempts: number;
  readonly jobClass: JobClass;
  readonly [payload]?: Payload;
}

/** One execution of a job. */
export interface JobRun {
  /** The queue's id of the job. All attempts of a job share it. */
  readonly id: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Aborts shortly before the stopping process returns its jobs to the queue. */
  readonly signal: AbortSignal;
}

/**
 * Does the work of a job. Returning (the value is ignored) completes the job; throwing schedules a retry. A job can run more than once,
 * because a process may die between the work and its completion, so a handler must be idempotent.
 */
export type JobHandler<Payload extends object> = (ctx: RequestContext, payload: Payload, run: JobRun) => unknown;

/** Does periodic work. A schedule has no payload. Otherwise like JobHandler. */
export type ScheduleHandler = (ctx: RequestContext, run: JobRun) => unknown;

export interface JobKindOptions {
  /**
   * The maximum number of attempts. Afterwards the job stays in the queue as failed, for an operator. Attempt n is retried after e^n
   * seconds.
   */
  readonly maxAttempts?: number;
  /** Default `database`. */
  readonly jobClass?: JobClass;
}

/** Ten attempts end about three and a half hours after the first. */
export const DEFAULT_MAX_ATTEMPTS = 10;

/** Topic and action, such as `sweep.uploads`. */
const NAME = /^[a-z][a-z-]*(\.[a-z][a-z-]*)+$/;

/**
 * Declares a kind of job, once, in the module that owns it. The payload is JSON, stored in plain text while the job is in the queue:
 * put ids into it, an e-mail address only when no account may exist for it yet, and secrets only sealed.
 * @throws StartupError when the name does not have the form `topic.action`.
 */
export function defineJob<Payload extends object>(name: string, options: JobKindOptions = {}): JobKind<Payload> {
  if (!NAME.test(name)) throw new StartupError(`"${name}" is not a valid job name. Use the form "sweep.uploads".`);
  const { maxAttempts = DEFAULT_MAX_ATTEMPTS, jobClass = 'database' } = options;
  return { name, maxAttempts, jobClass };
}
