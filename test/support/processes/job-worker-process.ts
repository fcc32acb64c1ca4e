import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { SystemClock } from '#infra/clock/system-clock';
import { Transactions } from '#infra/database/transactions';
import { defineJob } from '#infra/jobs/job-kind';
import { JobWorker } from '#infra/jobs/job-worker';
import { Jobs } from '#infra/jobs/jobs';
import { Logger } from '#infra/logging/logger';
import { TRUSTED_CLOCK } from '../app/test-clock';

/** A worker process that starts one job and never completes it, until it is killed. Prints "taken" when the job has started. */
async function main(databaseUrl: string): Promise<void> {
  const jobs = new Jobs(new Transactions(new DataSource({ type: 'postgres' })), TRUSTED_CLOCK);
  const logger = new Logger(pino({ level: 'silent' }));
  jobs.register(defineJob('test.stuck'), () => {
    process.stdout.write('taken\n');
    return new Promise(() => undefined);
  });
  const timing = { stopWithinMs: 1_000, checkWorkersEveryMs: 200, pollEveryMs: 100 };
  await new JobWorker(
    { databaseUrl, slots: { mail: 1, store: 1, database: 1, shards: 1, network: 1 }, ...timing },
    jobs,
    new SystemClock(),
    logger,
  ).start();
}

void main(process.argv[2] ?? '');
