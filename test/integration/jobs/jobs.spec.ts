import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { ANONYMOUS } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { SystemClock } from '#infra/clock/system-clock';
import { dataSourceOptions } from '#infra/database/data-source-options';
import { migrateDatabase } from '#infra/database/migrations/migrate';
import { Transactions } from '#infra/database/transactions';
import { defineJob } from '#infra/jobs/job-kind';
import { JobWorker, type JobWorkerOptions } from '#infra/jobs/job-worker';
import { Jobs } from '#infra/jobs/jobs';
import { DeadWorkerSweep, WORKER_LOCKS } from '#infra/jobs/worker-liveness';
import { Logger } from '#infra/logging/logger';
import { postponesRetries } from '../../support/app/postponed-retries';
import { TRUSTED_CLOCK } from '../../support/app/test-clock';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';
import { until } from '../../support/until';

const NOTE = defineJob<{ text: string }>('test.note');
const STUCK = defineJob<Record<string, never>>('test.stuck');
const TIMING = {
  slots: { mail: 3, store: 3, database: 3, shards: 3, network: 3 },
  stopWithinMs: 10_000,
  checkWorkersEveryMs: 150,
  pollEveryMs: 100,
};

const clock = new SystemClock();
const ctx: RequestContext = { requestId: 'request-1', sourceIp: '192.0.2.1', identity: ANONYMOUS, clock };

let database: TestDatabase;
let dataSource: DataSource;
let transactions: Transactions;
let workers: JobWorker[] = [];
let children: ChildProcess[] = [];
let logLines: { level: string; msg: string; [field: string]: unknown }[] = [];

const logger = new Logger(
  pino(
    { level: 'info', formatters: { level: (level) => ({ level }) } },
    { write: (line: string) => void logLines.push(JSON.parse(line) as (typeof logLines)[number]) },
  ),
);

const newJobs = (): Jobs => new Jobs(transactions, TRUSTED_CLOCK);

async function startWorker(jobs: Jobs, options: Partial<JobWorkerOptions> = {}): Promise<JobWorker> {
  const worker = new JobWorker({ databaseUrl: database.url, ...TIMING, ...options }, jobs, clock, logger);
  workers.push(worker);
  await worker.start();
  return worker;
}

/** A child process that runs a job which never finishes. */
async function startStuckProcess(): Promise<ChildProcess> {
  const runner = join(__dirname, '../../support/processes/run-typescript.cjs');
  const script = join(__dirname, '../../support/processes/job-worker-process.ts');
  const child = spawn(process.execPath, ['-r', runner, script, database.url], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

const isQueueEmpty = async (): Promise<boolean> => {
  const [row] = await dataSource.query<[{ empty: boolean }]>(
    'SELECT NOT EXISTS (SELECT FROM graphile_worker.jobs) AS empty',
  );
  return row.empty;
};

/** Makes waiting retries due now, to keep the test short. */
const skipWaits = (): Promise<unknown> =>
  dataSource.query('UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL');

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await new DataSource(dataSourceOptions(database.url, 10)).initialize();
  transactions = new Transactions(dataSource);
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(workers.map((worker) => worker.stop()));
  [workers, children, logLines] = [[], [], []];
  await dataSource.query('DELETE FROM graphile_worker._private_jobs');
});

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

