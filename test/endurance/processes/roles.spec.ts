import { WORKER_LOCKS } from '#infra/jobs/worker-liveness';
import { Developer } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { rawRequest } from '../../support/load/raw-http';
import { takeFreePort } from '../../support/processes/free-port';
import { ServerProcess } from '../../support/processes/server-process';
import { until } from '../../support/until';

jest.setTimeout(300_000);

/** The schedules with `catchUpHours`: at the start, a worker plans the times that were missed. */
const CAUGHT_UP = ['audit.retention', 'billing.accrue-storage', 'billing.check', 'jobs.prune'];

/** Records every job that a schedule plans, and every start of such a job by a worker. */
const OBSERVE = `
  CREATE TABLE observed (what text NOT NULL, task text NOT NULL, slot text NOT NULL);
  CREATE FUNCTION observe() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    DECLARE task text := (SELECT identifier FROM graphile_worker._private_tasks WHERE id = NEW.task_id);
    DECLARE slot text := NEW.payload #>> '{_cron,ts}';
  BEGIN
    IF slot IS NULL THEN RETURN NULL; END IF;
    IF TG_OP = 'INSERT' OR OLD.payload::text <> NEW.payload::text THEN INSERT INTO observed VALUES ('planned', task, slot); END IF;
    IF TG_OP = 'UPDATE' AND OLD.locked_at IS NULL AND NEW.locked_at IS NOT NULL THEN
      INSERT INTO observed VALUES ('run', task, slot);
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER observe AFTER INSERT OR UPDATE ON graphile_worker._private_jobs FOR EACH ROW EXECUTE FUNCTION observe()`;

/** `ROLE` divides the work between processes; scheduled jobs run once for all of them. */
describe('several processes', () => {
  let app: TestApp;
  let servers: ServerProcess[] = [];

  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    servers = [];
  });
  afterAll(() => app.stop());

  const start = async (role: string, more: Record<string, string> = {}): Promise<ServerProcess> => {
    const server = await ServerProcess.start(app, { ROLE: role, ...more });
    servers.push(server);
    return server;
  };
  const observed = (what: 'planned' | 'run'): Promise<{ task: string; slot: string; times: number }[]> =>
    app.sql('SELECT task, slot, count(*)::int AS times FROM observed WHERE what = $1 GROUP BY 1, 2', [what]);
  const due = async (): Promise<number> =>
    (await app.sql('SELECT FROM graphile_worker.jobs WHERE run_at <= now() OR locked_at IS NOT NULL')).length;

  // red when: each process plans on its own (adds a job at its start in addition to the library's schedules)
  it('plan and run each scheduled time once', async () => {
    await app.sql(OBSERVE);
    await app.sql(
      `INSERT INTO graphile_worker._private_known_crontabs
       SELECT name, now() - interval '2 days', NULL FROM unnest($1::text[]) AS name`,
      [CAUGHT_UP],
    );
    await Promise.all([start('worker'), start('worker'), start('all')]);
    const ran = async (): Promise<Set<string>> => new Set((await observed('run')).map(({ task }) => task));
    for (let seen = await ran(); !CAUGHT_UP.every((task) => seen.has(task)); seen = await ran()) await pause(100);
    await until(async () => (await due()) === 0);
    // This includes the jobs that run every minute and became due during the test.
    for (const what of ['planned', 'run'] as const)
      expect((await observed(what)).filter(({ times }) => times !== 1)).toEqual([]);
  });

  describe('a worker', () => {
    // red when: ROLE=worker listens
    it('runs jobs and does not listen', async () => {
      const port = await takeFreePort();
      const worker = await start('worker', { PORT: String(port) });
      await expect(rawRequest(`http://127.0.0.1:${port}/api/v1/live`)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      const { email } = await app.unverifiedDeveloper();
      await app.mailbox.latest(email);
      expect(await worker.stop()).toEqual({ code: 0, signal: null });
    });

    // red when: a stopping worker waits for SHUTDOWN_DRAIN_MS
    it('stops without a drain, because no load balancer sends it requests', async () => {
      const worker = await start('worker', { SHUTDOWN_DRAIN_MS: '600000' });
      expect(await worker.stop()).toEqual({ code: 0, signal: null });
    });
  });

  /** Counts the processes that run jobs on this database. Each of them holds an advisory lock. */
  const workers = async (): Promise<number> =>
    (
      await app.sql(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = $1::integer::oid
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        [WORKER_LOCKS],
      )
    ).length;

  // red when: ROLE=api runs jobs, or its queued jobs are lost when it stops
  it('with ROLE=api run no jobs, and workers run the queued jobs after they have stopped', async () => {
    const api = await start('api');
    const developer = await Developer.register(api.url);
    expect(await workers()).toBe(0);
    expect(await api.stop()).toEqual({ code: 0, signal: null });
    expect(await app.sql(`SELECT FROM graphile_worker.jobs WHERE task_identifier LIKE 'developers.%'`)).not.toEqual([]);
    await Promise.all([start('worker'), start('all')]);
    await until(async () => (await workers()) >= 2);
    await app.mailbox.latest(developer.email);
    await until(async () => (await due()) === 0);
  });
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
