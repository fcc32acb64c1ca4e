import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { StartupError } from '#kernel/errors/startup-error';
import { Transactions } from '#infra/database/transactions';
import { defineJob, type JobHandler, type JobKind, type ScheduleHandler } from './job-kind';

export interface EnqueueOptions {
  /** Not before this moment. */
  readonly runAt?: Date;
  /** Names the effect: while a job of that name is in the queue (also as failed), others of that name are dropped. */
  readonly key?: string;
  /** Whether everything else goes first: for work that comes by the thousand. */
  readonly bulk?: boolean;
  /** Jobs of one queue are done one after the other: for what shares something that may hang. */
  readonly queue?: string;
}

/** How the queue is doing, for metrics and operators. */
export interface JobQueueStatus {
  readonly waiting: number;
  readonly running: number;
  /** Out of attempts: a person must look. */
  readonly failed: number;
  /** How long the job that is due longest has been waiting; 0 when none is due. */
  readonly oldestDueSeconds: number;
}

/** The same of one kind of job. */
export interface TaskStatus extends JobQueueStatus {
  readonly task: string;
}

/** As stored. The request's id travels along, so that the job's log lines and audit rows carry it. */
export interface JobEnvelope {
  readonly request_id: string;
  readonly data: object;
}

export interface ScheduleOptions {
  /** When no worker was there at the time, it runs as soon as one is, up to so many hours late. Default: the next time. */
  readonly catchUpHours?: number;
}

export interface Schedule extends ScheduleOptions {
  readonly name: string;
  readonly cron: string;
}

/** A job that is out of attempts, as an operator sees it. What it was told may be sealed, and is not shown. */
export interface FailedJob {
  readonly id: string;
  readonly kind: string;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly failedAt: Date;
}

/** The queue takes what has the lowest number first. */
const BULK_PRIORITY = 10;

const ENQUEUE = `SELECT FROM graphile_worker.add_job(
  identifier => $1::text, payload => $2::json, run_at => $3::timestamptz, max_attempts => $4::integer,
  job_key => $5::text, job_key_mode => 'unsafe_dedupe', priority => $6::integer, queue_name => $7::text)`;

const IS_WAITING = 'locked_at IS NULL AND attempts < max_attempts';
const IS_FAILED = 'locked_at IS NULL AND attempts >= max_attempts';

const TASKS = `
  SELECT task_identifier AS task,
         count(*) FILTER (WHERE ${IS_WAITING})::int AS waiting,
         count(*) FILTER (WHERE locked_at IS NOT NULL)::int AS running,
         count(*) FILTER (WHERE ${IS_FAILED})::int AS failed,
         greatest(extract(epoch FROM now() - min(run_at) FILTER (WHERE ${IS_WAITING})), 0)::int AS "oldestDueSeconds"
  FROM graphile_worker.jobs GROUP BY task_identifier`;

const FAILED = `
  SELECT id::text, task_identifier AS kind, attempts::int, left(last_error, 500) AS "lastError", updated_at AS "failedAt"
  FROM graphile_worker.jobs WHERE ${IS_FAILED} ORDER BY updated_at DESC LIMIT 1000`;

const RETRY = `
  SELECT count(*)::int AS retried FROM graphile_worker.reschedule_jobs(
    array(SELECT id FROM graphile_worker.jobs WHERE ${IS_FAILED} AND ($1::bigint IS NULL OR id = $1::bigint)),
    run_at => now(), attempts => 0)`;

/**
 * Work that outlives the request: effects outside the database, and what is due periodically. A job is a row written in
 * the transaction of the effect it belongs to, so it runs if and only if that transaction commits.
 */
@Injectable()
export class Jobs {
  private readonly registered = new Map<string, JobHandler<object>>();
  private readonly scheduled: Schedule[] = [];

  constructor(private readonly transactions: Transactions) {}

  /** Adds a job in the context's transaction; it starts after the commit, within milliseconds, in some worker. */
  async enqueue<Payload extends object>(
    ctx: RequestContext,
    kind: JobKind<Payload>,
    payload: Payload,
    options: EnqueueOptions = {},
  ): Promise<void> {
    const envelope: JobEnvelope = { request_id: ctx.requestId, data: payload };
    await this.transactions
      .manager(ctx)
      .query(ENQUEUE, [
        kind.name,
        JSON.stringify(envelope),
        options.runAt ?? null,
        kind.maxAttempts,
        options.key === undefined ? null : `${kind.name}:${options.key}`,
        options.bulk ? BULK_PRIORITY : 0,
        options.queue ?? null,
      ]);
  }

  /** Says who does jobs of a kind; called by the owning module in `onModuleInit`, once per kind. */
  register<Payload extends object>(kind: JobKind<Payload>, handler: JobHandler<Payload>): void {
    if (this.registered.has(kind.name))
      throw new StartupError(`Two handlers are registered for the job "${kind.name}".`);
    // The payload was checked where it was enqueued, against the same kind.
    this.registered.set(kind.name, handler as JobHandler<object>);
  }

  /**
   * Periodic work, started once for all processes together. A run that is not done when the next is due delays it;
   * they never overlap and never pile up. What it does for each of many it does by `forEachCollectingErrors`.
   * @param cron five fields, in UTC
   */
  schedule(name: string, cron: string, handler: ScheduleHandler, options: ScheduleOptions = {}): void {
    this.register(defineJob(name), (ctx, _payload, run) => handler(ctx, run));
    this.scheduled.push({ name, cron, ...options });
  }

  get handlers(): ReadonlyMap<string, JobHandler<object>> {
    return this.registered;
  }

  get schedules(): readonly Schedule[] {
    return this.scheduled;
  }

  /** The thousand that failed last. */
  failed(ctx: RequestContext): Promise<FailedJob[]> {
    return this.transactions.manager(ctx).query(FAILED);
  }

  /** Gives a failed job, or with null every one, all its attempts again. @returns how many. */
  async retry(ctx: RequestContext, id: string | null): Promise<number> {
    const [row] = await this.transactions.manager(ctx).query<[{ retried: number }]>(RETRY, [id]);
    return row.retried;
  }

  /** How each kind of job is doing of which there are any: as much work as there are jobs. */
  tasks(ctx: RequestContext): Promise<TaskStatus[]> {
    return this.transactions.manager(ctx).query(TASKS);
  }

  /** The same of all kinds together. */
  async status(ctx: RequestContext): Promise<JobQueueStatus> {
    const tasks = await this.tasks(ctx);
    const sumOf = (name: 'waiting' | 'running' | 'failed'): number =>
      tasks.reduce((sum, { [name]: count }) => sum + count, 0);
    return {
      waiting: sumOf('waiting'),
      running: sumOf('running'),
      failed: sumOf('failed'),
      oldestDueSeconds: Math.max(0, ...tasks.map(({ oldestDueSeconds }) => oldestDueSeconds)),
    };
  }

  /** Fails when the queue cannot be read. However long it is, that is no more work. */
  async check(ctx: RequestContext): Promise<void> {
    await this.transactions.manager(ctx).query('SELECT FROM graphile_worker.jobs LIMIT 1');
  }
}
