import { gzipSync } from 'node:zlib';
import { PAT_SCOPES } from '#kernel/access/roles';
import { ALL_TOOLS } from '#app/mcp/tools/tools';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { type Agent, connectAgent, INITIALIZE, postMessage } from '../../support/agents/agent-clients';
import { TestApp } from '../../support/app/test-app';
import { ipa } from '../../support/artifacts/valid-artifacts';
import { cpuMsOf } from '../../support/load/cpu-time';

const EVERY_TOOLSET = { 'X-Agate-Toolsets': 'read,write,danger' };
/** An instruction that may be a part of e-mail addresses and file names. */
const MARK = 'ignore-previous-instructions';

/** Values that a model or an attacker sends where something else is expected. */
const VALUES: readonly unknown[] = [
  null,
  0,
  -1,
  1e308,
  true,
  '',
  ' ',
  'x'.repeat(70_000),
  '\u0000',
  '\ud800',
  '\u202e',
  '../../etc/passwd',
  "'; DROP TABLE build; --",
  '%00%0d%0aX-Injected: 1',
  [],
  ['x'],
  {},
  { __proto__: { polluted: true } },
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}') as unknown,
];

describe('the MCP server', () => {
  let app: TestApp;
  let tenant: Tenant;
  let bearer: Record<string, string>;
  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app, MARK);
    bearer = { Authorization: `Bearer ${tenant.pat.token}` };
  });
  afterAll(() => app?.stop());
  afterEach(() => {
    expect(app.logLines.filter((line) => /"level":"(error|fatal)"|"level":(50|60)/.test(line))).toEqual([]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  /** Sends a message, and expects a JSON response that reveals nothing of the inside. */
  const answerTo = async (body: string | Buffer, headers: Record<string, string> = {}): Promise<string> => {
    const response = await postMessage(app, body, { ...bearer, ...EVERY_TOOLSET, ...headers });
    const text = await response.text();
    expect([body.toString().slice(0, 300), headers, response.status < 500]).toEqual([
      body.toString().slice(0, 300),
      headers,
      true,
    ]);
    expect(text).not.toMatch(/-32603|node_modules|\.(ts|js):\d|SELECT |Error:/);
    return text;
  };
  const call = (name: unknown, input: unknown): string =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } });
  const modern = {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    },
  };

  it('answers every method with every kind of parameters', async () => {
    const methods = [
      ...['initialize', 'notifications/initialized', 'notifications/cancelled', 'ping', 'tools/list', 'tools/call'],
      ...['resources/list', 'prompts/get', 'completion/complete', 'logging/setLevel', 'sampling/createMessage'],
      ...['tasks/get', 'tasks/result', 'server/discover', 'subscriptions/listen', 'rpc.discover', '__proto__'],
      ...['constructor', 'toString', '', 'x'.repeat(1000), 7, null, {}, []],
    ];
    const ids = [1, 'x', undefined, null, {}, -1.5];
    for (const [at, method] of methods.entries()) {
      const parameters = [undefined, modern, ...VALUES.filter((_, each) => (each + at) % 4 === 0)];
      await Promise.all(
        parameters.map((params, each) =>
          answerTo(JSON.stringify({ jsonrpc: '2.0', id: ids[(each + at) % ids.length], method, params })),
        ),
      );
    }
  });

  it.each(ALL_TOOLS.map(({ name, input }) => [name, Object.keys(input.shape)] as const))(
    '%s rejects hostile arguments',
    async (name, fields) => {
      for (const [at, field] of [...fields, 'unknown', '__proto__'].entries()) {
        const values = VALUES.filter((_, each) => (each + at) % 4 === 0);
        const inputs = values.flatMap((value) => [
          JSON.stringify(value),
          `{${JSON.stringify(field)}:${JSON.stringify(value)}}`,
        ]);
        await Promise.all(inputs.map((input) => answerTo(call(name, 'INPUT').replace('"INPUT"', () => input))));
      }
    },
  );

  it.each([
    [
      'depth',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}}`,
    ],
    [
      'arrays in arrays',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(400_000)}${']'.repeat(400_000)}}`,
    ],
    ['many properties', `{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":1`).join(',')}}`],
    ['many items', `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[${'1,'.repeat(400_000)}1]}}`],
    ['a batch', `[${Array.from({ length: 1000 }, () => INITIALIZE).join(',')}]`],
    ['two messages', `${INITIALIZE}${INITIALIZE}`],
    ['a long name', call('x'.repeat(900_000), {})],
    ['a byte order mark', `\ufeff${INITIALIZE}`],
  ])('answers a body of %s within seconds', async (_, body) => {
    expect(await cpuMsOf(() => answerTo(body))).toBeLessThan(10_000);
  });

  it('answers bodies of other types and encodings', async () => {
    const bodies: readonly (readonly [string | Buffer, Record<string, string>])[] = [
      [INITIALIZE, { 'Content-Type': 'text/plain' }],
      [INITIALIZE, { 'Content-Type': 'application/x-www-form-urlencoded' }],
      [INITIALIZE, { 'Content-Type': 'application/json; charset=utf-7' }],
      [INITIALIZE, { 'Content-Type': 'multipart/form-data; boundary=x' }],
      [INITIALIZE, { 'Content-Encoding': 'gzip' }],
      [INITIALIZE, { 'Content-Encoding': 'br, gzip' }],
      [gzipSync(INITIALIZE), { 'Content-Encoding': 'gzip' }],
      [gzipSync(JSON.stringify({ a: 'x'.repeat(50_000_000) })), { 'Content-Encoding': 'gzip' }],
      [Buffer.from([0xff, 0xfe, 0x00, 0x7b]), {}],
    ];
    for (const [body, headers] of bodies) await answerTo(body, headers);
  });

  it.each<Record<string, string>>([
    { 'Mcp-Session-Id': 'an-old-session' },
    { 'Mcp-Session-Id': 'x'.repeat(400) },
    { 'Last-Event-ID': '7' },
    { 'MCP-Protocol-Version': '1999-01-01' },
    { 'MCP-Protocol-Version': '2026-07-28' },
    { 'Mcp-Method': 'tools/list', 'Mcp-Name': 'x' },
    { 'Mcp-Param-Region': '=?base64?@@@?=' },
    { Accept: '*/*' },
    { Accept: 'text/event-stream' },
    { Accept: 'image/png' },
    { 'X-HTTP-Method-Override': 'DELETE' },
    { 'X-Forwarded-Host': 'evil.example.com' },
    { 'User-Agent': '\u00ff\u00fe <script>' },
    { 'Idempotency-Key': 'not-a-key' },
    { 'X-Request-Id': '\u00ff' },
  ])('answers a message with the headers %j', async (headers) => {
    await answerTo(INITIALIZE, headers);
    await answerTo(call('whoami', {}), headers);
    await answerTo(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...modern, name: 'whoami' } }),
      headers,
    );
  });

  it.each([
    ['WRITE', []],
    ['read;write', []],
    ['write write', []],
    ['__proto__,constructor', []],
    ['*', []],
    [' write ,write', ['write']],
    [',,danger,,', ['danger']],
    ['', []],
  ])('shows for the toolsets %j only those of their names', async (named, toolsets) => {
    const text = await answerTo(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }), {
      'X-Agate-Toolsets': named,
    });
    const { result } = JSON.parse(text) as { result: { tools: { name: string }[] } };
    const expected = ALL_TOOLS.filter(({ toolset }) => toolsets.includes(toolset)).map(({ name }) => name);
    expect(result.tools.map(({ name }) => name)).toEqual(expected);
  });

  describe('with texts of other people in every place', () => {
    let agent: Agent;
    const pathsOf = (value: unknown, path: readonly string[] = []): (readonly string[])[] => {
      if (typeof value === 'string') return value.includes(MARK) ? [path] : [];
      if (typeof value !== 'object' || value === null) return [];
      const names = Object.keys(value).filter((name) => name.includes(MARK));
      return [
        ...names.map((name) => [...path, name]),
        ...Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...path, name])),
      ];
    };
    const inputFor = (name: string, projectId: string): Record<string, unknown> => {
      const known: Record<string, unknown> = {
        project_id: projectId,
        build_id: tenant.build.id,
        with_build_id: tenant.build.id,
        channel_id: tenant.channel.id,
        release_id: tenant.release.id,
        build_ids: [tenant.build.id],
        tester_ids: [tenant.testerId],
        testers: [{ email: `${MARK}@tester.example.com`, name: MARK }],
        notes: 'Notes',
        q: name === 'search' ? MARK : undefined,
        code: 'not_found',
        notify: true,
        show_addresses: true,
        upload_id: tenant.uploadId,
      };
      const { shape } = ALL_TOOLS.find((tool) => tool.name === name)!.input;
      return Object.fromEntries(
        Object.entries(known).filter(([field, value]) => field in shape && value !== undefined),
      );
    };
    beforeAll(async () => {
      const hostile = ipa({
        info: { CFBundleIdentifier: `com.example.${MARK}`, CFBundleDisplayName: MARK },
      });
      const file = { bytes: hostile, fileName: `${MARK}.ipa` };
      const own = `/projects/${tenant.project.id}?organization_id=${tenant.organization.id}`;
      await tenant.admin.patch(own, { allow_any_bundle_id: true }).expect(200);
      const build = await tenant.admin.uploads(tenant.project, file);
      tenant = { ...tenant, build };
      const scopes = PAT_SCOPES;
      const path = `/pats?organization_id=${tenant.organization.id}`;
      const { body } = await tenant.admin.post(path, { name: MARK, scopes }).expect(201);
      agent = await connectAgent(app, (body as { token: string }).token, { toolsets: 'read,write,danger' });
    });
    afterAll(() => agent?.close());

    // red when: a field that people or artifacts fill counts as the service's own
    it.each(ALL_TOOLS.map(({ name }) => name))('%s shows them only below `untrusted`', async (name) => {
      for (const projectId of [tenant.project.id, tenant.channel.id]) {
        const { structuredContent } = await agent.call(name, inputFor(name, projectId));
        const found = pathsOf(structuredContent).filter((each) => !each.includes('untrusted'));
        // The command line of an upload contains the name that was given for it.
        expect(found.filter(([first]) => first !== 'commands')).toEqual([]);
      }
    });
  });

  // red when: the message of every error counts as the service's own
  it('shows an error that repeats a text of an artifact below `untrusted`', async () => {
    const agent = await connectAgent(app, tenant.pat.token, { toolsets: 'write' });
    const bytes = ipa({ info: { CFBundleIdentifier: `org.example.${MARK}` } });
    const project = await tenant.admin.createsProject(tenant.organization);
    await tenant.admin.uploads(project, { bytes: ipa(), fileName: 'first.ipa' });
    const input = { project_id: project.id };
    const announced = { ...input, file_name: 'App.ipa', size_bytes: bytes.length };
    const { upload_id, commands } = (await agent.call('upload_build', announced)).structuredContent as {
      upload_id: string;
      commands: string[];
    };
    const url = /'(http[^']+)'$/.exec(commands[0]!)![1]!.replace('http://localhost:3000', app.url);
    await fetch(url, { method: 'PUT', headers: { 'Content-Type': 'application/octet-stream' }, body: bytes });
    const { structuredContent, isError } = await agent.call('upload_build', { ...input, upload_id });
    expect([isError, structuredContent['error']]).toEqual([true, 'invalid_input']);
    expect(Object.keys(structuredContent).sort()).toEqual(['details', 'error', 'untrusted']);
    expect(structuredContent['details']).toMatchObject({ reason: 'bundle_id_mismatch' });
    expect(JSON.stringify({ ...structuredContent, untrusted: null, details: null })).not.toContain(MARK);
    await agent.close();
  });

  it('lets one of many calls of two processes use a confirmation, however it is spelled', async () => {
    const beside = await TestApp.start({ beside: app, worker: false });
    const agents = await Promise.all(
      [app, beside].map((on) => connectAgent(on, tenant.pat.token, { toolsets: 'read,write,danger' })),
    );
    const { id: channel_id } = await tenant.admin.createsChannel(tenant.project, 'Confirmed');
    const input = { project_id: tenant.project.id, channel_id, build_id: tenant.build.id, notify: true };
    const { structuredContent } = await agents[0]!.call('promote_build', input);
    const confirmation = structuredContent['confirmation'] as string;
    const spellings = [confirmation, `${confirmation}=`, `${confirmation}==`, ` ${confirmation}`, `${confirmation}\n`];
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        agents[n % 2]!.call('promote_build', { ...input, confirmation: spellings[n % spellings.length]! }),
      ),
    );
    expect(results.filter(({ isError }) => !isError)).toHaveLength(1);
    const [{ count } = { count: 0 }] = await app.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM release WHERE channel_id = $1',
      [channel_id],
    );
    expect(count).toBe(1);
    await Promise.all(agents.map((agent) => agent.close()));
    await beside.stop();
  });
});
