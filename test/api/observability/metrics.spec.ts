import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { METRICS } from '#infra/metrics/metric-catalogue';
import { MetricsServer } from '#infra/metrics/metrics-server';
import { type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { Scraped } from '../../support/checks/prometheus-client';
import { onS3 } from '../../support/servers/stores/cloud-places';
import { eventually } from '../../support/until';

jest.setTimeout(120_000);

const TOKEN = 'scrape-0123456789abcdef';
const FILE = { bytes: ipa(), fileName: 'a.ipa' };
const statusOf = async (url: string, headers: Record<string, string> = {}): Promise<number> =>
  (await fetch(url, { headers })).status;

describe('GET /metrics', () => {
  const start = (environment: Record<string, string>): Promise<TestApp> => TestApp.start({ environment });

  it('does not exist by default', async () => {
    const app = await start({});
    expect(await statusOf(`${app.url}/metrics`)).toBe(404);
    expect(await app.nest.get(MetricsServer).listen()).toBeUndefined();
    await app.stop();
  });

  // red when: the token is compared by prefix, or the handler is registered behind the handler for unknown paths
  it('is served on the port of the API when METRICS_TOKEN is set, to clients with the token', async () => {
    const app = await start({ METRICS_TOKEN: TOKEN });
    expect(await statusOf(`${app.url}/metrics`)).toBe(401);
    for (const wrong of [`Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(0, -1)}`, TOKEN, `Basic ${TOKEN}`, 'Bearer ']) {
      expect([wrong, await statusOf(`${app.url}/metrics`, { Authorization: wrong })]).toEqual([wrong, 401]);
    }
    const response = await fetch(`${app.url}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds ');
    for (const name of Object.keys(METRICS)) expect(text).toContain(`# TYPE ${name} `);
    await app.stop();
  });

  // red when: serveMetrics checks METRICS_TOKEN only
  it('is served on METRICS_PORT only when that is set', async () => {
    const app = await start({ METRICS_PORT: '0', METRICS_TOKEN: TOKEN });
    const port = await app.nest.get(MetricsServer).listen();
    const headers = { Authorization: `Bearer ${TOKEN}` };
    expect(await statusOf(`${app.url}/metrics`, headers)).toBe(404);
    expect(await statusOf(`http://127.0.0.1:${port}/metrics`, headers)).toBe(200);
    expect(await statusOf(`http://127.0.0.1:${port}/metrics`)).toBe(401);
    expect(await statusOf(`http://127.0.0.1:${port}/api/v1/live`, headers)).toBe(404);
    await app.stop();
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
  });

  it('needs no token on METRICS_PORT when METRICS_TOKEN is not set', async () => {
    const app = await start({ METRICS_PORT: '0' });
    const port = await app.nest.get(MetricsServer).listen();
    expect(await statusOf(`http://127.0.0.1:${port}/metrics`)).toBe(200);
    await app.stop();
  });

  it.each([
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN'],
    [{ METRICS_PORT: '70000' }, 'METRICS_PORT'],
    [{ PORT: '3000', METRICS_PORT: '3000' }, 'METRICS_PORT'],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL'],
  ])('rejects the configuration %j at startup', async (environment, variable) => {
    await expect(start(environment)).rejects.toThrow(variable);
  });
});

describe('the metrics', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  const scraped = (): Promise<Scraped> => Scraped.from(app.url, TOKEN);
  /** Scrapes until a condition holds, because some counters change after the client has the response. */
  const scrapedWhen = async (condition: (seen: Scraped) => boolean): Promise<Scraped> => {
    return eventually(scraped, condition);
  };
  /** Gauges that are read from the database are cached for five seconds. */
  const scrapedUncached = async (): Promise<Scraped> => {
    await app.clock.advance({ minutes: 1 });
    return scraped();
  };

  beforeAll(async () => {
    app = await TestApp.start({ environment: { METRICS_TOKEN: TOKEN } });
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
  });
  afterAll(() => app.stop());

  // red when: request-metrics uses the path of the request instead of the route pattern
  it('count requests by route pattern, method and status class', async () => {
    const before = await scraped();
    await ann.get(`/projects/${project.id}?organization_id=${project.organizationId}`).expect(200);
    await ann.get(`/projects/${randomUUID()}?organization_id=${project.organizationId}`).expect(403);
    await fetch(`${app.url}/nowhere/${randomUUID()}`);
    const labels = { method: 'GET', route: '/api/v1/projects/:project_id' };
    const after = await scrapedWhen(
      (seen) =>
        seen.value('agate_http_requests_total', labels) === 2 &&
        seen.value('agate_http_requests_total', { route: 'none' }) === 1,
    );
    const grown = (name: string, wanted: Record<string, string>): number =>
      (after.value(name, wanted) ?? 0) - (before.value(name, wanted) ?? 0);
    expect(grown('agate_http_requests_total', { ...labels, status: '2xx' })).toBe(1);
    expect(grown('agate_http_requests_total', { ...labels, status: '4xx' })).toBe(1);
    expect(grown('agate_http_requests_total', { route: 'none', status: '4xx' })).toBe(1);
    expect(grown('agate_http_request_duration_seconds_count', labels)).toBe(2);
    expect(after.value('agate_http_request_duration_seconds_bucket', { ...labels, le: '+Inf' })).toBe(
      after.value('agate_http_request_duration_seconds_count', labels),
    );
  });

  it('count uploads and downloads and their bytes', async () => {
    const build = await ann.uploads(project, FILE);
    await ann.upload(project, { bytes: Buffer.from('no app'), fileName: 'a.ipa' }).expect(400);
    const minted = await ann.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
    const path = new URL((minted.body as { url: string }).url).pathname;
    expect((await (await fetch(app.url + path)).arrayBuffer()).byteLength).toBe(FILE.bytes.length);
    await fetch(app.url + path, { method: 'HEAD' });
    await (await fetch(app.url + path, { headers: { Range: 'bytes=0-9' } })).arrayBuffer();
    const now = await scrapedWhen((seen) => seen.value('agate_downloads_total', { delivery: 'stream' }) === 2);
    expect(now.value('agate_uploads_started_total')).toBe(2);
    expect(now.value('agate_uploads_finished_total')).toBe(1);
    expect(now.value('agate_uploads_failed_total', { reason: 'invalid_input' })).toBe(1);
    expect(now.value('agate_uploaded_bytes_total')).toBe(FILE.bytes.length);
    expect(now.value('agate_uploads_in_flight')).toBe(0);
    expect(now.value('agate_downloaded_bytes_total', { delivery: 'stream' })).toBe(FILE.bytes.length + 10);
  });

  it('count cancelled uploads', async () => {
    const draft = { file_name: 'b.ipa', size_bytes: 1000 };
    const started = await ann.post(`/builds/uploads?${scope(project)}`, draft).expect(201);
    await ann.delete(`/builds/uploads/${(started.body as { id: string }).id}?${scope(project)}`).expect(204);
    expect((await scraped()).value('agate_uploads_failed_total', { reason: 'dropped' })).toBe(1);
  });

  it('count failed logins and sent mails', async () => {
    await app.anonymous.post('/api/v1/login/email').send({ email: ann.email, password: 'wrong' }).expect(401);
    const now = await scraped();
    expect(now.value('agate_logins_failed_total', { reason: 'credentials' })).toBe(1);
    // At least the mail with which Ann verified her address.
    expect(now.value('agate_mails_sent_total')).toBeGreaterThanOrEqual(1);
  });

  it('show waiting and dead jobs', async () => {
    await app.sql(`SELECT FROM graphile_worker.add_job('mail.send', run_at => now() + interval '1 day')`);
    await app.sql(
      `SELECT graphile_worker.permanently_fail_jobs(array(
         SELECT id FROM graphile_worker.add_job('unknown.task', run_at => now() + interval '1 day') AS job), 'dead')`,
    );
    const now = await scrapedUncached();
    expect(now.value('agate_jobs_waiting', { task: 'mail.send' })).toBeGreaterThanOrEqual(1);
    expect(now.value('agate_jobs_dead', { task: 'unknown.task' })).toBe(1);
    expect(now.value('agate_job_oldest_due_seconds', { task: 'unknown.task' })).toBe(0);
    expect(now.value('agate_database_connections', { state: 'total' })).toBeGreaterThanOrEqual(1);
  });

  // red when: GaugeSource.samples does not cache
  it('show the active reservations, which are read from the database every few seconds only', async () => {
    const build = await ann.uploads(project, FILE);
    let [before, cached, started] = [0, 0, -Infinity];
    // A slow machine takes longer than the values are cached.
    while (performance.now() - started > 4_000) {
      started = performance.now();
      before = (await scrapedUncached()).value('agate_reservations_active')!;
      await ann.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200);
      cached = (await scraped()).value('agate_reservations_active')!;
    }
    expect(cached).toBe(before);
    const after = await scrapedUncached();
    expect(after.value('agate_reservations_active')).toBe(before + 1);
    expect(after.value('agate_reservations_micro_usd')).toBeGreaterThan(0);
  });

  // red when: Metrics.fill keeps the previous value. gauge-source.spec.ts checks the timeout of a scrape; here the database's lock timeout
  // may end the wait first.
  it('omit a gauge that the database does not return in time, and contain the others', async () => {
    await scrapedUncached();
    const lock = new Client({ connectionString: app.database.url });
    await lock.connect();
    await lock.query('BEGIN; LOCK TABLE reservation IN ACCESS EXCLUSIVE MODE');
    const during = await scrapedUncached();
    await lock.end();
    expect(during.value('agate_reservations_active')).toBeUndefined();
    expect(during.value('agate_metrics_errors_total', { source: 'reservations' })).toBe(1);
    expect(during.value('agate_jobs_dead', { task: 'unknown.task' })).toBe(1);
    let after = await scrapedUncached();
    // The query that timed out may still be running.
    while (after.value('agate_reservations_active') === undefined) after = await scrapedUncached();
    expect(after.value('agate_reservations_active')).toBeGreaterThanOrEqual(1);
  });

  // red when: routePatternOf returns the path when no route matches, or request-metrics always uses the path
  it('have a bounded number of series, and no label with personal data', async () => {
    const before = (await scraped()).samples.length;
    for (let index = 0; index < 20; index++) {
      await fetch(`${app.url}/install/${randomUUID()}`);
      await fetch(`${app.url}/api/v1/${randomUUID()}/x?${randomUUID()}`);
      await ann.get(`/builds/${randomUUID()}?${scope(project)}`).expect(404);
    }
    const after = await scraped();
    // Two new routes with a histogram each, instead of sixty.
    expect(after.samples.length - before).toBeLessThan(60);
    expect(after.text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|@|\bag_/);
    for (const route of after.labelValues('route')) expect(route).toMatch(/^(none|\/[a-z0-9_:./*{}-]*)$/i);
  });
});

it('the metrics count rate-limited requests by the class of the limit', async () => {
  const app = await TestApp.start({ environment: { METRICS_TOKEN: TOKEN, RATE_LIMIT_FACTOR: '0.1' } });
  const logIn = (): Promise<unknown> =>
    app.anonymous.post('/api/v1/login/email').send({ email: 'a@example.com', password: 'x' });
  for (let index = 0; index < 6; index++) await logIn();
  const now = await Scraped.from(app.url, TOKEN);
  expect(now.value('agate_rate_limited_total', { class: 'login' })).toBeGreaterThanOrEqual(2);
  expect(now.labelValues('class')).toEqual(['login']);
  await app.stop();
});

// red when: HostedStoreService returns the store without monitorStore
it('the metrics count errors of a store by owner, provider and kind', async () => {
  const place = await onS3();
  const app = await TestApp.start({ environment: { ...place.environment, METRICS_TOKEN: TOKEN } });
  try {
    const ann = await app.developer();
    const project = await ann.createsProject(await ann.createsOrganization());
    await ann.uploads(project, FILE);
    expect((await Scraped.from(app.url, TOKEN)).value('agate_store_errors_total')).toBeUndefined();
    place.proxy.fault = () => ({ kind: 'error', status: 403, code: 'AccessDenied' });
    await ann.upload(project, FILE).expect(503);
    const now = await Scraped.from(app.url, TOKEN);
    const labels = { owner: 'hosted', provider: 's3', kind: 'permission' };
    expect(now.value('agate_store_errors_total', labels)).toBeGreaterThanOrEqual(1);
    expect(now.value('agate_uploads_failed_total', { reason: 'storage_backend_unavailable' })).toBe(1);
    place.proxy.fault = () => undefined;
  } finally {
    await app.stop();
    await place.proxy.stop();
  }
});
