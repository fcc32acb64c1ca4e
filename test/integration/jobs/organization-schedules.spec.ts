import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Pool } from 'pg';
import { SHARDS } from '#infra/jobs/shards/shard';
import { postponesRetries } from '../../support/app/postponed-retries';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';
import { SCHEDULE, type ShardWorker, startShardWorker } from '../../support/processes/shard-worker-process';
import { until } from '../../support/until';

const PAGE = 100;

describe('work over all organizations', () => {
  let database: TestDatabase;
  let owner: Pool;
  let workers: ShardWorker[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    owner = new Pool({ connectionString: database.ownerUrl });
    await owner.query(`CREATE TABLE place (id uuid PRIMARY KEY, shard integer NOT NULL);
      CREATE TABLE visit (place uuid NOT NULL, pid integer NOT NULL); GRANT ALL ON place, visit TO PUBLIC`);
    await postponesRetries(database.ownerUrl);
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    workers = [];
    await owner.query('TRUNCATE place, visit, shard_cursor; DELETE FROM graphile_worker._private_jobs');
  });
  afterAll(async () => {
    await owner.end();
    await database.drop();
  });

  const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await owner.query(text, values)).rows as Row[];
  const start = async (visiting?: (id: string) => Promise<unknown>): Promise<void> => {
    workers.push(await startShardWorker(database.url, visiting));
  };
  const plant = async (count: number, shards: number): Promise<string[]> => {
    const places = await sql<{ id: string }>(
      `INSERT INTO place SELECT gen_random_uuid(), n % $2::int FROM generate_series(1, $1::int) AS n RETURNING id`,
      [count, shards],
    );
    return places.map(({ id }) => id).sort();
  };
  const runs = async (): Promise<unknown> => sql('SELECT FROM graphile_worker.add_job($1)', [SCHEDULE]);
  const isIdle = async (): Promise<boolean> =>
    (await sql('SELECT FROM graphile_worker.jobs WHERE run_at <= now() OR locked_at IS NOT NULL')).length === 0;
  const visits = async (): Promise<string[]> =>
    (await sql<{ place: string }>('SELECT place FROM visit ORDER BY place')).map(({ place }) => place);
  const shardJobs = (): Promise<{ key: string | null }[]> =>
    sql(`SELECT key FROM graphile_worker.jobs WHERE task_identifier = $1`, [`${SCHEDULE}-shard`]);

  // red when: shards overlap, a page is skipped, or each worker queues the shards
  it('is done once for each, in shards that two workers share', async () => {
    const places = await plant(SHARDS * 20, SHARDS);
    await start();
    await start();
    await runs();
    await until(async () => (await visits()).length >= places.length && (await isIdle()));
    expect(await visits()).toEqual(places);
    expect(await sql('SELECT FROM shard_cursor')).toEqual([]);
  });

  // red when: an error ends the loop of the shard
  it('continues after an organization whose work fails, and is retried', async () => {
    const places = await plant(250, 1);
    const broken = places[10]!;
    let isBroken = true;
    await start((id) => (id === broken && isBroken ? Promise.reject(new Error('broken')) : Promise.resolve()));
    await runs();
    await until(async () => (await shardJobs()).length === 1 && (await isIdle()));
    expect(await visits()).toEqual(places);
    isBroken = false;
    await sql('UPDATE graphile_worker._private_jobs SET run_at = now()');
    await until(async () => (await shardJobs()).length === 0);
    expect(await visits()).toEqual([...places, ...places].sort());
  });

  // red when: the cursor of an interrupted run is after an organization whose work failed
  it('tries an organization again whose work failed before the run was interrupted', async () => {
    const places = await plant(250, 1);
    const failures = new Map([
      [places[10]!, new Error('broken')],
      [places[220]!, Object.assign(new Error('the database stops'), { code: '57P01' })],
    ]);
    await start((id) => {
      const failure = failures.get(id);
      failures.delete(id);
      return failure ? Promise.reject(failure) : Promise.resolve();
    });
    await runs();
    await until(async () => (await visits()).length === 221 && (await isIdle()));
    await sql('UPDATE graphile_worker._private_jobs SET run_at = now()');
    await until(async () => (await shardJobs()).length === 0);
    expect(await visits()).toEqual([...places, ...places.slice(0, 221)].sort());
  });

  // red when: a shard whose last run is not over is queued a second time
  it('is not queued for a shard that still runs', async () => {
    await plant(1, 1);
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    await start(() => ended);
    await runs();
    await until(async () => (await visits()).length === 1 && (await shardJobs()).length === 1);
    await runs();
    await until(
      async () => (await sql(`SELECT FROM graphile_worker.jobs WHERE task_identifier = '${SCHEDULE}'`)).length === 0,
    );
    await until(async () => (await shardJobs()).length === 1);
    end();
    await until(isIdle);
    expect(await visits()).toHaveLength(1);
  });

  // red when: a shard that waits for its retry counts as one that runs
  it('runs again for a shard that waits for a retry, because one organization always fails', async () => {
    const places = await plant(20, 1);
    await start((id) => (id === places[3] ? Promise.reject(new Error('broken')) : Promise.resolve()));
    await runs();
    await until(async () => (await visits()).length === 20 && (await isIdle()));
    await runs();
    await until(async () => (await visits()).length === 40 && (await isIdle()));
    expect(
      await sql('SELECT attempts FROM graphile_worker.jobs WHERE task_identifier = $1', [`${SCHEDULE}-shard`]),
    ).toEqual([{ attempts: 1 }]);
  });

  // red when: a failed job with the key of the shard prevents all later runs
  it('is queued again for a shard whose last run failed for good', async () => {
    const [place] = await plant(1, 1);
    let isBroken = true;
    await start(() => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve()));
    await runs();
    await until(async () => (await visits()).length === 1 && (await isIdle()));
    await sql('UPDATE graphile_worker._private_jobs SET attempts = max_attempts');
    isBroken = false;
    await runs();
    await until(async () => (await visits()).length === 2);
    await until(isIdle);
    expect(await shardJobs()).toEqual([{ key: null }]);
    expect(await visits()).toEqual([place, place]);
  });

  // red when: the cursor is not saved, or the next run begins at its place
  it('continues in another process at the page in which the first was killed, and the next run begins at the first organization', async () => {
    const places = await plant(250, 1);
    const runner = join(__dirname, '../../support/processes/run-typescript.cjs');
    const script = join(__dirname, '../../support/processes/shard-worker-process.ts');
    const child = spawn(process.execPath, ['-r', runner, script, database.url, places[220]!], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await until(async () => (await sql(`SELECT FROM graphile_worker._private_tasks`)).length > 0);
    await runs();
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await start();
    await until(async () => (await visits()).length >= 250 + 21 && (await isIdle()));
    expect(await visits()).toEqual([...places, ...places.slice(2 * PAGE, 221)].sort());
    await runs();
    await until(async () => (await visits()).length >= 2 * 250 + 21 && (await isIdle()));
    expect(await visits()).toEqual([...places, ...places, ...places.slice(2 * PAGE, 221)].sort());
  });
});
