import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { StartupError } from '#kernel/errors/startup-error';
import { ClockGuardService } from '#infra/clock/clock-guard.service';
import { Transactions } from '#infra/database/transactions';
import { defineJob, type JobClass, type JobHandler, type JobKind, type ScheduleHandler } from './job-kind';

export interface EnqueueOptions {
  /** Earliest start. By default immediately. */
  readonly runAt?: Date;
  /** Deduplication key within the kind: while a job with this key is in the queue (also as failed), `enqueue` adds no other. */
  readonly key?: string;
  /** With `key`: takes the place of a job with the key that waits for another attempt. One that failed for good stays, without the key. */
  readonly replaces?: boolean;
  /** Lowers the priority, so that thousands of jobs do not delay others. */
  readonly bulk?: boolean;
  /** Bulk jobs of a lower turn run first, whenever they were added. Default 0. */
  readonly turn?: number;
  /** Jobs of one named queue run one after another: for jobs that share a resource that may hang. */
  readonly queue?: string;
}

/** State of the queue, for metrics and operators. */
export interface JobQueueStatus {
  readonly waiting: number;
  readonly running: number;
  /** Jobs without attempts left. */
  readonly failed: number;
  /** Waiting time of the job that has been due longest; 0 when none is due. */
  readonly oldestDueSeconds: number;
}

/** State of one kind of job. */
export interface TaskStatus extends JobQueueStatus {
  readonly task: string;
}

/** A payload as stored. It carries the request id into the job's log lines and audit events. */
export interface JobEnvelope {
  readonly request_id: string;
  readonly data: object;
}

export interface ScheduleOptions {
  /** Runs a missed occurrence when a worker starts within this many hours after it. By default a missed occurrence is skipped. */
  readonly catchUpHours?: number;
  /** The work neither closes, charges nor deletes by time, so it also runs while the clock is in doubt. */
  readonly trustsAnyClock?: true;
  /** Default `database`. */
  readonly jobClass?: JobClass;
}

export interface Schedule extends ScheduleOptions {
  readonly name: string;
  readonly cron: string;
}

/** Work that looks for something to do, more often than schedules can. Every worker process does it, so it must claim what it finds. */
export interface Poll {
  readonly name: string;
  readonly everyMs: number;
  readonly run: (ctx: RequestContext) => Promise<unknown>;
}

/** A job without attempts left, as an operator sees it. The payload is not shown, because it may be sealed. */
export interface FailedJob {
  readonly id: string;
  readonly kind: string;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly failedAt: Date;
}

/** The queue fetches the lowest number first; the default is 0. */
const BULK_PRIORITY = 10;
/** The queue stores priorities as smallint. */
const LAST_TURN = 32_000;

const ENQUEUE = `SELECT FROM graphile_worker.add_job(
  identifier => $1::text, payload => $2::json, run_at => $3::timestamptz, max_attempts => $4::integer,
  job_key => $5::text, job_key_mode => $8::text, priority => $6::integer, queue_name => $7::text)`;

/** One statement, and one notification of the workers, for any number of jobs. */
const ENQUEUE_ALL = `SELECT FROM graphile_worker.add_jobs(array(
  SELECT ($1::text, payload, $6::text, $3::timestamptz, $4::smallint, NULL, $5::smallint, NULL)::graphile_worker.job_spec
  FROM unnest($2::json[]) AS payload))`;

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

const BUSY = `
  SELECT key FROM graphile_worker.jobs
  WHERE task_identifier = $1 AND key IS NOT NULL AND (locked_at IS NOT NULL OR attempts = 0)`;

const RETRY = `
  SELECT count(*)::int AS retried FROM graphile_worker.reschedule_jobs(
    array(SELECT id FROM graphile_worker.jobs WHERE ${IS_FAILED} AND ($1::bigint IS NULL OR id = $1::bigint)),
    run_at => now(), attempts => 0)`;

/** Deletes failed jobs after 30 days, so that the table and the personal data in payloads do not grow without limit. */
const PRUNE_FAILED = `
  SELECT graphile_worker.complete_jobs(array(
    SELECT id FROM graphile_worker.jobs WHERE ${IS_FAILED} AND updated_at < now() - interval '30 days'))`;

/**
 * Work outside the request: effects outside the database, and periodic work. `enqueue` writes the job's row in the caller's
 * transaction, so the job runs if and only if that transaction commits.
 */
@Injectable()
export class Jobs implements OnModuleInit {
  private readonly registered = new Map<string, JobHandler<object>>();
  private readonly classes = new Map<string, JobClass>();
  private readonly scheduled: Schedule[] = [];
  private readonly polled: Poll[] = [];

  constructor(
    private readonly transactions: Transactions,
    private readonly clockGuard: ClockGuardService,
  ) {}

  onModuleInit(): void {
    this.schedule('jobs.prune', '17 3 * * *', (ctx) => this.transactions.manager(ctx).query(PRUNE_FAILED), {
      catchUpHours: 24,
    });
  }

