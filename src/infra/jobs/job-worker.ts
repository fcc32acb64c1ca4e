import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type JobHelpers,
  Logger as QueueLogger,
  parseCronItems,
  run,
  type Runner,
  type Task,
  type WorkerEvents,
} from 'graphile-worker';
import { type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Pool } from 'pg';
import { type Logger } from '#infra/logging/logger';
import { systemContext } from '#kernel/context/request-context';
import { StartupError } from '#kernel/errors/startup-error';
import { type Clock } from '#kernel/context/clock';
import { TIMEOUTS } from '#infra/database/data-source-options';
import { QueryDeadlineClient } from '#infra/database/pool/query-deadline-client';
import { DEFAULT_MAX_ATTEMPTS, type JobHandler } from './job-kind';
import { type JobEnvelope, type Jobs, type Schedule } from './jobs';
import { WorkerLiveness } from './worker-liveness';

/**
 * Forwards the queue library's warnings and errors to the service's log, as warnings: its errors are lost connections that it retries,
 * or failed attempts, which JobWorker logs itself. Lower levels are dropped.
 */
export function queueLogger(logger: Logger): QueueLogger {
  return new QueueLogger(() => (level, message, meta) => {
    const isRelevant = String(level) === 'error' || String(level) === 'warning';
    if (isRelevant && meta?.['failure'] !== true) logger.warn({ component: 'jobs', err: meta?.['error'] }, message);
  });
}

export interface JobWorkerOptions {
  readonly databaseUrl: string;
  /** How many jobs run at once in this process. */
  readonly concurrency: number;
  /** How long a stop waits for running jobs before it returns them to the queue. */
  readonly stopWithinMs: number;
  /** Interval of the check for dead workers. Their jobs run again after one to two intervals. */
  readonly checkWorkersEveryMs: number;
  /** Interval of polling. The database notifies workers of new jobs; polling finds retries and missed notifications. */
  readonly pollEveryMs: number;
}

export const JOB_WORKER_DEFAULTS = {
  concurrency: 5,
  stopWithinMs: 20_000,
  checkWorkersEveryMs: 10_000,
  pollEveryMs: 2_000,
} as const satisfies Partial<JobWorkerOptions>;

/** Connections beside those of running jobs: one listens, one holds the worker's lock, two fetch and complete jobs, one schedules. */
const OWN_CONNECTIONS = 5;
const FIRST_RESTART_MS = 500;
const LAST_RESTART_MS = 15_000;
/** Bounds each step of a stop, because the database may be unavailable. */
const CLOSE_MS = 3_000;

/**
 * A schedule's failure is logged as an error from this attempt on. Each occurrence starts with new attempts, so waiting for the last
 * attempt could hide a schedule that never succeeds.
 */
const ERROR_AFTER_ATTEMPTS = 3;
const PRUNE: Schedule = { name: 'jobs.prune', cron: '17 3 * * *', catchUpHours: 24 };

/** Deletes failed jobs after 30 days, so that the table and the personal data in payloads do not grow without limit. */
const PRUNE_FAILED = `
  SELECT graphile_worker.complete_jobs(array(
    SELECT id FROM graphile_worker.jobs
    WHERE locked_at IS NULL AND attempts >= max_attempts AND updated_at < now() - interval '30 days'))`;

