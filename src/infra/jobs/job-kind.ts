import { type RequestContext } from '#kernel/context/request-context';
import { StartupError } from '#kernel/errors/startup-error';

declare const payload: unique symbol;

/** A kind of work that runs outside the request: its name in the database and, as a type only, what it is told. */
export interface JobKind<Payload extends object> {
  readonly name: string;
  readonly maxAttempts: number;
  readonly [payload]?: Payload;
}

/** One execution of a job. */
export interface JobRun {
  /** The queue's id of the job: the same for each of its attempts. */
  readonly id: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Fires when the process is stopping and will not wait much longer. */
  readonly signal: AbortSignal;
}

/**
 * Does the work; it is awaited, and what it returns is not looked at. Returning ends the job, throwing has it tried again
 * later. It can run more than once (a process may die between the work and the note that it is done), so it must be
 * idempotent, or repeat itself recognisably.
 */
export type JobHandler<Payload extends object> = (ctx: RequestContext, payload: Payload, run: JobRun) => unknown;

/** Periodic work: the same, told nothing. */
export type ScheduleHandler = (ctx: RequestContext, run: JobRun) => unknown;

export interface JobKindOptions {
  /** After so many attempts the job rests as failed, until a person looks. Waits grow as e^attempt seconds. */
  readonly maxAttempts?: number;
}

/** Ten attempts end about three and a half hours after the first. */
export const DEFAULT_MAX_ATTEMPTS = 10;

/** `sweep.uploads`: whose it is, then what it does. */
const NAME = /^[a-z][a-z-]*(\.[a-z][a-z-]*)+$/;

/**
 * Declares a kind of job, once, beside the module that owns it. The payload is JSON and is readable by whoever can read
 * the database, for as long as the job is in the queue: ids; an address only where nobody may know yet whose it is; never secrets,
 * unless sealed.
 */
export function defineJob<Payload extends object>(name: string, options: JobKindOptions = {}): JobKind<Payload> {
  if (!NAME.test(name)) throw new StartupError(`"${name}" is no name for a job; they look like "sweep.uploads".`);
  return { name, maxAttempts: options.maxAttempts ?? DEFAULT_MAX_ATTEMPTS };
}
