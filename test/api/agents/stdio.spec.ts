import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { type ToolResult } from '../../support/agents/agent-clients';
import { type ReachableApp, startReachableApp } from '../../support/app/reachable-app';
import { apk } from '../../support/artifacts/valid-artifacts';
import { AgateCli, BUNDLE } from '../../support/cli/agate-cli';

describe('agate mcp', () => {
  let app: ReachableApp;
  let tenant: Tenant;
  let cli: AgateCli;
  const clients: Client[] = [];
  beforeAll(async () => {
    // The addresses of parts name the service.
    app = await startReachableApp();
    tenant = await createTenant(app);
    cli = await AgateCli.create({ AGATE_URL: app.url, AGATE_TOKEN: tenant.pat.token });
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    cli?.remove();
    await app?.stop();
  });

  /** Starts the command line as an agent does. */
  async function starts(
    args: readonly string[] = [],
    mode: 'auto' | 'legacy' = 'auto',
    token = tenant.pat.token,
  ): Promise<Client> {
    const client = new Client({ name: 'stdio-agent', version: '1.0.0' }, { versionNegotiation: { mode } });
    clients.push(client);
    const env = { PATH: process.env['PATH'] ?? '', HOME: cli.folder, AGATE_URL: app.url, AGATE_TOKEN: token };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [BUNDLE, 'mcp', ...args], cwd: cli.work, env }),
    );
    return client;
  }
  const call = async (client: Client, name: string, input: Record<string, unknown>): Promise<ToolResult> =>
    (await client.callTool({ name, arguments: input })) as unknown as ToolResult;

  it.each(['auto', 'legacy'] as const)('serves the tools of the service in mode %s', async (mode) => {
    const client = await starts([], mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'legacy' ? '2025-11-25' : '2026-07-28');
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('list_builds');
    expect(names).not.toContain('promote_build');
    const { structuredContent } = await call(client, 'whoami', {});
    expect(structuredContent).toMatchObject({ id: tenant.pat.id });
  });

  it('uploads a file below its folder', async () => {
    const client = await starts(['--toolsets', 'read,write']);
    const upload = (await client.listTools()).tools.find(({ name }) => name === 'upload_build')!;
    expect(upload.inputSchema).toMatchObject({ required: ['path'] });
    cli.write('out/app.apk', apk());
    const input = { project_id: tenant.project.id, path: 'out/app.apk', notes: 'From an agent' };
    const { structuredContent } = await call(client, 'upload_build', input);
    expect(structuredContent).toMatchObject({ build: { platform: 'android', untrusted: { notes: 'From an agent' } } });
  });

  // red when: rejectOutside is not called
  it('uploads no other file', async () => {
    const client = await starts(['--toolsets', 'read,write']);
    const input = { project_id: tenant.project.id };
    for (const path of ['../secret.apk', '/etc/passwd', 'missing.apk', '']) {
      const result = await call(client, 'upload_build', { ...input, path });
      expect([path, result.isError]).toEqual([path, true]);
    }
  });

  // red when: the project that an agent names is ignored with the token of another one
  it('uploads to no other project than that of its token', async () => {
    const client = await starts(['--toolsets', 'read,write'], 'auto', tenant.projectToken.token);
    cli.write('own.apk', apk());
    const other = await tenant.admin.createsProject(tenant.organization);
    expect((await call(client, 'upload_build', { project_id: other.id, path: 'own.apk' })).isError).toBe(true);
  });

  it('has no upload without the toolset', async () => {
    const client = await starts();
    cli.write('b.apk', apk());
    await expect(call(client, 'upload_build', { path: 'b.apk' })).rejects.toThrow('not found');
  });

  it('answers lines that are no messages, and ends with its input', async () => {
    const stdin = ['not json', '{"jsonrpc":"2.0","id":1,"method":"ping"}', '', '[]'].join('\n');
    const { code, stdout } = await cli.run(['mcp'], { stdin });
    expect(code).toBe(0);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual(
      expect.arrayContaining([
        [null, -32700],
        [1, undefined],
      ]),
    );
  });

  it('explains a token that was revoked', async () => {
    const stdin = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
    const { token } = tenant.pat;
    const environment = { AGATE_TOKEN: token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x') };
    const { code, stderr, stdout } = await cli.run(['mcp'], { stdin, environment });
    expect([code === 0 ? stdout : stderr]).toEqual([expect.stringMatching(/token|credential|Authentication/i)]);
  });

  it('needs a toolset that exists', async () => {
    expect((await cli.run(['mcp', '--toolsets', 'all'], { stdin: '' })).code).toBe(2);
  });
});
