import { declaredRoutes } from '#app/routes';
import { type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';
import { errorOf, idsNamedBy, requestRoute } from '../../support/checks/routes/route-requests';
import { bytesTo, rawRequest } from '../../support/load/raw-http';

const FORM = 'application/x-www-form-urlencoded';
const SOME_ID = '00000000-0000-7000-8000-000000000000';

const ENVELOPE = {
  error: expect.any(String) as string,
  message: expect.any(String) as string,
  details: expect.objectContaining({ request_id: expect.any(String) as string }) as object,
};

describe('an error', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
  });
  afterAll(() => app.stop());

  const asAnn = (path: string, method = 'GET', body?: Buffer | string, type = 'application/json') =>
    rawRequest(`${app.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${ann.token}`, ...(body !== undefined && { 'Content-Type': type }) },
      ...(body !== undefined && { body }),
    });

  // red when: the presenter does not send the envelope, or a layer responds by itself
  it.each([
    ['an unknown path', 'GET', '/api/v1/nowhere', 404, 'not_found'],
    ['an unknown path outside the API', 'GET', '/nowhere', 404, 'not_found'],
    ['an unsupported method', 'PUT', '/api/v1/organizations', 404, 'not_found'],
    ['malformed percent-encoding', 'GET', '/api/v1/organizations/%ff', 400, 'validation_error'],
    ['malformed percent-encoding of an install link', 'GET', '/install/%E0%A4%A', 400, 'validation_error'],
    ['an id that is not a UUID', 'GET', '/api/v1/projects/1?organization_id=x', 400, 'validation_error'],
    ['a missing parent', 'GET', '/api/v1/builds', 400, 'validation_error'],
    ['no credential', 'GET', '/api/v1/developers/you/../me', 401, 'unauthorized'],
  ])('of a request with %s has the envelope', async (_case, method, path, status, error) => {
    const anonymous = status === 401;
    const response = anonymous
      ? await rawRequest(`${app.url}/api/v1/developers/me`, { method })
      : await asAnn(path, method);
    expect(response.status).toBe(status);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    const body = JSON.parse(response.text) as { details: { request_id: string } };
    expect(body).toEqual({ ...ENVELOPE, error });
    expect(body.details.request_id).toBe(response.headers['x-request-id']);
  });

  // red when: the filter does not call isBrokenRule, so that operators are not informed; or errors are logged with all their
  // properties, which include the row
  it.each([
    ['a check', `ADD CONSTRAINT ck_rule CHECK (name <> 'Odd')`, 'DROP CONSTRAINT ck_rule', 'constraint "ck_rule"'],
    [
      'a not-null rule',
      'ADD odd int NOT NULL DEFAULT 0; ALTER TABLE project ALTER odd DROP DEFAULT',
      'DROP odd',
      'column "odd"',
    ],
  ])(
    'of %s that only the database enforces has the envelope and is logged as an error',
    async (_case, make, drop, rule) => {
      await app.sql(`ALTER TABLE project ${make}`);
      const response = await ann.post(`/projects?organization_id=${project.organizationId}`, { name: 'Odd' });
      await app.sql(`ALTER TABLE project ${drop}`);
      expect(response.status).toBe(400);
      expect(response.body).toEqual({ ...ENVELOPE, error: 'validation_error' });
      const { request_id: requestId } = (response.body as { details: { request_id: string } }).details;
      const line =
        app.logLines.find((each) => each.includes(requestId) && each.includes('rejected by a database constraint')) ??
        '{}';
      expect(JSON.parse(line)).toMatchObject({ level: 'error', code: 'validation_error' });
      expect(line).toContain(JSON.stringify(rule).slice(1, -1));
      expect(line).not.toContain('Odd');
    },
  );

  // red when: `rejectMalformedRequests` is not installed
  it.each([
    ['text that is not HTTP', 'hello\r\n\r\n'],
    [
      'two different Content-Length headers',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
    [
      'Content-Length and chunked encoding',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['U+0000 in a header', 'POST / HTTP/1.1\r\nHost: a\r\nIdempotency-Key: a\u0000b\r\n\r\n'],
    ['headers of 64 KiB', `GET /?${'x'.repeat(65_536)} HTTP/1.1\r\nHost: a\r\n\r\n`],
  ])('of a connection that sends %s has the envelope, and the connection closes', async (_case, bytes) => {
    const [head, body] = (await bytesTo(app.url, bytes)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 [^]*\r\nX-Request-Id: /);
    expect(JSON.parse(body ?? '')).toEqual({ ...ENVELOPE, error: 'validation_error' });
  });

  // red when: Node rejects the request itself: `requireHostHeader` stays true, or `checkExpectation` or `connect` has no
  // listener
  it.each([
    ['a request without Host', 'GET /api/v1/live HTTP/1.1\r\n', 400, 'validation_error'],
    [
      'an unsupported expectation',
      'GET /api/v1/live HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n',
      400,
      'validation_error',
    ],
    ['CONNECT', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n', 404, 'not_found'],
    ['CONNECT without Host', 'CONNECT a.example:443 HTTP/1.1\r\n', 404, 'not_found'],
  ])('of %s has the envelope with a request id of the service', async (_case, bytes, status, error) => {
    const response = await bytesTo(app.url, `${bytes}X-Request-Id: mine-1\r\nConnection: close\r\n\r\n`);
    const [head, body] = response.split('\r\n\r\n');
    const [, requestId] =
      new RegExp(`^HTTP/1\\.1 ${status} [^]*\\r\\nX-Request-Id: ([0-9a-f-]{36})(\\r\\n|$)`).exec(head ?? '') ?? [];
    expect(JSON.parse(body ?? '')).toEqual({ ...ENVELOPE, error, details: { request_id: requestId } });
  });

  // red when: HTTP/1.1 rules are applied to HTTP/1.0, or `Expect: 100-continue` is rejected
  it('is not caused by HTTP/1.0 without Host, nor by Expect: 100-continue', async () => {
    expect(await bytesTo(app.url, 'GET /api/v1/live HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
    const waits = 'GET /api/v1/live HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nConnection: close\r\n\r\n';
    expect(await bytesTo(app.url, waits)).toMatch(/HTTP\/1\.1 200 /);
  });

  /** Property names that every object inherits. */
  const INHERITED = [...Object.getOwnPropertyNames(Object.prototype), 'prototype'];
  const deep = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels);
  const BODIES: readonly (readonly [string, string | Buffer])[] = [
    ['broken JSON', '{'],
    ['nothing', ''],
    ['null', 'null'],
    ['an array', '[]'],
    ['a string', '"name"'],
    ['a number for a string', '{"name":1e308}'],
    ['an array for a scalar', '{"name":["a","b"]}'],
    ['an object for a scalar', '{"name":{"length":5}}'],
    ['a duplicate key with a bad last value', '{"name":"a","name":[]}'],
    ['__proto__', '{"name":"a","__proto__":{"admin":true}}'],
    ['an unknown field', '{"name":"a","owner":"me"}'],
    ...INHERITED.map((name) => [`a field called ${name}`, `{"name":"a","${name}":"b"}`] as const),
    ['an inherited name in a nested object', '{"name":"a","owner":[{"toString":1}]}'],
    ['a read-only field', '{"name":"a","id":"019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10"}'],
    ['U+0000', '{"name":"a\\u0000b"}'],
    ['an escape sequence', '{"name":"a\\u001b[2Jb"}'],
    ['two lines in a name', '{"name":"a\\nb"}'],
    ['a lone surrogate', '{"name":"\\ud800"}'],
    ['a lone surrogate in a name', '{"name":"a","\\udc00":1}'],
    ['17 levels of objects', `{"name":${deep('{"a":', '}', 17).replace('}', '1}')}}`],
    ['5 000 levels of arrays', `{"name":${deep('[', ']', 5_000)}}`],
    ['only spaces', '{"name":"   "}'],
    ['101 properties', JSON.stringify(Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`k${index}`, 1])))],
    ['2,001 items', JSON.stringify({ name: Array.from({ length: 2_001 }, () => 1) })],
    ['a string that is too long', JSON.stringify({ name: 'x'.repeat(101) })],
  ];

  // red when: InputValidationPipe accepts one of them, or (5 000 levels, with a key) the fingerprint recurses without a
  // limit
  it.each(BODIES)(
    'is 400 validation_error for %s in the body, with and without an idempotency key',
    async (_case, body) => {
      const keys: Record<string, string>[] = [{}, { 'Idempotency-Key': '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10' }];
      for (const headers of keys) {
        const response = await rawRequest(`${app.url}/api/v1/organizations`, {
          method: 'POST',
          headers: { ...headers, Authorization: `Bearer ${ann.token}`, 'Content-Type': 'application/json' },
          body,
        });
        expect([response.status, (JSON.parse(response.text) as { error: string }).error]).toEqual([
          400,
          'validation_error',
        ]);
      }
      expect((await ann.get('/organizations').expect(200)).body).toHaveLength(1);
    },
  );

  // red when: forms are not validated against the whitelist like JSON
  it.each(['owner', 'toString', 'constructor', 'prototype'])(
    'is 400 validation_error for the unknown field %s in a form',
    async (name) => {
      const accept = '/api/v1/organizations/invitations/accept';
      const { status, text } = await asAnn(accept, 'POST', `token=a&${name}=b`, FORM);
      expect([status, JSON.parse(text)]).toMatchObject([
        400,
        { error: 'validation_error', details: { fields: [{ field: name }] } },
      ]);
    },
  );

  // red when: the BodyErrorGuard accepts forms on every route
  it('is 400 validation_error for a form on every route without an HTML form', async () => {
    const { paths } = (await app.anonymous.get('/api/v1/openapi.json').expect(200)).body as {
      paths: Record<string, Record<string, { requestBody?: { content: object } }>>;
    };
    const acceptsForms: string[] = [];
    let rejected = 0;
    for (const route of declaredRoutes(app.nest)) {
      const method = route.method.toLowerCase();
      if (['get', 'head'].includes(method)) continue;
      if (FORM in (paths[route.template]?.[method]?.requestBody?.content ?? {})) {
        acceptsForms.push(route.path);
        continue;
      }
      const ids = { organization_id: project.organizationId, project_id: project.id, developer_id: ann.id };
      const others = idsNamedBy(route).filter((name) => !(name in ids));
      const response = await requestRoute(app.url, route, {
        ids: { ...Object.fromEntries(others.map((name) => [name, SOME_ID])), ...ids },
        headers: { Authorization: `Bearer ${ann.token}` },
        body: 'name=Owned',
        contentType: FORM,
      });
      expect([route.name, response.status, errorOf(response)]).toMatchObject([
        route.name,
        400,
        { error: 'validation_error', details: { fields: [{ field: 'Content-Type' }] } },
      ]);
      rejected++;
    }
    expect(rejected).toBeGreaterThan(40);
    expect(acceptsForms.sort()).toEqual([
      '/developers/:developer_id/change_email',
      '/developers/:developer_id/verify_email',
      '/developers/resend-verification',
      '/developers/reset_password',
      '/developers/reset_password_request',
      '/install/:invite_token/decline',
      '/install/:invite_token/devices/:device_id',
      '/install/:invite_token/platforms',
      '/install/:invite_token/sign-in',
      '/install/:invite_token/subscribe',
      '/install/:invite_token/terms',
      '/install/:invite_token/unlock',
      '/install/:invite_token/unsubscribe',
      '/organizations/invitations/accept',
    ]);
    expect((await ann.get('/organizations').expect(200)).body).toHaveLength(1);
  });

  // red when: the size of a form is reported before its Content-Type, as for a part of an upload that curl sends with --data-binary
  it('of a form names its Content-Type also when it is too large', async () => {
    const started = { file_name: 'a.dmg', size_bytes: 100_000, version: '1.0', platform: 'macos' };
    const { body: upload } = await ann.post(`/builds/uploads?${scope(project)}`, started).expect(201);
    const { body } = await ann
      .post(`/builds/uploads/${(upload as { id: string }).id}/part-urls?${scope(project)}`, { part_numbers: [1] })
      .expect(200);
    const [part] = (body as { urls: { url: string }[] }).urls;
    const form = { headers: { 'Content-Type': FORM }, body: 'x'.repeat(100_000) };
    const response = await fetch(`${app.url}${new URL(part!.url).pathname}`, { method: 'PUT', ...form });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: 'validation_error', details: { fields: [{ field: 'Content-Type' }] } },
    ]);
  });

  // red when: the response to a malformed HEAD has a body
  it('of a HEAD request has no body', async () => {
    const head = (method: string): Promise<string> =>
      bytesTo(app.url, `${method} /api/v1/live?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect((await head('HEAD')).split('\r\n\r\n')).toEqual([expect.stringMatching(/^HTTP\/1.1 400 /), '']);
    expect(await head('GET')).toMatch(/\r\n\r\n\{"error":"validation_error"/);
  });

  it('names each invalid field', async () => {
    const { body } = await ann.post(`/project-access-tokens?${scope(project)}`, { name: '', role: 'KING' }).expect(400);
    const { fields } = (body as { details: { fields: { field: string; messages: string[] }[] } }).details;
    expect(fields.map(({ field }) => field).sort()).toEqual(['name', 'role']);
    for (const { messages } of fields) expect(messages.length).toBeGreaterThan(0);
  });

  // red when: body errors are thrown by the parser, before the guards
  it('of an anonymous caller is 401 even if the body is invalid', async () => {
    for (const body of ['{', 'x'.repeat(1_200_000)]) {
      const response = await rawRequest(`${app.url}/api/v1/organizations`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      });
      expect(response.status).toBe(401);
    }
  });

  it('is 413 payload_too_large for a body over 64 KiB', async () => {
    const response = await asAnn('/api/v1/organizations', 'POST', JSON.stringify({ name: 'x'.repeat(65_536) }));
    expect([response.status, (JSON.parse(response.text) as { error: string }).error]).toEqual([
      413,
      'payload_too_large',
    ]);
  });

  // red when: the id of the client becomes the id of the request
  it('has a new request id beside every id that a client sends, and logs a valid one beside it', async () => {
    const idFor = async (sent: string) =>
      (await app.anonymous.get('/api/v1/live').set('X-Request-Id', sent)).headers['x-request-id'];
    const lineOf = (requestId: unknown): Record<string, unknown> =>
      JSON.parse(app.logLines.find((line) => line.includes(String(requestId))) ?? '{}') as Record<string, unknown>;
    const ids: unknown[] = [];
    for (const sent of ['build-7.a_b', 'build-7.a_b', '<script>', 'x'.repeat(65)]) {
      ids.push(await idFor(sent));
      const logged = sent.startsWith('build') ? sent : undefined;
      expect(lineOf(ids.at(-1))['clientRequestId']).toBe(logged);
    }
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('the HTTP server', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { BASE_URL: 'https://agate.example.com' } });
  });
  afterAll(() => app.stop());

  // red when: helmet is not used, or `x-powered-by` keeps the default of Express
  it.each([
    '/api/v1/live',
    '/api/v1/nowhere',
    '/api/v1/openapi.json',
    '/api/v1/organizations',
    '/install/x',
    '/download/x/y',
  ])('sends the security headers for %s', async (path) => {
    const { headers } = await rawRequest(app.url + path);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as string,
      'strict-transport-security': expect.stringContaining('max-age=') as string,
      'x-request-id': expect.any(String) as string,
    });
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('forbids caching of metadata', async () => {
    const ann = await app.developer();
    for (const path of ['/organizations', '/developers/me']) {
      expect((await ann.get(path).expect(200)).headers['cache-control']).toContain('no-store');
    }
    const login = await app.anonymous.post('/api/v1/login/email').send({ email: ann.email, password: ann.password });
    expect(login.headers['cache-control']).toContain('no-store');
  });

  it('reports liveness, and readiness with every check', async () => {
    expect((await app.anonymous.get('/api/v1/live').expect(200)).body).toEqual({ status: 'ok' });
    const { body } = await app.anonymous.get('/api/v1/ready').expect(200);
    const { status, checks } = body as { status: string; checks: { name: string; status: string }[] };
    expect(status).toBe('ok');
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['database', 'migrations', 'storage', 'queue']),
    );
  });

  it('serves its OpenAPI 3.1 document and Swagger UI', async () => {
    const { body } = await app.anonymous.get('/api/v1/openapi.json').expect(200);
    expect((body as { openapi: string }).openapi).toBe('3.1.0');
    const page = await app.anonymous.get('/api/v1/docs').redirects(1).expect(200).expect('Content-Type', /html/);
    const scripts = [...page.text.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, path]) => path!);
    expect(scripts.length).toBeGreaterThan(1);
    for (const script of scripts) {
      await app.anonymous.get(new URL(script, 'http://a/api/v1/docs/').pathname).expect(200);
    }
  });
});