describe('enqueue', () => {
  it('runs nothing when the transaction is rolled back', async () => {
    const jobs = newJobs();
    const seen: string[] = [];
    jobs.register(NOTE, (_ctx, { text }) => void seen.push(text));
    await startWorker(jobs);
    const rolledBack = transactions.run(ctx, async (tx) => {
      await jobs.enqueue(tx, NOTE, { text: 'never' });
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await transactions.run(ctx, (tx) => jobs.enqueue(tx, NOTE, { text: 'committed' }));
    await until(isQueueEmpty);
    expect(seen).toEqual(['committed']); // red when enqueue uses the pool instead of the context's transaction
  });

  it('is invisible to workers before the commit', async () => {
    const jobs = newJobs();
    const seen: string[] = [];
    jobs.register(NOTE, (_ctx, { text }) => void seen.push(text));
    await startWorker(jobs);
    await transactions.run(ctx, async (tx) => {
      await jobs.enqueue(tx, NOTE, { text: 'in the open transaction' });
      await jobs.enqueue(ctx, NOTE, { text: 'outside' });
      await until(() => seen.length > 0);
      expect(seen).toEqual(['outside']);
    });
    await until(() => seen.length === 2);
  });

  it('runs each of 100 jobs exactly once with two workers', async () => {
    const runs = new Map<string, number>();
    const perWorker = [0, 0];
    for (const index of [0, 1]) {
      const jobs = newJobs();
      jobs.register(NOTE, async (_ctx, { text }) => {
        runs.set(text, (runs.get(text) ?? 0) + 1);
        perWorker[index]! += 1;
        // Each worker gets jobs, however late it begins: the other one fills its slots, and then waits for it.
        await until(() => Math.min(...perWorker) > 0);
      });
      await startWorker(jobs);
    }
    const jobs = newJobs();
    await transactions.run(ctx, async (tx) => {
      for (let i = 0; i < 100; i++) await jobs.enqueue(tx, NOTE, { text: String(i) });
    });
    await until(isQueueEmpty);
    expect([...runs.values()]).toEqual(Array<number>(100).fill(1));
    expect(Math.min(...perWorker)).toBeGreaterThan(0);
  });

  // red when: the worker does not look for the next job of a queue when the queue is unlocked
  it('follows the previous job of its queue without waiting for the poll', async () => {
    const jobs = newJobs();
    let [running, most, runs] = [0, 0, 0];
    jobs.register(NOTE, async () => {
      most = Math.max(most, (running += 1));
      await sleep(5);
      [running, runs] = [running - 1, runs + 1];
    });
    // On a busy machine the library may unlock the queue late, and the next job waits for the poll. Without the look for the next
    // job, four polls pass.
    await startWorker(jobs, { pollEveryMs: 20_000 });
    await transactions.run(ctx, async (tx) => {
      for (let i = 0; i < 10; i++) await jobs.enqueue(tx, NOTE, { text: String(i) }, { queue: 'one' });
    });
    await until(isQueueEmpty, { seconds: 60 });
    expect([most, runs]).toEqual([1, 10]);
  });

  it('drops a second job with the same key, also concurrently and while the first is running', async () => {
    const jobs = newJobs();
    const seen: string[] = [];
    let finish = (): void => undefined;
    const mayFinish = new Promise<void>((resolve) => (finish = resolve));
    jobs.register(NOTE, async (_ctx, { text }) => {
      seen.push(text);
      await mayFinish;
    });
    const enqueue = (text: string): Promise<void> => jobs.enqueue(ctx, NOTE, { text }, { key: 'effect-1' });
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map(enqueue));
    await startWorker(jobs);
    await until(() => seen.length > 0);
    await enqueue('late');
    finish();
    await until(isQueueEmpty);
    expect(seen).toHaveLength(1); // red with job_key_mode 'replace': the late one runs too
  });

  it('does not run a job before its time', async () => {
    const jobs = newJobs();
    const seen: string[] = [];
    jobs.register(NOTE, (_ctx, { text }) => void seen.push(text));
    await startWorker(jobs);
    const inAnHour = new Date(clock.now().getTime() + 3_600_000);
    await jobs.enqueue(ctx, NOTE, { text: 'later' }, { runAt: inAnHour });
    await jobs.enqueue(ctx, NOTE, { text: 'now' });
    await until(async () => {
      const { waiting, running } = await jobs.status(ctx);
      return waiting === 1 && running === 0;
    });
    expect(seen).toEqual(['now']);
    await expect(jobs.status(ctx)).resolves.toMatchObject({ failed: 0, oldestDueSeconds: 0 });
  });
});

describe('a handler', () => {
  it('receives the payload, the request id of the caller, and the system identity', async () => {
    const jobs = newJobs();
    const calls: unknown[] = [];
    jobs.register(NOTE, (jobCtx, payload, run) => {
      const { requestId, identity, sourceIp } = jobCtx;
      calls.push({ payload, attempt: run.attempt, requestId, identity, sourceIp });
    });
    await startWorker(jobs);
    await jobs.enqueue(ctx, NOTE, { text: "it's {a: 1}" });
    await until(() => calls.length > 0);
    const identity = { kind: 'system', name: 'test.note' };
    expect(calls).toEqual([
      { payload: { text: "it's {a: 1}" }, attempt: 1, requestId: 'request-1', identity, sourceIp: null },
    ]);
  });

  it('is retried after each failure, with a growing delay', async () => {
    const jobs = newJobs();
    const attempts: number[] = [];
    jobs.register(NOTE, (_ctx, _payload, run) => {
      attempts.push(run.attempt);
      if (run.attempt < 3) throw new Error('not yet');
    });
    await postponesRetries(database.ownerUrl, `NEW.last_error = 'not yet'`);
    await startWorker(jobs);
    await jobs.enqueue(ctx, NOTE, { text: 'x' });
    const waits: number[] = [];
    for (const failures of [1, 2]) {
      await until(async () => {
        const rows = await dataSource.query<{ wait: number }[]>(
          `SELECT extract(epoch FROM run_at - updated_at - interval '2 hours')::float AS wait FROM graphile_worker.jobs
           WHERE locked_at IS NULL AND attempts = ${failures} AND last_error = 'not yet'`,
        );
        waits.push(...rows.map((row) => row.wait));
        return rows.length > 0;
      });
      await skipWaits();
    }
    await until(isQueueEmpty);
    expect(attempts).toEqual([1, 2, 3]);
    expect(waits[0]).toBeGreaterThan(2.7);
    expect(waits[1]).toBeGreaterThan(7.3);
    expect(logLines.filter((line) => line.level === 'warn')).toHaveLength(2);
  });

  it('stays visible as failed after its last attempt, with one error in the log', async () => {
    const jobs = newJobs();
    const doomed = defineJob<{ text: string }>('test.doomed', { maxAttempts: 2 });
    let runs = 0;
    jobs.register(doomed, () => {
      runs += 1;
      return Promise.reject(new Error('never works'));
    });
    await startWorker(jobs);
    await jobs.enqueue(ctx, doomed, { text: 'x' });
    await until(async () => {
      await skipWaits();
      return (await jobs.status(ctx)).failed === 1;
    });
    await skipWaits();
    await sleep(300);
    expect(runs).toBe(2);
    expect(logLines.filter((line) => line.level === 'error')).toEqual([
      expect.objectContaining({ kind: 'test.doomed', attempt: 2, maxAttempts: 2 }),
    ]);
  });
});

describe('a dead worker', () => {
  it('loses its job to another worker', async () => {
    const jobs = newJobs();
    await jobs.enqueue(ctx, STUCK, {});
    const child = await startStuckProcess();
    const attempts: number[] = [];
    jobs.register(STUCK, (_ctx, _payload, run) => void attempts.push(run.attempt));
    await startWorker(jobs);
    await sleep(10 * TIMING.checkWorkersEveryMs);
    expect(attempts).toEqual([]); // the living keep theirs; red when workers take no lock
    child.kill('SIGKILL');
    await until(isQueueEmpty); // red without force_unlock_workers: waits four hours
    expect(attempts).toEqual([2]);
  });

  it('is detected only after two checks in a row without its lock', async () => {
    const jobs = newJobs();
    await jobs.enqueue(ctx, STUCK, {});
    await dataSource.query("UPDATE graphile_worker._private_jobs SET locked_by = 'pool-1', locked_at = now()");
    const running = async (): Promise<number> => (await jobs.status(ctx)).running;
    const [looker, owner] = [new Client(database.url), new Client(database.url)];
    await Promise.all([looker.connect(), owner.connect()]);
    const lock = (verb: string): Promise<unknown> =>
      owner.query(`SELECT pg_advisory_${verb}($1::integer, hashtext('pool-1'))`, [WORKER_LOCKS]);
    const dead = new DeadWorkerSweep(logger);

    await dead.release(looker);
    await lock('lock'); // it is back
    await dead.release(looker);
    await lock('unlock');
    await dead.release(looker);
    expect(await running()).toBe(1); // red when one look is enough
    await dead.release(looker);
    expect(await running()).toBe(0);
    await Promise.all([looker.end(), owner.end()]);
  });

  it('is not confused with a lost connection: the worker continues and its job runs once', async () => {
    const jobs = newJobs();
    let runs = 0;
    let finish = (): void => undefined;
    const mayFinish = new Promise<void>((resolve) => (finish = resolve));
    jobs.register(STUCK, async () => {
      runs += 1;
      await mayFinish;
    });
    jobs.register(NOTE, () => void (runs += 1));
    // No check runs during the test: the end of the connection itself makes the worker connect again.
    const options = { checkWorkersEveryMs: 600_000 };
    await startWorker(jobs, options);
    await startWorker(jobs, options);
    await jobs.enqueue(ctx, STUCK, {});
    await until(() => runs > 0);
    const terminate = (which: string): Promise<unknown> =>
      dataSource.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'agate-jobs' AND datname = current_database() AND ${which}`,
      );
    const holder = async (): Promise<number | undefined> => {
      const [lock] = await dataSource.query<{ pid: number }[]>(
        `SELECT lock.pid FROM pg_locks AS lock, graphile_worker.jobs AS job
         WHERE lock.locktype = 'advisory' AND lock.objid = hashtext(job.locked_by)::oid`,
      );
      return lock?.pid;
    };
    const lost = await holder();
    await terminate(`pid = ${lost}`);
    await until(async () => ![lost, undefined].includes(await holder())); // red when the worker waits for its next check
    finish();
    await until(isQueueEmpty);
    expect(runs).toBe(1);
    await terminate('true');
    await jobs.enqueue(ctx, NOTE, { text: 'next' });
    await until(() => runs === 2);
  });
});

describe('stop', () => {
  it('waits for running jobs and fetches no new ones', async () => {
    const jobs = newJobs();
    const seen: string[] = [];
    let finish = (): void => undefined;
    const mayFinish = new Promise<void>((resolve) => (finish = resolve));
    jobs.register(NOTE, async (_ctx, { text }) => {
      seen.push(`${text} began`);
      await mayFinish;
      seen.push(`${text} ended`);
    });
    const slots = { mail: 1, store: 1, database: 1, shards: 1, network: 1 };
    const worker = await startWorker(jobs, { slots, stopWithinMs: 120_000 });
    await jobs.enqueue(ctx, NOTE, { text: 'first' });
    await until(() => seen.length > 0);
    await jobs.enqueue(ctx, NOTE, { text: 'second' });
    const stopped = worker.stop().then(() => seen.push('stopped'));
    await sleep(200);
    finish();
    await stopped;
    expect(seen).toEqual(['first began', 'first ended', 'stopped']);
    await expect(jobs.status(ctx)).resolves.toMatchObject({ waiting: 1, running: 0 });
  });

  it('returns a job to the queue that does not end within the limit', async () => {
    const jobs = newJobs();
    let aborted = false;
    let began = false;
    jobs.register(STUCK, (_ctx, _payload, { signal }) => {
      began = true;
      signal.addEventListener('abort', () => (aborted = true));
      return new Promise(() => undefined);
    });
    const worker = await startWorker(jobs, { stopWithinMs: 300 });
    await jobs.enqueue(ctx, STUCK, {});
    await until(() => began);
    await worker.stop();
    expect(aborted).toBe(true);
    await expect(jobs.status(ctx)).resolves.toMatchObject({ waiting: 1, running: 0, failed: 0 });
  });
});

describe('schedules', () => {
  const knownForAnHour = (name: string): Promise<unknown> =>
    dataSource.query(
      `INSERT INTO graphile_worker._private_known_crontabs VALUES ('${name}', now() - interval '1 hour', NULL)`,
    );

  it('run once with several workers', async () => {
    await knownForAnHour('test.sweep');
    const due = new Date(clock.now().getTime() - 600_000);
    let runs = 0;
    for (let i = 0; i < 3; i++) {
      const jobs = newJobs();
      const sweep = (): void => void (runs += 1);
      const cron = `${due.getUTCMinutes()} ${due.getUTCHours()} * * *`;
      jobs.schedule('test.sweep', cron, sweep, { catchUpHours: 1 });
      await startWorker(jobs);
    }
    await until(() => runs > 0);
    await until(isQueueEmpty);
    expect(runs).toBe(1);
  });

  it('neither overlap nor accumulate', async () => {
    await knownForAnHour('test.slow');
    const jobs = newJobs();
    let [running, most, runs] = [0, 0, 0];
    const slow = async (): Promise<void> => {
      most = Math.max(most, (running += 1));
      await sleep(300);
      [running, runs] = [running - 1, runs + 1];
    };
    jobs.schedule('test.slow', '* * * * *', slow, { catchUpHours: 1 }); // about sixty times, all due
    await startWorker(jobs);
    await until(() => runs > 0);
    await until(isQueueEmpty);
    expect(most).toBe(1); // red without a queue of its own
    expect(runs).toBeLessThan(20); // red without a key
  });

  // Each occurrence starts with new attempts, so a schedule that always fails would never reach its last attempt.
  it('are logged as errors after three failures and become failed jobs after hours of failures', async () => {
    await knownForAnHour('test.broken');
    const jobs = newJobs();
    const due = new Date(clock.now().getTime() - 600_000);
    const broken = (): Promise<void> => Promise.reject(new Error('never works'));
    jobs.schedule('test.broken', `${due.getUTCMinutes()} ${due.getUTCHours()} * * *`, broken, { catchUpHours: 1 });
    await startWorker(jobs);
    await until(async () => {
      await skipWaits();
      return (await jobs.status(ctx)).failed === 1;
    });
    const failures = logLines.filter((line) => line['kind'] === 'test.broken');
    expect(failures.map(({ level }) => level)).toEqual(['warn', 'warn', ...Array<string>(8).fill('error')]);
    expect((await jobs.failed(ctx))[0]).toMatchObject({ kind: 'test.broken', attempts: 10, lastError: 'never works' });
  });
});

describe("the queue's schema", () => {
  let other: TestDatabase;

  const execute = async (sql: string): Promise<void> => {
    const client = new Client(other.ownerUrl);
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };

  beforeEach(async () => {
    other = await createTestDatabase();
    await execute('DROP SCHEMA graphile_worker CASCADE');
  });

  afterEach(() => other.drop());

  /** A worker starts for registered jobs only. */
  const jobsWithNote = (): Jobs => {
    const jobs = newJobs();
    jobs.register(NOTE, () => undefined);
    return jobs;
  };

  it('is not created by a worker', async () => {
    const worker = new JobWorker({ databaseUrl: other.url, ...TIMING }, jobsWithNote(), clock, logger);
    await expect(worker.start()).rejects.toThrow('Run the migrations first');
    await expect(execute('SELECT FROM graphile_worker.migrations')).rejects.toThrow('does not exist');
  });

  it('is migrated with the rest of the database, by one of several processes', async () => {
    await Promise.all([1, 2, 3].map(() => migrateDatabase(other.ownerUrl, other.url)));
    const worker = new JobWorker({ databaseUrl: other.url, ...TIMING }, jobsWithNote(), clock, logger);
    await worker.start();
    await worker.stop();
  });
});
