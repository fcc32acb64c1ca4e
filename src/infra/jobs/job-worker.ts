import { type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { type Clock } from '#kernel/context/clock';
import { systemContext } from '#kernel/context/request-context';
import { IDLE_MS, TIMEOUTS } from '#infra/database/data-source-options';
import { FairPool } from '#infra/database/pool/fair-pool';
import { QueryDeadlineClient } from '#infra/database/pool/query-deadline-client';
import { type Logger } from '#infra/logging/logger';
import { JOB_CLASSES, type JobClass } from './job-kind';
import { CLOSE_MS, JobRunner, type JobRunnerOptions, within } from './job-runner';
import { type Jobs } from './jobs';
import { Poller } from './poller';

export interface JobWorkerOptions extends Omit<JobRunnerOptions, 'jobClass' | 'slots'> {
  readonly databaseUrl: string;
  /** The maximum number of jobs of each class that run in this process at the same time. */
  readonly slots: Readonly<Record<JobClass, number>>;
}

/**
 * Sweeps share the slots of `database`, which no mail server, no store and no work over all organizations can occupy. A mail server may
 * take ten minutes for a mail, so there are more slots for mails. Each has a connection to the mail server. A job of `network` waits for a
 * server of a customer, which may take fifteen seconds for each request.
 */
export const JOB_WORKER_DEFAULTS = {
  slots: { mail: 4, store: 2, database: 2, shards: 2, network: 8 },
  stopWithinMs: 20_000,
  checkWorkersEveryMs: 10_000,
  pollEveryMs: 2_000,
} as const satisfies Partial<JobWorkerOptions>;

/** The jobs of `network` share this many connections, because they hold none while they wait for their servers. */
const NETWORK_CONNECTIONS = 2;

/** The connections that the handlers of jobs need: one for each slot, and one that the pool withholds from every share. */
export const JOB_CONNECTIONS = connectionsFor(JOB_WORKER_DEFAULTS.slots) + 1;

function connectionsFor({ network, ...others }: Readonly<Record<JobClass, number>>): number {
  return Object.values(others).reduce((sum, count) => sum + count, Math.min(network, NETWORK_CONNECTIONS));
}

/** Connections that each class holds: one listens, one has the worker's lock. */
const HELD_BY_CLASS = 2;
/** Connections that all classes share: they fetch, complete and schedule jobs, a few milliseconds each. */
const SHARED_CONNECTIONS = 3;

/** Runs the jobs of all registered kinds in this process, each class in slots of its own, until it is stopped. */
export class JobWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly pool: FairPool;
  private runners: readonly JobRunner[] = [];
  private pollers: readonly Poller[] = [];
  private stopped: Promise<void> | undefined;

  constructor(
    private readonly options: JobWorkerOptions,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.pool = new FairPool({
      Client: QueryDeadlineClient,
      connectionString: options.databaseUrl,
      max: JOB_CLASSES.length * HELD_BY_CLASS + SHARED_CONNECTIONS,
      application_name: 'agate-jobs',
      ...TIMEOUTS,
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: IDLE_MS,
      // The listening connections send no queries, so only TCP keep-alive detects a dead server.
      keepAlive: true,
      keepAliveInitialDelayMillis: 15_000,
    });
    const onError = (error: Error): void => this.logger.warn({ err: error }, 'The job queue lost a connection');
    this.pool.on('error', onError).on('connect', (client) => client.on('error', onError));
  }

  /** @throws StartupError when the database's job queue is missing or older than this version. */
  async start(): Promise<void> {
    const { slots, ...options } = this.options;
    this.runners = JOB_CLASSES.filter((jobClass) => this.jobs.handlersOf(jobClass).size > 0).map(
      (jobClass) =>
        new JobRunner({ ...options, jobClass, slots: slots[jobClass] }, this.pool, this.jobs, this.clock, this.logger),
    );
    try {
      for (const runner of this.runners) await runner.start();
      this.pollers = this.jobs.polls.map((poll) => new Poller(poll, this.clock, this.logger));
      for (const poller of this.pollers) poller.start();
    } catch (error) {
      await this.stop();
      throw error;
    }
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
    await within(CLOSE_MS, Promise.all(this.pollers.map((poller) => poller.stop())));
    await Promise.all(this.runners.map((runner) => runner.stop()));
    await within(CLOSE_MS, this.pool.end());
  }
}