/** Runs the jobs of all registered kinds in this process, until it is stopped. */
export class JobWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly pool: Pool;
  private readonly stopping = new AbortController();
  private runner: Runner | undefined;
  private liveness: WorkerLiveness | undefined;
  private supervision: Promise<void> | undefined;
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly options: JobWorkerOptions,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.pool = new Pool({
      Client: QueryDeadlineClient,
      connectionString: options.databaseUrl,
      max: options.concurrency + OWN_CONNECTIONS,
      application_name: 'agate-jobs',
      ...TIMEOUTS,
      connectionTimeoutMillis: 5_000,
      // The listening connection sends no queries, so only TCP keep-alive detects a dead server.
      keepAlive: true,
      keepAliveInitialDelayMillis: 15_000,
    });
    const onError = (error: Error): void => this.logger.warn({ err: error }, 'The job queue lost a connection');
    this.pool.on('error', onError).on('connect', (client) => client.on('error', onError));
  }

  /** @throws StartupError when the database's job queue is missing or older than this version. */
  async start(): Promise<void> {
    try {
      await this.launch();
    } catch (error) {
      await this.stop();
      throw error;
    }
    this.supervision = this.supervise();
  }

  /** Nest calls this after every `onModuleInit`, in which modules register their handlers. */
  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.beginSchedules(systemContext('jobs', this.clock, 'start'));
    await this.start();
  }

  /** Nest calls this before it closes the connections that handlers use. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Fetches no new jobs, waits up to `stopWithinMs` for running jobs, and returns the others to the queue. Safe to call twice. */
  stop(): Promise<void> {
    this.stopped ??= this.shutDown();
    return this.stopped;
  }

  private async shutDown(): Promise<void> {
    this.stopping.abort();
    const finished = this.runner?.stop().catch(() => undefined);
    if (await within(this.options.stopWithinMs, finished)) await within(CLOSE_MS, this.supervision);
    else
      this.logger.warn(
        { waitedMs: this.options.stopWithinMs },
        'Jobs are still running after the shutdown limit; they return to the queue',
      );
    await within(CLOSE_MS, this.liveness?.stop());
    await within(CLOSE_MS, this.pool.end());
  }

  /** Restarts the library's runner, which ends when it cannot complete a job because the database was unavailable for too long. */
  private async supervise(): Promise<void> {
    const { signal } = this.stopping;
    let pause = FIRST_RESTART_MS;
    while (!signal.aborted) {
      await this.runner?.promise.catch(() => undefined);
      await this.liveness?.stop();
      if (signal.aborted) return;
      this.logger.warn({ pauseMs: pause }, 'The job worker ended; restarting it');
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      pause = Math.min(pause * 2, LAST_RESTART_MS);
      await this.launch().then(
        () => (pause = FIRST_RESTART_MS),
        (error: unknown) => this.logger.warn({ err: error }, 'The job worker cannot start'),
      );
    }
  }

  private async launch(): Promise<void> {
    const { concurrency, checkWorkersEveryMs, pollEveryMs } = this.options;
    const liveness = new WorkerLiveness(this.pool, this.logger, checkWorkersEveryMs);
    this.liveness = liveness;
    this.runner = await run({
      pgPool: this.pool,
      concurrency,
      pollInterval: pollEveryMs,
      // main.ts handles the signals.
      noHandleSignals: true,
      gracefulShutdownAbortTimeout: Math.ceil(this.options.stopWithinMs / 2),
      taskList: this.tasks(),
      parsedCronItems: this.cronItems(),
      events: this.events(),
      logger: queueLogger(this.logger),
      // With batching (a delay of 0 suffices) the library retries a completion; without, a lost connection is an unhandled rejection.
      preset: { plugins: [plugin(liveness)], worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    });
    if (this.stopping.signal.aborted) await this.runner.stop().catch(() => undefined);
  }

  private tasks(): Record<string, Task> {
    const tasks: Record<string, Task> = {
      [PRUNE.name]: async (_payload, helpers) => void (await helpers.query(PRUNE_FAILED)),
    };
    for (const [name, handler] of this.jobs.handlers) {
      tasks[name] = (payload, helpers) => this.perform(name, handler, payload as Partial<JobEnvelope>, helpers);
    }
    return tasks;
  }

  private async perform(
    name: string,
    handler: JobHandler<object>,
    envelope: Partial<JobEnvelope>,
    { job, abortSignal }: JobHelpers,
  ): Promise<void> {
    const ctx = systemContext(name, this.clock, envelope.request_id ?? `job-${job.id}`);
    await handler(ctx, envelope.data ?? {}, { id: job.id, attempt: job.attempts, signal: abortSignal });
  }

  /** A queue per schedule keeps runs from overlapping; a key per schedule makes the next occurrence replace one that still waits. */
  private cronItems(): ReturnType<typeof parseCronItems> {
    return parseCronItems(
      this.schedules.map(({ name, cron, catchUpHours = 0 }) => ({
        task: name,
        match: cron,
        options: {
          queueName: name,
          jobKey: name,
          jobKeyMode: 'replace',
          backfillPeriod: catchUpHours * 3_600_000,
          maxAttempts: DEFAULT_MAX_ATTEMPTS,
        },
      })),
    );
  }

  private get schedules(): readonly Schedule[] {
    return [...this.jobs.schedules, PRUNE];
  }

  private events(): WorkerEvents {
    const events = new EventEmitter() as WorkerEvents;
    const isScheduled = new Set(this.schedules.map(({ name }) => name));
    return events.on('job:error', ({ job, error }) => {
      const { id, task_identifier: kind, attempts: attempt, max_attempts: maxAttempts } = job;
      const fields = { err: error, jobId: id, kind, attempt, maxAttempts };
      if (attempt >= maxAttempts)
        this.logger.error(fields, 'A job failed its last attempt; it stays in the queue for an operator');
      else if (attempt >= ERROR_AFTER_ATTEMPTS && isScheduled.has(kind))
        this.logger.error(fields, 'A scheduled job failed repeatedly; it will be retried');
      else this.logger.warn(fields, 'A job failed; it will be retried');
    });
  }
}

/** Takes the worker's lock before its first job, and rejects a queue schema that is missing or old instead of migrating it. */
function plugin(liveness: WorkerLiveness): GraphileConfig.Plugin {
  let started: Promise<void> | undefined;
  return {
    name: 'agate',
    worker: {
      hooks: {
        startWorker: (_ctx, { worker }) => (started ??= liveness.start(worker.workerPool.id)),
      },
      middleware: {
        bootstrap: () => {
          throw new StartupError('The database has no job queue. Run the migrations first.');
        },
        migrate: async (next, { ctx, client }) => {
          const schema = ctx.escapedWorkerSchema;
          const { rows } = await client.query<{ id: number }>(`SELECT max(id) AS id FROM ${schema}.migrations`);
          if ((rows[0]?.id ?? 0) < ctx.maxMigrationNumber) {
            throw new StartupError(
              'The job queue in the database is older than this version. Run the migrations first.',
            );
          }
          await next();
        },
      },
    },
  };
}

/** Whether `work` settled (fulfilled or rejected) within the time. */
async function within(milliseconds: number, work: Promise<unknown> | undefined): Promise<boolean> {
  const timer = new AbortController();
  const timeout = sleep(milliseconds, false, { signal: timer.signal }).catch(() => false);
  const done = Promise.resolve(work).then(
    () => true,
    () => true,
  );
  const inTime = await Promise.race([done, timeout]);
  timer.abort();
  return inTime;
}
