import { setTimeout as sleep } from 'node:timers/promises';
import { type OnApplicationShutdown } from '@nestjs/common';
import { type Logger } from '#infra/logging/logger';
import { FairPool, type FairPoolConfig } from './fair-pool';

const CLOSE_MS = 3_000;

/**
 * The connections of the handlers of jobs, beside those of requests: their statements may take minutes, and however many jobs run, all
 * connections of `DATABASE_POOL_SIZE` are left to requests. They are opened when a job needs them.
 */
export class JobPool implements OnApplicationShutdown {
  readonly pool: FairPool;

  constructor(options: FairPoolConfig, logger: Logger) {
    this.pool = new FairPool(options);
    const onError = (error: Error): void => logger.warn({ err: error }, 'A job lost its connection to the database');
    this.pool.on('error', onError).on('connect', (client) => client.on('error', onError));
  }

  /** Nest calls this after the job worker has stopped. A job that is still running then can hold its connection for longer. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.race([this.pool.end(), sleep(CLOSE_MS, undefined, { ref: false })]);
  }
}
