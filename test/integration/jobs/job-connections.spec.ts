import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { jobContext, systemContext } from '#kernel/context/request-context';
import { SystemClock } from '#infra/clock/system-clock';
import { dataSourceOptions, jobPoolOptions } from '#infra/database/data-source-options';
import { FairPool } from '#infra/database/pool/fair-pool';
import { poolOf } from '#infra/database/pool/turn-manager';
import { Transactions } from '#infra/database/transactions';
import { TestApp } from '../../support/app/test-app';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';
import { eventually, until } from '../../support/until';

const SIZE = 3;
const clock = new SystemClock();
const job = jobContext('test.sum', clock, 'job-1');
const check = systemContext('health', clock, 'readiness');
const SETTINGS = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
  current_setting('application_name') AS name`;

describe('the connections of jobs', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let jobPool: FairPool;
  let transactions: Transactions;
  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await new DataSource(dataSourceOptions(database.url, SIZE)).initialize();
    jobPool = new FairPool(jobPoolOptions(database.url, SIZE + 1));
    transactions = new Transactions(dataSource, undefined, jobPool);
  });
  afterAll(async () => {
    await jobPool.end();
    await dataSource.destroy();
    await database.drop();
  });

  // red when: jobs use the connections of requests
  it('have a statement timeout of two minutes, inside and outside a transaction, and the lock timeout of requests', async () => {
    const settings = { statement: '2min', lock: '5s', name: 'agate-work' };
    expect(await transactions.manager(job).query(SETTINGS)).toEqual([settings]);
    expect(await transactions.run(job, (tx) => transactions.manager(tx).query(SETTINGS))).toEqual([settings]);
  });

  // red when: the pool is chosen by the identity, so that checks of the readiness wait for minutes, or by the lane only
  it('are not those of checks, even of the same name', async () => {
    const settings = { statement: '10s', lock: '5s', name: 'agate' };
    expect(await transactions.manager(check).query(SETTINGS)).toEqual([settings]);
    const namesake = systemContext('test.sum', clock, 'r');
    expect(await transactions.manager(namesake).query(SETTINGS)).toEqual([settings]);
  });

  // red when: jobs take connections of the pool of requests
  it('leave all connections of requests free, however many jobs hold a connection', async () => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const kinds = Array.from({ length: SIZE }, (_, n) => jobContext(`test.job${'abc'[n]}`, clock, 'r'));
    const begun: Promise<unknown>[] = [];
    const held = kinds.map((ctx) =>
      transactions.run(ctx, async (tx) => {
        begun.push(transactions.manager(tx).query('SELECT 1'));
        await ended;
      }),
    );
    await until(() => begun.length === SIZE);
    await Promise.all(begun);
    const { totalCount, idleCount } = poolOf(dataSource);
    expect(totalCount - idleCount).toBe(0);
    expect(jobPool.totalCount - jobPool.idleCount).toBe(SIZE);
    end();
    await Promise.all(held);
  });

  // red when: an idle pool keeps all of its connections open
  it.each([
    ['of requests', 2],
    ['of jobs', 0],
  ])('and those %s are closed while nothing uses them, to %i', async (which, kept) => {
    const { extra } = dataSourceOptions(database.url, SIZE);
    const options = which === 'of jobs' ? jobPoolOptions(database.url, SIZE) : { ...(extra as object), max: SIZE };
    const pool = new FairPool({ ...options, connectionString: database.url, idleTimeoutMillis: 1 });
    const clients = await Promise.all(Array.from({ length: SIZE }, () => pool.connect()));
    expect(pool.totalCount).toBe(SIZE);
    for (const client of clients) client.release();
    await until(() => pool.totalCount === kept);
    await pool.end();
  });
});

describe('a scheduled job of the application', () => {
  // red when: the runner gives handlers the context of a check
  it('uses the connections of jobs', async () => {
    const app = await TestApp.start();
    const owner = new Client({ connectionString: app.database.ownerUrl });
    await owner.connect();
    try {
      await owner.query('BEGIN; LOCK TABLE reservation');
      await app.sql(`SELECT FROM graphile_worker.add_job('billing.release-expired')`);
      const waiting = `SELECT application_name AS name FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%DISTINCT organization_id%'`;
      const waiters = await eventually(
        () => app.sql(waiting),
        ({ length }) => length > 0,
      );
      expect(waiters).toEqual([{ name: 'agate-work' }]);
    } finally {
      await owner.end();
      await app.stop();
    }
  });
});
