import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import supertest from 'supertest';
import { Bearer, type BuildJson, Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { Mailbox } from '../../support/app/mailbox';
import { OwnPostgres } from '../../support/app/own-postgres';
import { TestClock } from '../../support/app/test-clock';
import { apk } from '../../support/artifacts/valid-artifacts';
import { Scraped } from '../../support/checks/prometheus-client';
import { ClientLoad, type Seen } from '../../support/load/client-load';
import { operator } from '../../support/processes/operator-console';
import { ServerProcess } from '../../support/processes/server-process';
import { until } from '../../support/until';

/** Restarts of the database. The full run: `RESTARTS=10 npm run test:endurance -- database-restarts`. */
const RESTARTS = Number(process.env['RESTARTS'] ?? 4);
const FILE = { bytes: apk(), fileName: 'Demo.apk' };
const SCRAPE_TOKEN = 'scrape-0123456789abcdef';
/** The load exceeds the default quotas. */
const ENVIRONMENT = {
  METRICS_TOKEN: SCRAPE_TOKEN,
  QUOTA_TOKENS_PER_PROJECT: '100000',
  MAX_OPEN_RESERVATIONS: '100000',
};
/** A generous limit, because the duration is reported and not asserted. */
const RECOVERY_MS = 60_000;

jest.setTimeout(120_000 + RESTARTS * 60_000);

/**
 * The database of two processes restarts while clients of all kinds send requests. Afterwards the ledger balances, the audit chain
 * verifies, every build has its blob, and each change with an idempotency key was applied once.
 */
describe('two processes whose database restarts under load', () => {
  let postgres: OwnPostgres;
  let servers: ServerProcess[];
  let ann: Developer;
  let ci: Bearer;
  let project: ProjectRef;
  let build: BuildJson;
  let load: ClientLoad | undefined;

  beforeAll(async () => {
    postgres = await OwnPostgres.start();
    const start = (): Promise<ServerProcess> => ServerProcess.start(postgres, ENVIRONMENT);
    servers = [await start(), await start()];
    ann = await Developer.signUp(servers[0]!.url, new Mailbox(join(postgres.dataDirectory, 'mail')));
    project = await ann.createsProject(await ann.createsOrganization());
    ci = new Bearer(servers[0]!.url, await ann.createsToken(project, 'MANAGE_PROJECT'));
    build = await ci.uploads(project, FILE);
  });
  afterAll(async () => {
    load?.abandon();
    await Promise.all(servers.map((server) => server.kill()));
    await postgres.remove();
  });

  const ready = ({ url }: ServerProcess): supertest.Test => supertest(url).get('/api/v1/ready');
  const artifacts = async (folder = 'builds'): Promise<string[]> =>
    (await readdir(join(postgres.dataDirectory, 'artifacts', folder)).catch(() => [])).sort();
  const column = async (statement: string): Promise<unknown[]> =>
    (await postgres.sql(statement)).map((row) => Object.values(row)[0]);

  /** Deletes a build; a job deletes its artifact. */
  const deletes = async ({ id }: BuildJson): Promise<string> => {
    const [row] = await postgres.sql<{ blob_key: string }>('SELECT blob_key FROM build WHERE id = $1', [id]);
    await ci.delete(`/builds/${id}?${scope(project)}&permanently=true`).expect(204);
    return row!.blob_key.replace('builds/', '');
  };
  const jobHasDeleted = async (key: string): Promise<void> => {
    await until(async () => (await artifacts()).every((name) => !name.startsWith(key)));
  };

  const saysWhatIsMissing = async (server: ServerProcess): Promise<void> => {
    await supertest(server.url).get('/api/v1/live').expect(200);
    const { status, headers, body } = await ready(server);
    expect([status, headers['retry-after']]).toEqual([503, expect.stringMatching(/^[1-9]\d*$/)]);
    expect(body).toMatchObject({
      error: 'storage_backend_unavailable',
      checks: expect.arrayContaining([
        { name: 'database', status: 'failed' },
        { name: 'storage', status: 'ok' },
      ]) as object,
    });
    for (const type of ['application/json', 'text/html']) {
      const page = await supertest(server.url).get(new URL(build.install_url).pathname).set('Accept', type);
      expect([page.status, page.headers['retry-after']]).toEqual([503, expect.stringMatching(/^[1-9]\d*$/)]);
      expect(page.headers['content-type']).toContain(type);
    }
    // A scrape succeeds without the gauges that need the database (red when: Metrics.scrape throws a source's error).
    const scraped = await Scraped.from(server.url, SCRAPE_TOKEN);
    expect(scraped.value('agate_reservations_active')).toBeUndefined();
    expect(scraped.value('agate_metrics_errors_total', { source: 'reservations' })).toBeGreaterThan(0);
    expect(scraped.value('agate_http_requests_total', { status: '5xx' })).toBeGreaterThan(0);
  };

  /** The time until both processes are ready. */
  const recovery = async (): Promise<number> => {
    const start = performance.now();
    for (const server of servers) await until(async () => (await ready(server)).status === 200);
    return performance.now() - start;
  };

  // red when: database-errors.ts does not map an error of a lost connection (500), a pool has no "error" listener (the process
  // ends), a cancelled upload deletes its blob without checking its row (missing blobs), releasing an idempotency key frees a
  // completed one (a second effect), or the job worker is not restarted (the queue stops)
  it('respond 503 with Retry-After, stay alive, recover without help, and apply every change once', async () => {
    load = new ClientLoad({ token: ann.token, ciToken: ci.token, project, build, file: FILE });
    for (const { url } of servers) load.at(url);
    const recoveries: number[] = [];
    await load.during('up', 100);
    for (let restart = 0; restart < RESTARTS; restart++) {
      const left = await deletes(await ci.uploads(project, FILE));
      // Another pause each time, so that the restarts interrupt the load at different points.
      await load.during('up', 20 + 7 * restart);
      await postgres.stop(restart % 2 === 0 ? 'fast' : 'immediate');
      await load.during('down', 60);
      await Promise.all(servers.map(saysWhatIsMissing));
      await postgres.startAgain();
      recoveries.push(await recovery());
      await load.during('up again', 100);
      await jobHasDeleted(left);
      await jobHasDeleted(await deletes(await ci.uploads(project, FILE)));
    }
    await load.end();
    tell(load.seen, recoveries);

    // Prints the log when an assertion fails.
    expect(servers.flatMap(({ lines }) => lines).filter((line) => line.includes('request failed'))).toEqual([]);
    expect(load.seen.filter((seen) => !isAllowed(seen))).toEqual([]);
    const refused = load.seen.filter(({ phase, status }) => phase === 'down' && status === 503).map(({ what }) => what);
    expect([...new Set(refused)]).toEqual(expect.arrayContaining(['read', 'audit feed', 'create a token', 'upload']));
    expect(Math.max(...recoveries)).toBeLessThan(RECOVERY_MS);

    const { tokens, builds, urls, downloads } = load.done;
    expect(await column(`SELECT name FROM project_access_token WHERE name <> 'CI' ORDER BY name COLLATE "C"`)).toEqual(
      tokens.sort(),
    );
    expect(await column(`SELECT notes FROM build WHERE notes IS NOT NULL ORDER BY notes COLLATE "C"`)).toEqual(
      builds.sort(),
    );
    expect(await column('SELECT count(*)::int FROM download_ticket')).toEqual([urls.length]);
    expect(downloads.sort()).toEqual(urls.sort());
    const events = await column(`SELECT count(*)::int FROM audit_event WHERE type IN
      ('build.uploaded', 'build.download_url_created', 'project_access_token.created') GROUP BY type ORDER BY type`);
    const uploaded = builds.length + 1 + 2 * RESTARTS;
    expect(events).toEqual([urls.length, uploaded, tokens.length + 1]);
    expect(
      await column(`SELECT count(*)::int FROM ledger_entry WHERE kind LIKE 'usage_%load' GROUP BY kind ORDER BY kind`),
    ).toEqual([urls.length, uploaded]);
  });

  // red when: the sweeper does not release the reservations of interrupted requests, or an interrupted upload keeps its blob
  it('leave nothing behind: the ledger balances, the audit chain verifies, and each build has its blob', async () => {
    const clock = new TestClock(postgres.database.ownerUrl);
    for (const minutes of [3, 16]) {
      await clock.advance({ minutes });
      expect((await operator(postgres, 'sweep', '--yes')).status).toBe(0);
    }
    await until(
      async () => (await column('SELECT count(*)::int FROM graphile_worker.jobs WHERE run_at <= now()'))[0] === 0,
    );
    expect(await operator(postgres, 'billing', 'check')).toMatchObject({ status: 0, out: 'None.\n' });
    expect(await operator(postgres, 'blobs', 'check')).toMatchObject({ status: 0, out: 'None.\n' });
    for (const whose of [[], ['--organization-id', project.organizationId]]) {
      const { status, out } = await operator(postgres, 'audit', 'verify', ...whose, '--json');
      expect([status, JSON.parse(out)]).toEqual([0, expect.objectContaining({ whole: true })]);
    }
    expect(await column('SELECT count(*)::int FROM artifact_upload')).toEqual([0]);
    expect(await column(`SELECT count(*)::int FROM reservation WHERE state = 'active'`)).toEqual([0]);
    expect(await column('SELECT count(*)::int FROM graphile_worker.jobs WHERE attempts >= max_attempts')).toEqual([0]);
    const keys = (await column('SELECT blob_key FROM build ORDER BY blob_key')) as string[];
    expect((await artifacts()).map((name) => `builds/${name.replace(/\.blob$/, '')}`)).toEqual(keys);
    expect(await artifacts('.incoming')).toEqual([]);
    for (const server of servers) expect(await server.stop()).toEqual({ code: 0, signal: null });
  });
});

/** Success, 503 with Retry-After, "in flight" for a retry of the same key, or a response that broke off. */
function isAllowed({ status, error, retryAfter, isWhole }: Seen): boolean {
  if (status === 503) return error === 'storage_backend_unavailable' && Number(retryAfter) >= 1;
  if (status === 409) return error === 'idempotency_in_flight' && Number(retryAfter) >= 1;
  return status > 0 && status < 300 && (isWhole || error === undefined);
}

/** Prints the measurements when RESTARTS is set. */
function tell(seen: readonly Seen[], recoveries: readonly number[]): void {
  if (process.env['RESTARTS'] === undefined) return;
  const count = (which: (each: Seen) => boolean): number => seen.filter(which).length;
  const [slowest] = seen.filter(({ status }) => status === 503).sort((a, b) => b.tookMs - a.tookMs);
  console.info(
    `${seen.length} requests: ${count(({ status }) => status === 503)} × 503, ${count(({ status }) => status === 409)} × 409, ` +
      `${count(({ isWhole }) => !isWhole)} broken off; the slowest 503 took ${Math.round(slowest?.tookMs ?? 0)} ms ` +
      `(${slowest?.what}, ${slowest?.phase}); ready after ${recoveries.map(Math.round).join(', ')} ms`,
  );
}
