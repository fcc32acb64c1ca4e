import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { parseCronItems, run, type JobHelpers, type Runner, type Task, type WorkerEvents } from 'graphile-worker';
import { Pool } from 'pg';
import { systemContext } from '#kernel/context/request-context';
import { StartupError } from '#kernel/errors/startup-error';
import { type Clock } from '#kernel/context/clock';
import { TIMEOUTS } from '#infra/database/data-source-options';
import { QueryDeadlineClient } from '#infra/database/pool/query-deadline-client';
import { type Logger } from '#infra/logging/logger';
import { DEFAULT_MAX_ATTEMPTS, type JobHandler } from './job-kind';
import { type JobEnvelope, type Jobs, type Schedule } from './jobs';
import { queueLogger } from './queue-logger';
import { WorkerPulse } from './worker-pulse';

export interface JobWorkerOptions {
  readonly databaseUrl: string;
  /** How many jobs run at once in this process. */
  readonly concurrency: number;
  /** How long a stop waits for running jobs before it hands them back to the queue. */
  readonly stopWithinMs: number;
  /** How often dead workers are looked for: their jobs run again after one to two of these. */
  readonly checkWorkersEveryMs: number;
  /** Work is announced by the database; this is the fallback, and when retries are noticed. */
  readonly pollEveryMs: number;
}

export const JOB_WORKER_DEFAULTS = {
  concurrency: 5,
  stopWithinMs: 20_000,
  checkWorkersEveryMs: 10_000,
  pollEveryMs: 2_000,
} as const satisfies Partial<JobWorkerOptions>;

/** For the queue's own connections: one listens, one is the pulse, two take and finish jobs, one plans. */
const OWN_CONNECTIONS = 5;
const FIRST_RESTART_MS = 500;
const LAST_RESTART_MS = 15_000;
/** Nothing at the end may wait for a database that is gone. */
const CLOSE_MS = 3_000;

/** After so many failures of a schedule a person must look: each of its times begins with new attempts, and may hide the last. */
const LOUD_AFTER = 3;
const PRUNE: Schedule = { name: 'jobs.prune', cron: '17 3 * * *', catchUpHours: 24 };

/** Failed jobs stay visible for a month, then go, so that neither the table nor what it holds grows for ever. */
const PRUNE_FAILED = `
  SELECT graphile_worker.complete_jobs(array(
    SELECT id FROM graphile_worker.jobs
    WHERE locked_at IS NULL AND attempts >= max_attempts AND updated_at < now() - interval '30 days'))`;

/** Runs jobs in this process: those of every kind that a module has registered, until it is stopped. */
export class JobWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly pool: Pool;
  private readonly stopping = new AbortController();
  private runner: Runner | undefined;
  private pulse: WorkerPulse | undefined;
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
      // The connection that listens asks nothing: only the kernel notices that nobody is there any more.
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

  /** After every module has registered its handlers. */
  onApplicationBootstrap(): Promise<void> {
    return this.start();
  }

  /** Before the connections that handlers use are closed. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  /** Takes no more jobs, waits for the running ones up to the limit, hands the rest back. Safe to call twice. */
  stop(): Promise<void> {
    this.stopped ??= this.shutDown();
    return this.stopped;
  }

  private async shutDown(): Promise<void> {
    this.stopping.abort();
    const finished = this.runner?.stop().catch(() => undefined);
    if (await within(this.options.stopWithinMs, finished)) await within(CLOSE_MS, this.supervision);
    else this.logger.warn({ waitedMs: this.options.stopWithinMs }, 'Jobs are still running; they go back to the queue');
    await within(CLOSE_MS, this.pulse?.stop());
    await within(CLOSE_MS, this.pool.end());
  }

  /** The library gives up when it cannot note that a job is done (the database was away too long): begin anew. */
  private async supervise(): Promise<void> {
    const { signal } = this.stopping;
    let pause = FIRST_RESTART_MS;
    while (!signal.aborted) {
      await this.runner?.promise.catch(() => undefined);
      await this.pulse?.stop();
      if (signal.aborted) return;
      this.logger.warn({ pauseMs: pause }, 'The job worker ended; starting it again');
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
    const pulse = new WorkerPulse(this.pool, this.logger, checkWorkersEveryMs);
    this.pulse = pulse;
    this.runner = await run({
      pgPool: this.pool,
      concurrency,
      pollInterval: pollEveryMs,
      // The process has one idea of how to stop (main.ts), and it is not the library's.
      noHandleSignals: true,
      gracefulShutdownAbortTimeout: Math.ceil(this.options.stopWithinMs / 2),
      taskList: this.tasks(),
      parsedCronItems: this.cronItems(),
      events: this.events(),
      logger: queueLogger(this.logger),
      // Batched, the library retries to note how a job ended; alone, a lost connection would be an unhandled rejection.
      preset: { plugins: [plugin(pulse)], worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
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

  /** One queue each, so that runs never overlap; one key each, so that the next replaces one that is still waiting. */
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
        this.logger.error(fields, 'A job failed for good: it stays in the queue until a person looks');
      else if (attempt >= LOUD_AFTER && isScheduled.has(kind))
        this.logger.error(fields, 'A scheduled job fails again and again; it will be tried again');
      else this.logger.warn(fields, 'A job failed; it will be tried again');
    });
  }
}

/** Ties a run of the library to its pulse, and keeps it from changing the schema. */
function plugin(pulse: WorkerPulse): GraphileConfig.Plugin {
  let started: Promise<void> | undefined;
  return {
    name: 'agate',
    worker: {
      hooks: {
        startWorker: (_ctx, { worker }) => (started ??= pulse.start(worker.workerPool.id)),
      },
      middleware: {
        bootstrap: () => {
          throw new StartupError('The job queue is missing from the database: run the migrations first.');
        },
        migrate: async (next, { ctx, client }) => {
          const schema = ctx.escapedWorkerSchema;
          const { rows } = await client.query<{ id: number }>(`SELECT max(id) AS id FROM ${schema}.migrations`);
          if ((rows[0]?.id ?? 0) < ctx.maxMigrationNumber) {
            throw new StartupError(
              'The job queue in the database is older than this version: run the migrations first.',
            );
          }
          await next();
        },
      },
    },
  };
}

/** Whether `work` ended in time, well or badly. */
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
