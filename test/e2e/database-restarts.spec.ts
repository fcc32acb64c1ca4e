import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import supertest from 'supertest';
import { Bearer, type BuildJson, Developer, type ProjectRef, scope } from '../support/actors/actors';
import { apk } from '../support/artifacts/valid-artifacts';
import { ClientLoad, type Seen } from '../support/load/client-load';
import { Mailbox } from '../support/app/mailbox';
import { operator } from '../support/processes/operator-console';
import { OwnPostgres } from '../support/app/own-postgres';
import { Scraped } from '../support/checks/prometheus-client';
import { ServerProcess } from '../support/processes/server-process';
import { TestClock } from '../support/app/test-clock';

/** `RESTARTS=10 npm test -- test/e2e/database-restarts.spec.ts` is the whole of it. */
const RESTARTS = Number(process.env['RESTARTS'] ?? 4);
const FILE = { bytes: apk(), fileName: 'Demo.apk' };
const SCRAPE_TOKEN = 'scrape-0123456789abcdef';
/** The load wants more of some things than an organization usually has. */
const ENVIRONMENT = {
  METRICS_TOKEN: SCRAPE_TOKEN,
  QUOTA_TOKENS_PER_PROJECT: '100000',
  MAX_OPEN_RESERVATIONS: '100000',
};
/** Generous: what it takes is told, not judged. */
const RECOVERY_MS = 60_000;

jest.setTimeout(120_000 + RESTARTS * 60_000);

/**
 * Reliability M3: the database of two processes goes away and comes back while clients of all kinds are at work; F2, G1 and J3
 * hold afterwards, and so does E: each keyed change was made once.
 */
describe('two processes whose database is restarted under load', () => {
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

  /** Deletes a build and its artifact: the second is the work of a job. */
  const deletes = async ({ id }: BuildJson): Promise<string> => {
    const [row] = await postgres.sql<{ blob_key: string }>('SELECT blob_key FROM build WHERE id = $1', [id]);
    await ci.delete(`/builds/${id}?${scope(project)}`).expect(204);
    return row!.blob_key.replace('builds/', '');
  };
  const jobHasDeleted = async (key: string): Promise<void> => {
    while ((await artifacts()).some((name) => name.startsWith(key))) await sleep(20);
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
    // A scrape is answered; what only the database knows is left out (red when: Metrics.scrape lets a source's failure out).
    const scraped = await Scraped.from(server.url, SCRAPE_TOKEN);
    expect(scraped.value('agate_reservations_active')).toBeUndefined();
    expect(scraped.value('agate_metrics_errors_total', { source: 'reservations' })).toBeGreaterThan(0);
    expect(scraped.value('agate_http_requests_total', { status: '5xx' })).toBeGreaterThan(0);
  };

  /** How long it takes until both processes say they are ready. */
  const recovery = async (): Promise<number> => {
    const start = performance.now();
    for (const server of servers) while ((await ready(server)).status !== 200) await sleep(20);
    return performance.now() - start;
  };

  // red when: an error of a lost connection is not in the map of database-errors (500), nobody hears a pool's "error" event
  // (the process ends), an upload's abandonment deletes whatever its row says (missing blobs), a release of an idempotency
  // key frees one that is done (a second effect), or the job worker is not started again (the queue stands still)
  it('answer 503 with Retry-After, stay alive, recover by themselves, and have done everything once', async () => {
    load = new ClientLoad({ token: ann.token, ciToken: ci.token, project, build, file: FILE });
    for (const { url } of servers) load.at(url);
    const recoveries: number[] = [];
    await load.during('up', 100);
    for (let restart = 0; restart < RESTARTS; restart++) {
      const left = await deletes(await ci.uploads(project, FILE));
      // Never at the same moment of what is under way.
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

    // The log says why, should there be one.
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

  // red when: the sweeper does not release what an outage has left, or an upload that was cut off keeps its blob
  it('leave nothing behind: the books balance, the audit chain is whole, and there is a blob for each build', async () => {
    const clock = new TestClock(postgres.database.ownerUrl);
    for (const minutes of [3, 16]) {
      await clock.advance({ minutes });
      expect((await operator(postgres, 'sweep', '--yes')).status).toBe(0);
    }
    while ((await column('SELECT count(*)::int FROM graphile_worker.jobs WHERE run_at <= now()'))[0] !== 0)
      await sleep(50);
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

/** Done, 503 with Retry-After, "still at work" of one's own first try, or an answer that had begun and broke off. */
function isAllowed({ status, error, retryAfter, isWhole }: Seen): boolean {
  if (status === 503) return error === 'storage_backend_unavailable' && Number(retryAfter) >= 1;
  if (status === 409) return error === 'idempotency_in_flight' && Number(retryAfter) >= 1;
  return status > 0 && status < 300 && (isWhole || error === undefined);
}

/** For people: `RESTARTS=… npm test -- …` */
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
