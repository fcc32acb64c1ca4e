import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { load as parseYaml, YAML11_SCHEMA } from 'js-yaml';
import { RedisServer } from '../redis/redis-server';
import { scope } from '../support/actors/actors';
import { createTenant, type Tenant } from '../support/actors/tenant';
import { encoded, HttpClient } from '../support/app/http-client';
import { TestApp } from '../support/app/test-app';
import { apk } from '../support/artifacts/valid-artifacts';
import { constantRateLoad } from '../support/load/constant-rate-load';
import { EventStreamClient } from '../support/load/event-stream-client';
import { MixedWorkload } from '../support/load/mixed-workload';
import { takeFreePort } from '../support/processes/free-port';
import { ServerProcess } from '../support/processes/server-process';
import { type CountingSmtp, startCountingSmtp } from '../support/servers/counting-smtp';
import { S3Server } from '../support/servers/stores/s3-server';
import { until } from '../support/until';
import { CaddyProcess } from './caddy-process';

jest.setTimeout(900_000);

/** Used in links, because production rejects the local name of Caddy. */
const BASE_URL = 'https://agate.example';

type Environment = Readonly<Record<string, string>>;

/** The environment of a service in compose.yaml, with `${NAME…}` replaced like compose does. */
function environmentOf(service: string, values: Environment): Environment {
  const text = readFileSync(path.join(__dirname, '../../docker/compose.yaml'), 'utf8');
  const filled = text.replace(
    /\$\{(\w+)(?::-([^}]*)|[^}]*)\}/g,
    (_, name: string, preset?: string) => values[name] ?? preset ?? `\${${name}}`,
  );
  const compose = parseYaml(filled, { schema: YAML11_SCHEMA }) as {
    services: Record<string, { environment: Environment }>;
  };
  return compose.services[service]!.environment;
}

