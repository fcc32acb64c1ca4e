import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { SystemClock } from '#infra/clock/system-clock';
import { dataSourceOptions } from '#infra/database/data-source-options';
import { Transactions } from '#infra/database/transactions';
import { JobWorker } from '#infra/jobs/job-worker';
import { Jobs } from '#infra/jobs/jobs';
import { OrganizationSchedules } from '#infra/jobs/shards/organization-schedules';
import { ShardCursorEntity, ShardCursorsRepository } from '#infra/jobs/shards/shard-cursors.repository';
import { Logger } from '#infra/logging/logger';
import { TRUSTED_CLOCK } from '../app/test-clock';

/** The name of the schedule. */
export const SCHEDULE = 'test.visit';

export interface ShardWorker {
  stop(): Promise<void>;
}

/** A worker with a schedule that records every visit of an organization of the table `place` in the table `visit`. */
export async function startShardWorker(
  databaseUrl: string,
  visiting: (organizationId: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<ShardWorker> {
  const options = { ...dataSourceOptions(databaseUrl, 4), entities: [ShardCursorEntity] };
  const dataSource = await new DataSource(options).initialize();
  const transactions = new Transactions(dataSource);
  const jobs = new Jobs(transactions, TRUSTED_CLOCK);
  const cursors = new ShardCursorsRepository(transactions);
  new OrganizationSchedules(jobs, cursors, transactions, TRUSTED_CLOCK).schedule(SCHEDULE, '0 0 1 1 *', {
    find: async (ctx, { shard, after, limit }) => {
      const places = await transactions
        .manager(ctx)
        .query<{ id: string }[]>(
          'SELECT id FROM place WHERE shard = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3',
          [shard, after, limit],
        );
      return places.map(({ id }) => id);
    },
    run: async (ctx, id) => {
      await transactions.manager(ctx).query('INSERT INTO visit (place, pid) VALUES ($1, $2)', [id, process.pid]);
      await visiting(id);
    },
  });
  const timing = { stopWithinMs: 1_000, checkWorkersEveryMs: 150, pollEveryMs: 100 };
  const slots = { mail: 1, store: 1, database: 1, shards: 2, network: 2 };
  const logger = new Logger(pino({ level: 'silent' }));
  const worker = new JobWorker({ databaseUrl, slots, ...timing }, jobs, new SystemClock(), logger);
  await worker.start();
  const stop = async (): Promise<void> => {
    await worker.stop();
    await dataSource.destroy();
  };
  return { stop };
}

/** A process that visits the places before the given one, and never ends the visit of that one. Prints "hangs" then. */
async function main(databaseUrl: string, last: string): Promise<void> {
  await startShardWorker(databaseUrl, (id) => {
    if (id !== last) return Promise.resolve();
    process.stdout.write('hangs\n');
    return new Promise(() => undefined);
  });
}

if (require.main === module) void main(process.argv[2] ?? '', process.argv[3] ?? '');
