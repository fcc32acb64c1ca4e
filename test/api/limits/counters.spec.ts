import { type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { rawRequest } from '../../support/load/raw-http';

const READS = 5;
const PAGES = 4;
const DOCS = 3;
/** A network (/24 or /48) may send ten times as much as one address. */
const WIDTH = 10;

/** Which requests share a counter. How a limit rejects is in rate-limits.spec.ts. */
describe('the counters of the rate limits', () => {
  let door: TestApp;
  let app: TestApp;
  let tenant: Tenant;
  let ann: Developer;
  let project: ProjectRef;
  beforeAll(async () => {
    door = await TestApp.start();
    app = await TestApp.start({
      environment: {
        ...{ RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '127.0.0.1' },
        ...{ RATE_LIMIT_READ: String(READS), RATE_LIMIT_PAGE: String(PAGES), RATE_LIMIT_DOCS: String(DOCS) },
      },
      beside: door,
      worker: false,
    });
    tenant = await createTenant(door);
    ({ admin: ann, project } = tenant);
  });
  beforeEach(() => app.clock.advance({ minutes: 2 }));
  afterAll(async () => {
    await app.stop();
    await door.stop();
  });

  let addresses = 0;
  /** An address in a network of its own. */
  const newAddress = (): string => `10.${(addresses += 1)}.0.1`;
  const status = async (path: string, { token, from = newAddress() }: { token?: string; from?: string } = {}) => {
    const headers = { 'X-Forwarded-For': from, ...(token && { Authorization: `Bearer ${token}` }) };
    return (await rawRequest(app.url + path, { headers })).status;
  };
  const statuses = async (count: number, send: (n: number) => Promise<number>): Promise<number[]> => {
    const found: number[] = [];
    for (let n = 0; n < count; n++) found.push(await send(n));
    return found;
  };
  const admitted = (all: readonly number[]): number => all.filter((each) => each !== 429).length;

  // red when: the key of RouteLimitGuard contains the class instead of the route
  it('are separate for each route of a class, with the limit of its variable', async () => {
    const { token } = ann;
    expect(await statuses(READS + 1, () => status('/api/v1/organizations', { token }))).toEqual([
      ...Array.from({ length: READS }, () => 200),
      429,
    ]);
    expect(await status('/api/v1/developers/me', { token })).toBe(200);
    expect(await status(`/api/v1/builds?${scope(project)}`, { token })).toBe(200);
    // Resources of one route share its counter.
    const path = (id: string): string => `/api/v1/builds/${id}?${scope(project)}`;
    await statuses(READS, (n) => status(path(`00000000-0000-7000-8000-00000000000${n}`), { token }));
    expect(await status(path(tenant.build.id), { token })).toBe(429);
  });

  // red when: the counter belongs to the token
  it('are shared by all tokens and logins of a developer', async () => {
    const tokens = [ann.token];
    for (let n = 0; n < READS; n++) {
      const body = { name: `Script ${n}`, scopes: ['organization:read'] };
      const created = await rawRequest(`${door.url}/api/v1/pats?organization_id=${tenant.organization.id}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${ann.token}` },
        body: JSON.stringify(body),
      });
      tokens.push((JSON.parse(created.text) as { token: string }).token);
    }
    const all = await statuses(2 * tokens.length, (n) =>
      status('/api/v1/organizations', { token: tokens[n % tokens.length]! }),
    );
    expect(admitted(all)).toBe(READS);
    expect(await status('/api/v1/organizations', { token: tenant.member.token })).toBe(200);
  });

  // red when: the counter belongs to the token
  it('are shared by all access tokens of a project', async () => {
    const admin = tenant.admin;
    const tokens: string[] = [];
    for (let n = 0; n < 3; n++) {
      const created = await rawRequest(`${door.url}/api/v1/project-access-tokens?${scope(project)}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${admin.token}` },
        body: JSON.stringify({ name: `CI ${n}`, role: 'UPLOAD_BUILD' }),
      });
      tokens.push((JSON.parse(created.text) as { token: string }).token);
    }
    const all = await statuses(3 * READS, (n) => status('/api/v1/builds', { token: tokens[n % 3]! }));
    expect(admitted(all)).toBe(READS);
    expect(await status(`/api/v1/builds?${scope(project)}`, { token: admin.token })).toBe(200);
  });

  // red when: RouteLimitGuard has no counter for the wider network of an anonymous client
  it.each<[network: string, inside: (n: number) => string, outside: string]>([
    ['/48', (n) => `2001:db8:7:${n.toString(16)}::1`, '2001:db8:8::1'],
    ['/24', (n) => `198.51.100.${n}`, '198.51.101.1'],
  ])('of a route have a wider one for each %s', async (_network, inside, outside) => {
    const all = await statuses(PAGES * WIDTH + 3, (n) => status('/install/x', { from: inside(n + 1) }));
    expect(admitted(all)).toBe(PAGES * WIDTH);
    expect(await status('/install/x', { from: inside(200) })).toBe(429);
    expect(await status('/install/x', { from: outside })).toBe(404);
  });

  // red when: pages, the files of pages and downloads share a class, or requests with a link are counted by the link
  it('are separate for pages, their files and downloads, and for the addresses that share a link', async () => {
    const [page] = [new URL(tenant.channel.install_url).pathname];
    const from = newAddress();
    expect(await statuses(PAGES + 1, () => status(page, { from }))).toEqual([
      ...Array.from({ length: PAGES }, () => 200),
      429,
    ]);
    const html = await rawRequest(door.url + page, { headers: { Accept: 'text/html' } });
    const asset = /\/assets\/[\w.-]+/.exec(html.text)?.[0] ?? '';
    expect(await statuses(2 * PAGES, () => status(asset, { from }))).toEqual(
      Array.from({ length: 2 * PAGES }, () => 200),
    );
    expect(await statuses(2 * PAGES, () => status('/download/x/y.apk', { from }))).toEqual(
      Array.from({ length: 2 * PAGES }, () => 404),
    );
    expect(await status(page)).toBe(200);
  });

  // red when: the document and Swagger UI are served before the limits
  it.each(['/api/v1/openapi.json', '/api/v1/docs', '/api/v1/docs/swagger-ui.css', '/api/v1/DOCS/', '/api/v1//docs'])(
    'cover the API documentation: %s',
    async (path) => {
      const from = newAddress();
      const all = await statuses(DOCS + 1, () => status(path, { from }));
      expect(all[0] === 404 || all.at(-1) === 429).toBe(true);
      if (all[0] !== 404) expect(admitted(all)).toBe(DOCS);
    },
  );

  it('cover the API documentation together, with the error envelope and the headers', async () => {
    const from = newAddress();
    for (const path of ['/api/v1/openapi.json', '/api/v1/docs', '/api/v1/docs/swagger-ui.css'])
      await status(path, { from });
    const {
      status: code,
      headers,
      text,
    } = await rawRequest(`${app.url}/api/v1/docs`, {
      headers: { 'X-Forwarded-For': from },
    });
    expect([code, headers['ratelimit-limit'], headers['ratelimit-remaining']]).toEqual([429, String(DOCS), '0']);
    const { error, details } = JSON.parse(text) as { error: string; details: { retry_after_seconds: number } };
    expect(error).toBe('rate_limit_exceeded');
    expect(headers['retry-after']).toBe(String(details.retry_after_seconds));
  });
});

describe('the API documentation', () => {
  // red when: DOCS is ignored
  it('is 404 with DOCS=off', async () => {
    const app = await TestApp.start({ environment: { DOCS: 'off' }, worker: false });
    try {
      for (const path of [
        '/api/v1/openapi.json',
        '/api/v1/docs',
        '/api/v1/docs/swagger-ui-bundle.js',
        '/api/v1/docs-yaml',
      ]) {
        const { body, status } = await app.anonymous.get(path);
        expect([path, status, (body as { error?: string }).error]).toEqual([path, 404, 'not_found']);
      }
      await app.anonymous.get('/api/v1/live').expect(200);
    } finally {
      await app.stop();
    }
  });
});