/** The setup of docker/compose.yaml without a container engine: its proxy, roles and variables. */
describe('the setup of the compose file', () => {
  let caddy: CaddyProcess;
  let store: S3Server;
  let redis: RedisServer;
  let smtp: CountingSmtp;
  let app: TestApp;
  let tenant: Tenant;
  let client: HttpClient;
  let start: (service: 'api-1' | 'api-2' | 'worker', port?: number) => Promise<ServerProcess>;
  const apis: ServerProcess[] = [];
  let worker: ServerProcess;

  beforeAll(async () => {
    [caddy, store, redis, smtp] = await Promise.all([
      CaddyProcess.prepare(),
      S3Server.start(),
      RedisServer.start(),
      startCountingSmtp(),
    ]);
    const bucket = store.bucket();
    const values = {
      AGATE_HOST: caddy.host,
      STORE_HOST: caddy.storeHost,
      S3_ACCESS_KEY_ID: bucket.accessKeyId,
      S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
      REDIS_PASSWORD: randomBytes(24).toString('hex'),
      MASTER_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      PASSWORD_PEPPER: randomBytes(32).toString('base64'),
      MAIL_URL: smtp.url,
      SIGN_UP: 'open',
      MAIL_FROM: 'Agate <agate@example.com>',
    };
    const jwtKeys = path.join(caddy.folder, 'jwt.pem');
    const { MASTER_KEYS, PASSWORD_PEPPER } = values;
    const secrets = { JWT_PRIVATE_KEYS_FILE: jwtKeys, MASTER_KEYS, PASSWORD_PEPPER };
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 3072 });
    await writeFile(jwtKeys, privateKey.export({ type: 'pkcs8', format: 'pem' }));

    const ports = [await takeFreePort(), await takeFreePort()] as const;
    await caddy.start({ apiPorts: ports, storePort: Number(new URL(store.url).port) });
    // The test data is created through the store's own address, not through the proxy.
    const { region, bucket: name, accessKeyId, secretAccessKey } = bucket;
    const direct = {
      STORAGE_PROVIDER: 's3',
      S3_ENDPOINT: store.url,
      S3_REGION: region,
      S3_BUCKET: name,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    };
    app = await TestApp.start({ worker: false, environment: { ...secrets, ...direct } });
    tenant = await createTenant(app);
    await app.sql('DELETE FROM graphile_worker._private_jobs');

    start = async (service, port = 0) =>
      ServerProcess.start(app, {
        ...environmentOf(service, values),
        BASE_URL,
        // Replaces what only containers have: service names, a network and files of secrets.
        ...secrets,
        PORT: String(port),
        METRICS_PORT: String(await takeFreePort()),
        TRUST_PROXY: '127.0.0.1',
        DATABASE_URL: app.database.url,
        DATABASE_OWNER_URL: '',
        REDIS_URL: redis.url,
        S3_REGION: region,
        S3_BUCKET: name,
        NODE_EXTRA_CA_CERTS: caddy.authorityFile,
        // Production limits would reject the load of the test.
        RATE_LIMIT_FACTOR: '100',
      });
    apis.push(await start('api-1', ports[0]), await start('api-2', ports[1]));
    worker = await start('worker');
    client = new HttpClient(`https://${caddy.host}`, await caddy.authority());
    await until(async () => (await client.ask('/api/v1/ready')).status === 200);
  });
  afterAll(async () => {
    // Some may be undefined, when starting failed.
    client?.close();
    await Promise.all([...apis, worker].map((server) => server?.kill()));
    await app?.stop();
    await Promise.all([caddy?.stop(), store?.stop(), redis?.kill(), smtp?.stop()]);
  });

  const uploads = async (file: Buffer, headers: Environment = {}): Promise<{ id: string; sha256: string }> => {
    const form = new FormData();
    form.set('version', '1.0');
    form.set('platform', 'linux');
    form.set('file', new Blob([new Uint8Array(file)]), 'app.bin');
    const { body, contentType } = await encoded(form);
    const response = await client.ask('/api/v1/builds', {
      method: 'POST',
      headers: { Authorization: `Bearer ${tenant.projectToken.token}`, 'Content-Type': contentType, ...headers },
      body,
    });
    expect([response.status, response.body.toString()]).toEqual([201, expect.any(String)]);
    return JSON.parse(response.body.toString()) as { id: string; sha256: string };
  };

  it('serves TLS, and redirects plain http to it', async () => {
    const { status, headers } = await client.ask('/api/v1/live');
    expect([status, headers['strict-transport-security']]).toEqual([200, expect.stringContaining('max-age')]);
    const plain = await new HttpClient(`http://localhost:${caddy.plainPort}`).ask('/api/v1/live');
    expect(plain.status).toBe(308);
  });

  // red when: S3_ENDPOINT is reachable only from containers, or the proxy changes the Host that was signed
  it('accepts an upload, and redirects its download to a signed URL of the store', async () => {
    const file = randomBytes(9_000_000);
    const build = await uploads(file);
    const minted = await client.ask(`/api/v1/builds/${build.id}/download-url?${scope(tenant.project)}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${tenant.projectToken.token}` },
    });
    const link = new URL((JSON.parse(minted.body.toString()) as { url: string }).url);
    expect(link.origin).toBe(BASE_URL);
    const redirect = await client.ask(link.pathname + link.search);
    expect(redirect.status).toBe(302);
    const signed = new URL(redirect.headers.location ?? '');
    expect(signed.host).toBe(caddy.storeHost);
    const { status, body } = await client.ask(signed.href);
    expect([status, createHash('sha256').update(body).digest('hex')]).toEqual([200, build.sha256]);
  });

  // red when: the proxy forwards the client's X-Forwarded-For, or TRUST_PROXY does not include the proxy (each client then
  // has its address)
  it('records the real address of the client, not the one in its headers', async () => {
    const { id } = await uploads(randomBytes(1_000), { 'X-Forwarded-For': '203.0.113.9', 'X-Request-Id': 'spoofed' });
    expect(id).toBeTruthy();
    const events = await app.sql(
      `SELECT host(source_ip) AS ip FROM audit_event WHERE payload ->> 'client_request_id' = 'spoofed'`,
    );
    expect(events).toEqual([{ ip: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) as string }]);
  });

  // red when: a response below a grant, or a rejection, may be kept by a cache between the service and a phone
  it('lets no shared cache keep what a link with rules shows', async () => {
    const { id } = await uploads(apk());
    const post = (path: string, json: object) =>
      client.ask(path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${tenant.projectToken.token}`, 'Content-Type': 'application/json' },
        body: Buffer.from(JSON.stringify(json)),
      });
    const created = await post(`/api/v1/links?${scope(tenant.project)}`, {
      build_id: id,
      name: 'Fair',
      access: 'password',
      password: 'sunny harbour',
    });
    const link = JSON.parse(created.body.toString()) as { id: string; install_url: string };
    const { pathname } = new URL(link.install_url);
    const granted = await post(`/api/v1/links/${link.id}/grant?${scope(tenant.project)}`, {});
    const page = new URL((JSON.parse(granted.body.toString()) as { url: string }).url).pathname;
    const files = ['/icon.png', '/qr.svg', '/qr.png'];
    const seen: Record<string, unknown> = {};
    for (const [name, at] of [
      ['gate', pathname],
      ['grant', page],
    ] as const)
      for (const file of ['', ...files]) {
        const { headers } = await client.ask(at + file, { headers: { Accept: 'text/html,image/*' } });
        seen[name + file] = [headers['cache-control'], headers.age];
      }
    const places = ['gate', 'grant'].flatMap((name) => ['', ...files].map((file) => name + file));
    expect(seen).toEqual(Object.fromEntries(places.map((place) => [place, ['no-store', undefined]])));
  });

  // red when: the proxy compresses, buffers or times out the stream, changes the policy of the page, or limits bodies
  it('passes the dashboard through: its page, a screen, a part of an upload and the stream of changes', async () => {
    const page = await client.ask(`/o/${tenant.organization.id}`, { headers: { Accept: 'text/html' } });
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['cross-origin-opener-policy']).toBe('same-origin');
    const script = /src="(\/static\/[^"]+\.js)"/.exec(page.body.toString())?.[1] ?? '';
    const file = await client.ask(script, { headers: { 'Accept-Encoding': 'br' } });
    expect([file.status, file.headers['content-encoding']]).toEqual([200, 'br']);

    const login = await client.ask('/api/v1/login/email', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: BASE_URL },
      body: Buffer.from(JSON.stringify({ email: tenant.admin.email, password: tenant.admin.password })),
    });
    const cookies = (login.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
    const events = await EventStreamClient.open(
      { url: `https://${caddy.host}`, headers: { Cookie: cookies }, ca: await caddy.authority() },
      tenant.organization.id,
    );
    expect(events.response.statusCode).toBe(200);

    const ask = async (path: string, body: object): Promise<Record<string, unknown>> => {
      const headers = { Cookie: cookies, Origin: BASE_URL, 'Content-Type': 'application/json' };
      const answer = await client.ask(path, { method: 'POST', headers, body: Buffer.from(JSON.stringify(body)) });
      expect([answer.status, answer.body.toString()]).toEqual([
        expect.any(Number),
        expect.not.stringContaining('"error"'),
      ]);
      return JSON.parse(answer.body.toString()) as Record<string, unknown>;
    };
    const bytes = apk();
    const query = scope(tenant.project);
    const upload = await ask(`/api/v1/builds/uploads?${query}`, { file_name: 'demo.apk', size_bytes: bytes.length });
    const path = `/api/v1/builds/uploads/${String(upload['id'])}`;
    const { urls } = (await ask(`${path}/part-urls?${query}`, { part_numbers: [1], through: 'service' })) as {
      urls: { url: string }[];
    };
    const { pathname, search } = new URL(urls[0]!.url, BASE_URL);
    const part = await client.ask(pathname + search, {
      method: 'PUT',
      headers: { Cookie: cookies, Origin: BASE_URL },
      body: bytes,
    });
    expect(part.status).toBeLessThan(300);
    const build = await ask(`${path}/complete?${query}`, {});
    await until(() => events.text.includes(String(build['id'])));
    events.close();
  });

  // red when: the Caddyfile has no health_uri, or health_interval is longer than the drain
  it('loses no request during a rolling restart', async () => {
    const load = new MixedWorkload(client, tenant);
    await load.prepare(app);
    let restarting = true;
    const restarts = (async () => {
      for (const [at, service] of (['api-1', 'api-2'] as const).entries()) {
        expect(await apis[at]!.stop()).toEqual({ code: 0, signal: null });
        apis[at] = await start(service, apis[at]!.port);
        await until(() => apis[at]!.lines.some((line) => line.includes('GET /api/v1/builds')));
      }
      expect(await worker.stop()).toEqual({ code: 0, signal: null });
      worker = await start('worker');
    })().finally(() => (restarting = false));
    await constantRateLoad(
      { ratePerSecond: 20, maxOpen: 12 },
      (n) => load.one(n),
      () => !restarting,
    );
    await restarts;
    expect(load.failures).toEqual([]);
    await until(
      async () =>
        (await app.sql('SELECT FROM graphile_worker.jobs WHERE attempts < max_attempts AND run_at <= now()')).length ===
        0,
    );
    expect(await load.effectsNotOnce(app, smtp.accepted)).toEqual([]);
  });

  // red when: the Caddyfile has no lb_try_duration
  it('serves requests right after a process was killed', async () => {
    await apis[0]!.kill();
    for (let n = 0; n < 20; n++) expect((await client.ask('/api/v1/live')).status).toBe(200);
  });
});
