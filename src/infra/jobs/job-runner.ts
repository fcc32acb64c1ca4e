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
  type WorkerPool,
} from 'graphile-worker';
import { type Pool } from 'pg';
import { type Clock } from '#kernel/context/clock';
import { jobContext } from '#kernel/context/request-context';
import { StartupError } from '#kernel/errors/startup-error';
import { type Logger } from '#infra/logging/logger';
import { CircuitOpenError } from '#infra/network/circuit-breaker';
import { DEFAULT_MAX_ATTEMPTS, type JobClass, type JobHandler } from './job-kind';
import { type JobEnvelope, type Jobs, type Schedule } from './jobs';
import { WorkerLiveness } from './worker-liveness';

export interface JobRunnerOptions {
  readonly jobClass: JobClass;
  /** The maximum number of jobs of the class that run in this process at the same time. */
  readonly slots: number;
  /** The time for which a stop waits for running jobs before it returns them to the queue. */
  readonly stopWithinMs: number;
  /** Interval of the check for dead workers. Their jobs run again after one to two intervals. */
  readonly checkWorkersEveryMs: number;
  /** Interval of polling. The database notifies workers of new jobs; polling finds retries and missed notifications. */
  readonly pollEveryMs: number;
}

const FIRST_RESTART_MS = 500;
const LAST_RESTART_MS = 15_000;
/** The library unlocks a job's queue some milliseconds after the job has ended. By then it has already looked for the next job. */
const QUEUE_UNLOCK_MS = 50;
/** Bounds each step of a stop, because the database may be unavailable. */
export const CLOSE_MS = 3_000;

/**
 * A failure of a schedule or of one of its shards is logged as an error from this attempt on. Each occurrence starts with new attempts, so
 * waiting for the last attempt could hide a schedule that never succeeds.
 */
const ERROR_AFTER_ATTEMPTS = 3;

/**
 * Forwards the queue library's warnings and errors to the service's log, as warnings: its errors are lost connections that it retries,
 * or failed attempts, which JobRunner logs itself. Lower levels are dropped.
 */
function queueLogger(logger: Logger): QueueLogger {
  return new QueueLogger(() => (level, message, meta) => {
    const isRelevant = String(level) === 'error' || String(level) === 'warning';
    if (isRelevant && meta?.['failure'] !== true) logger.warn({ component: 'jobs', err: meta?.['error'] }, message);
  });
}

/** Runs the jobs of one class in the slots of that class, until it is stopped. */
export class JobRunner {
  private readonly stopping = new AbortController();
  private runner: Runner | undefined;
  private liveness: WorkerLiveness | undefined;
  private supervision: Promise<void> | undefined;

  constructor(
    private readonly options: JobRunnerOptions,
    private readonly pool: Pool,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** @throws StartupError when the database's job queue is missing or older than this version. */
  async start(): Promise<void> {
    await this.launch();
    this.supervision = this.supervise();
  }

  /** Fetches no new jobs, waits up to `stopWithinMs` for running jobs, and returns the others to the queue. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const finished = this.runner?.stop().catch(() => undefined);
    if (await within(this.options.stopWithinMs, finished)) await within(CLOSE_MS, this.supervision);
    else
      this.logger.warn(
        { waitedMs: this.options.stopWithinMs, jobClass: this.options.jobClass },
        'Jobs are still running after the shutdown limit; they return to the queue',
      );
    await within(CLOSE_MS, this.liveness?.stop());
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
    const { slots, checkWorkersEveryMs, pollEveryMs } = this.options;
    const liveness = new WorkerLiveness(this.pool, this.logger, checkWorkersEveryMs);
    this.liveness = liveness;
    this.runner = await run({
      pgPool: this.pool,
      concurrency: slots,
      pollInterval: pollEveryMs,
      // main.ts handles the signals.
      noHandleSignals: true,
      gracefulShutdownAbortTimeout: Math.ceil(this.options.stopWithinMs / 2),
      taskList: this.tasks(),
      parsedCronItems: this.cronItems(),
      events: this.events(),
      logger: queueLogger(this.logger),
      // With batching (a delay of 0 suffices) the library retries a completion; without, a lost connection is an unhandled rejection.
      preset: {
        plugins: [plugin(liveness)],
        // A prepared statement has the plan of the few jobs of its first use: it reads the whole queue when that has thousands.
        worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0, preparedStatements: false },
      },
    });
    if (this.stopping.signal.aborted) await this.runner.stop().catch(() => undefined);
  }

  private tasks(): Record<string, Task> {
    const tasks: Record<string, Task> = {};
    for (const [name, handler] of this.jobs.handlersOf(this.options.jobClass)) {
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
    const ctx = jobContext(name, this.clock, envelope.request_id ?? `job-${job.id}`);
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
    const handlers = this.jobs.handlersOf(this.options.jobClass);
    return this.jobs.schedules.filter(({ name }) => handlers.has(name));
  }

  /** Without this, the jobs of one queue would wait for the poll after each job. */
  private async fetchNextOfQueue(pool: WorkerPool): Promise<void> {
    try {
      await sleep(QUEUE_UNLOCK_MS, undefined, { signal: this.stopping.signal });
      pool.nudge(1);
    } catch {
      // The pool is stopping, or has stopped.
    }
  }

  private events(): WorkerEvents {
    const events = new EventEmitter() as WorkerEvents;
    const scheduled = new Set(this.schedules.map(({ name }) => name));
    const isScheduled = (kind: string): boolean => this.options.jobClass === 'shards' || scheduled.has(kind);
    events.on('job:complete', ({ worker, job }) => {
      if (job.job_queue_id !== null) void this.fetchNextOfQueue(worker.workerPool);
    });
    return events.on('job:error', ({ job, error }) => {
      const { id, task_identifier: kind, attempts: attempt, max_attempts: maxAttempts } = job;
      const fields = { err: error, jobId: id, kind, attempt, maxAttempts };
      if (attempt >= maxAttempts)
        this.logger.error(fields, 'A job failed its last attempt; it stays in the queue for an operator');
      else if (attempt >= ERROR_AFTER_ATTEMPTS && isScheduled(kind))
        this.logger.error(fields, 'A scheduled job failed repeatedly; it will be retried');
      // The circuit breaker has logged the outage once, for all its jobs.
      else if (!(error instanceof CircuitOpenError)) this.logger.warn(fields, 'A job failed; it will be retried');
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
export async function within(milliseconds: number, work: Promise<unknown> | undefined): Promise<boolean> {
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
