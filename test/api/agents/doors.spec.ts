import { createTenant, type Tenant } from '../../support/actors/tenant';
import { connectAgent, connectOldAgent, INITIALIZE, postMessage } from '../../support/agents/agent-clients';
import { TestApp } from '../../support/app/test-app';
import { rawRequest } from '../../support/load/raw-http';

const METADATA = 'http://localhost:3000/.well-known/oauth-protected-resource/mcp';

describe('the MCP server', () => {
  let app: TestApp;
  let tenant: Tenant;
  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app);
  });
  afterAll(() => app?.stop());

  const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });

  it.each(['2026-07-28', 'auto', 'legacy'] as const)('serves the present client in mode %s', async (revision) => {
    const agent = await connectAgent(app, tenant.pat.token, { revision });
    expect(agent.revision).toBe(revision === 'legacy' ? '2025-11-25' : '2026-07-28');
    const names = (await agent.tools()).map(({ name }) => name);
    expect(names).toContain('list_builds');
    const { structuredContent, content } = await agent.call('whoami');
    expect(structuredContent).toMatchObject({ kind: 'personal_access_token', id: tenant.pat.id });
    expect(JSON.parse(content[0]!.text)).toEqual(structuredContent);
    await agent.close();
  });

  it('serves a client of the library of 2025', async () => {
    const agent = await connectOldAgent(app, tenant.projectToken.token);
    expect(agent.revision).toBe('2025-11-25');
    const { structuredContent } = await agent.call('whoami');
    expect(structuredContent).toMatchObject({ kind: 'project_access_token', project: { id: tenant.project.id } });
    await agent.close();
  });

  // red when: the challenge lacks the address of the metadata
  it('rejects requests without a valid token, and names its metadata', async () => {
    const without = await postMessage(app, INITIALIZE);
    expect(without.status).toBe(401);
    expect(without.headers.get('www-authenticate')).toBe(`Bearer realm="agate", resource_metadata="${METADATA}"`);
    const invalid = await postMessage(app, INITIALIZE, bearer('ag_pat_wrong'));
    expect(invalid.status).toBe(401);
    expect(invalid.headers.get('www-authenticate')).toContain('error="invalid_token"');
    const metadata = await app.anonymous.get(new URL(METADATA).pathname).expect(200);
    expect(metadata.body).toMatchObject({
      resource: 'http://localhost:3000/mcp',
      bearer_methods_supported: ['header'],
    });
  });

  // red when: credentialOf does not check the form of the token
  it('accepts neither cookies nor the token of a login', async () => {
    const { body, headers } = await app.anonymous
      .post('/api/v1/login/email')
      .send({ email: tenant.admin.email, password: tenant.admin.password })
      .expect(200);
    const cookie = ([] as string[])
      .concat(headers['set-cookie'] ?? [])
      .map((each) => each.split(';')[0])
      .join('; ');
    expect((await postMessage(app, INITIALIZE, { Cookie: cookie })).status).toBe(401);
    expect((await postMessage(app, INITIALIZE, bearer((body as { token: string }).token))).status).toBe(401);
  });

  // red when: rejectForeignSites compares neither Origin nor Host
  it('rejects pages of other sites and names that are not its own', async () => {
    const headers = bearer(tenant.pat.token);
    expect((await postMessage(app, INITIALIZE, { ...headers, Origin: 'https://evil.example.com' })).status).toBe(403);
    expect((await postMessage(app, INITIALIZE, { ...headers, Origin: 'null' })).status).toBe(403);
    expect((await postMessage(app, INITIALIZE, { ...headers, Origin: 'http://localhost:3000' })).status).toBe(200);
    const rebound = await rawRequest(`${app.url}/mcp`, {
      method: 'POST',
      headers: { ...headers, Host: 'evil.example.com', 'Content-Type': 'application/json' },
      body: INITIALIZE,
    });
    expect(rebound.status).toBe(403);
  });

  it('ignores the session of an old client, and the case of its own name', async () => {
    const headers = { ...bearer(tenant.pat.token), 'Mcp-Session-Id': 'of-another-process' };
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    const response = await postMessage(app, list, headers);
    expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, null]);
    const named = await rawRequest(`${app.url}/mcp`, {
      method: 'POST',
      headers: {
        ...headers,
        Host: 'LOCALHOST:3000',
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: list,
    });
    expect(named.status).toBe(200);
  });

  it('rejects a body of 4 MB', async () => {
    const response = await postMessage(
      app,
      JSON.stringify({ padding: 'x'.repeat(4 * 1024 * 1024) }),
      bearer(tenant.pat.token),
    );
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: 'payload_too_large' });
  });

  it.each(['not json', '[]', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', '7', 'null', '{"a":', ''])(
    'rejects the body %j',
    async (body) => {
      expect((await postMessage(app, body, bearer(tenant.pat.token))).status).toBe(400);
    },
  );

  it.each([
    '{}',
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":1,"method":"no/such"}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","arguments":[]}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__"}}',
    '{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
  ])('answers the message %s without an internal error', async (body) => {
    const response = await postMessage(app, body, bearer(tenant.pat.token));
    const text = await response.text();
    expect(response.status).toBeLessThan(500);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(text).toContain('error');
    expect(text).not.toContain('-32603');
  });

  it.each(['GET', 'DELETE', 'PUT', 'OPTIONS'])('rejects %s', async (method) => {
    const response = await fetch(`${app.url}/mcp`, { method, headers: bearer(tenant.pat.token) });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('is absent with MCP=off', async () => {
    const other = await TestApp.start({ beside: app, worker: false, environment: { MCP: 'off' } });
    expect((await postMessage(other, INITIALIZE, bearer(tenant.pat.token))).status).toBe(404);
    await other.anonymous.get('/.well-known/oauth-protected-resource/mcp').expect(404);
    await other.stop();
  });

  // red when: a request without a token is rejected before it is counted
  it('limits the requests of an address, also those without a token', async () => {
    const environment = { RATE_LIMIT_FACTOR: '1', RATE_LIMIT_ADDRESS: '2' };
    const limited = await TestApp.start({ beside: app, worker: false, environment });
    const statuses = [];
    for (let each = 0; each < 3; each += 1) statuses.push((await postMessage(limited, INITIALIZE)).status);
    expect(statuses).toEqual([401, 401, 429]);
    await limited.stop();
  });

  // red when: the messages of two tokens of one developer are counted apart
  it('limits the messages of an account', async () => {
    const limited = await TestApp.start({
      beside: app,
      worker: false,
      environment: { RATE_LIMIT_FACTOR: '1', RATE_LIMIT_MCP: '2' },
    });
    const statuses = [];
    for (let each = 0; each < 3; each += 1)
      statuses.push(await postMessage(limited, INITIALIZE, bearer(tenant.pat.token)));
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(statuses[2]!.headers.get('retry-after')).not.toBeNull();
    await limited.stop();
  });
});