  /** Adds a job in the context's transaction. A worker starts it within milliseconds after the commit. */
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
        options.key === undefined ? null : keyOf(kind, options.key),
        priorityOf(options),
        options.queue ?? null,
        options.replaces ? 'replace' : 'unsafe_dedupe',
      ]);
  }

  /** Adds jobs of one kind in the context's transaction, with one statement. They have no keys: none of them may be in the queue already. */
  async enqueueAll<Payload extends object>(
    ctx: RequestContext,
    kind: JobKind<Payload>,
    payloads: readonly Payload[],
    options: Omit<EnqueueOptions, 'key' | 'ignoresFailed'> = {},
  ): Promise<void> {
    if (payloads.length === 0) return;
    const envelopes = payloads.map((data): JobEnvelope => ({ request_id: ctx.requestId, data }));
    await this.transactions
      .manager(ctx)
      .query(ENQUEUE_ALL, [
        kind.name,
        envelopes.map((envelope) => JSON.stringify(envelope)),
        options.runAt ?? null,
        kind.maxAttempts,
        priorityOf(options),
        options.queue ?? null,
      ]);
  }

  /** Registers the handler of a kind. The owning module calls it in `onModuleInit`. @throws StartupError when the kind has a handler. */
  register<Payload extends object>(kind: JobKind<Payload>, handler: JobHandler<Payload>): void {
    if (this.registered.has(kind.name))
      throw new StartupError(`Two handlers are registered for the job "${kind.name}".`);
    // `enqueue` accepts only this kind's payload.
    this.registered.set(kind.name, handler as JobHandler<object>);
    this.classes.set(kind.name, kind.jobClass);
  }

  /**
   * Registers periodic work, which runs once for all processes together. A run that is still active delays the next; runs neither
   * overlap nor accumulate. A run is skipped while the clock is in doubt (`ClockGuardService`). A handler that works through many ids
   * uses `forEachCollectingErrors`.
   * @param cron five fields, in UTC
   */
  schedule(name: string, cron: string, handler: ScheduleHandler, options: ScheduleOptions = {}): void {
    this.register(defineJob(name, options), async (ctx, _payload, run) => {
      if (options.trustsAnyClock || (await this.clockGuard.mayRun(ctx))) await handler(ctx, run);
    });
    this.scheduled.push({ name, cron, ...options });
  }

  /** Registers work that every worker process does at short intervals. */
  poll(poll: Poll): void {
    this.polled.push(poll);
  }

  get polls(): readonly Poll[] {
    return this.polled;
  }

  get handlers(): ReadonlyMap<string, JobHandler<object>> {
    return this.registered;
  }

  /** The handlers of one class, by the name of their kind. */
  handlersOf(jobClass: JobClass): ReadonlyMap<string, JobHandler<object>> {
    return new Map([...this.registered].filter(([name]) => this.classes.get(name) === jobClass));
  }

  get schedules(): readonly Schedule[] {
    return this.scheduled;
  }

  /** Marks the current time as seen, before a worker runs its first schedule. Logs an error when the clock is in doubt. */
  async beginSchedules(ctx: RequestContext): Promise<void> {
    await this.clockGuard.mayRun(ctx);
  }

  /** The keys of the jobs of a kind that run, or wait for their first attempt. */
  async busyKeys(ctx: RequestContext, kind: JobKind<object>): Promise<ReadonlySet<string>> {
    const prefix = keyOf(kind, '');
    const busy = await this.transactions.manager(ctx).query<{ key: string }[]>(BUSY, [kind.name]);
    return new Set(busy.map(({ key }) => key.slice(prefix.length)));
  }

  /** The latest thousand failed jobs, newest first. */
  failed(ctx: RequestContext): Promise<FailedJob[]> {
    return this.transactions.manager(ctx).query(FAILED);
  }

  /** Resets the attempts of a failed job, or of all failed jobs when `id` is null. @returns the number of jobs. */
  async retry(ctx: RequestContext, id: string | null): Promise<number> {
    const [row] = await this.transactions.manager(ctx).query<[{ retried: number }]>(RETRY, [id]);
    return row.retried;
  }

  /** State of each kind that has jobs in the queue. Scans the whole queue. */
  tasks(ctx: RequestContext): Promise<TaskStatus[]> {
    return this.transactions.manager(ctx).query(TASKS);
  }

  /** State of the queue over all kinds. Scans the whole queue. */
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

  /** Rejects when the queue cannot be read. Takes constant time. */
  async check(ctx: RequestContext): Promise<void> {
    await this.transactions.manager(ctx).query('SELECT FROM graphile_worker.jobs LIMIT 1');
  }
}

const priorityOf = ({ bulk = false, turn = 0 }: EnqueueOptions): number =>
  bulk ? BULK_PRIORITY + Math.min(turn, LAST_TURN) : 0;

const keyOf = ({ name }: Pick<JobKind<object>, 'name'>, key: string): string => `${name}:${key}`;
