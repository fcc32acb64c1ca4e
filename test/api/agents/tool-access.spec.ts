import { PAT_SCOPES, type PatScope, PROJECT_ROLES, type ProjectRole } from '#kernel/access/roles';
import { ALL_TOOLS } from '#app/mcp/tools/tools';
import { scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { type Agent, connectAgent, type ToolResult } from '../../support/agents/agent-clients';
import { TestApp } from '../../support/app/test-app';

const EVERY_TOOLSET = 'read,write,danger';

/**
 * The access table of the tools, written a second time: the scope of a personal access token and the lowest role of a project access token.
 * `null`: no token needs it, `undefined`: no project access token may use it.
 */
const TABLE: Readonly<Record<string, readonly [PatScope | null, ProjectRole | null | undefined]>> = {
  whoami: [null, null],
  list_projects: ['projects:read', 'VIEW_PROJECT'],
  list_builds: ['builds:read', 'VIEW_PROJECT'],
  get_build: ['builds:read', 'VIEW_PROJECT'],
  compare_builds: ['builds:read', 'VIEW_PROJECT'],
  list_channels: ['channels:read', 'VIEW_PROJECT'],
  get_channel: ['channels:read', 'VIEW_PROJECT'],
  list_releases: ['releases:read', 'VIEW_PROJECT'],
  release_funnel: ['builds:read', 'VIEW_PROJECT'],
  list_testers: ['testers:read', 'VIEW_PROJECT'],
  usage: ['organization:read', 'VIEW_PROJECT'],
  search: ['projects:read', undefined],
  explain_error: [null, null],
  upload_build: ['builds:upload', 'UPLOAD_BUILD'],
  update_notes: ['builds:write', 'UPLOAD_BUILD'],
  promote_build: ['releases:write', 'MANAGE_RELEASES'],
  add_testers: ['testers:write', 'MANAGE_TESTERS'],
  delete_builds: ['builds:write', 'MANAGE_RELEASES'],
  withdraw_release: ['releases:write', 'MANAGE_RELEASES'],
  remove_testers: ['testers:write', 'MANAGE_TESTERS'],
};

/** The arguments of a tool about the resources of a tenant. */
function inputFor(name: string, of: Tenant, projectId: string): Record<string, unknown> {
  const known: Record<string, unknown> = {
    project_id: projectId,
    build_id: of.build.id,
    with_build_id: of.build.id,
    channel_id: of.channel.id,
    release_id: of.release.id,
    build_ids: [of.build.id],
    tester_ids: [of.testerId],
    testers: [{ email: 'nobody@example.com' }],
    notes: 'Notes of an agent',
    file_name: 'App.ipa',
    size_bytes: 1000,
    q: 'Project',
    code: 'not_found',
    notify: true,
  };
  const { shape } = ALL_TOOLS.find((tool) => tool.name === name)!.input;
  return Object.fromEntries(Object.entries(known).filter(([field]) => field in shape));
}

describe('the tools of the MCP server', () => {
  let app: TestApp;
  let own: Tenant;
  let other: Tenant;
  const otherMark = 'other-tenant-mark';
  beforeAll(async () => {
    app = await TestApp.start();
    own = await createTenant(app, 'own-tenant-mark');
    other = await createTenant(app, otherMark);
  });
  afterAll(() => app?.stop());

  const agents: Agent[] = [];
  const connects = async (token: string, toolsets = EVERY_TOOLSET): Promise<Agent> => {
    const agent = await connectAgent(app, token, { toolsets });
    agents.push(agent);
    return agent;
  };
  afterAll(() => Promise.all(agents.map((agent) => agent.close())));

  const names = async (agent: Agent): Promise<string[]> => (await agent.tools()).map(({ name }) => name).sort();
  const errorOf = ({ structuredContent, isError }: ToolResult): unknown =>
    isError ? structuredContent['error'] : null;

  it('are all in the access table', () => {
    expect(ALL_TOOLS.map(({ name }) => name)).toEqual(Object.keys(TABLE));
  });

  // red when: existsFor returns true
  it.each(PAT_SCOPES)('exist for a token with the scope %s only as the table says', async (held) => {
    const body = { name: held, scopes: [held] };
    const { body: issued } = await own.admin.post(`/pats?organization_id=${own.organization.id}`, body).expect(201);
    const agent = await connects((issued as { token: string }).token);
    const expected = Object.entries(TABLE).filter(([, [needed]]) => needed === null || needed === held);
    expect(await names(agent)).toEqual(expected.map(([name]) => name).sort());
    for (const [name] of expected.filter(([each]) => !['upload_build', 'update_notes', 'add_testers'].includes(each))) {
      const { project_id: projectId, ...input } = inputFor(name, own, own.project.id);
      // The quotas of a project need another scope than those of the organization.
      const result = await agent.call(name, {
        ...input,
        ...(name !== 'usage' && projectId !== undefined && { project_id: projectId }),
      });
      // A preview reads what the change is about, so it needs the scope to read, too.
      const reads = ['promote_build', 'delete_builds', 'withdraw_release'].includes(name);
      expect([name, errorOf(result)]).toEqual([name, reads ? 'permission_denied' : null]);
    }
  });

  it.each(PROJECT_ROLES)('exist for a project token with the role %s only as the table says', async (role) => {
    const agent = await connects(await own.admin.createsToken(own.project, role));
    const rank = PROJECT_ROLES.indexOf(role);
    const expected = Object.entries(TABLE).filter(
      ([, [, needed]]) => needed === null || (needed !== undefined && rank >= PROJECT_ROLES.indexOf(needed)),
    );
    expect(await names(agent)).toEqual(expected.map(([name]) => name).sort());
    for (const [name] of expected.filter(([each]) => !['upload_build', 'update_notes', 'add_testers'].includes(each))) {
      const { project_id: _project, ...input } = inputFor(name, own, own.project.id);
      expect([name, errorOf(await agent.call(name, input))]).toEqual([name, null]);
    }
    const refused = Object.keys(TABLE).find((name) => !expected.some(([each]) => each === name))!;
    await expect(agent.call(refused, inputFor(refused, own, own.project.id))).rejects.toThrow('not found');
  });

  // red when: toolsFor ignores the toolsets
  it('that write exist only when the client names their toolset', async () => {
    const written = Object.entries({ read: 'read', write: 'write', danger: 'danger' });
    for (const [toolset] of written) {
      const agent = await connects(own.pat.token, toolset);
      const expected = ALL_TOOLS.filter((tool) => tool.toolset === toolset).map(({ name }) => name);
      expect(await names(agent)).toEqual([...expected].sort());
    }
    const unnamed = await connectAgent(app, own.pat.token);
    agents.push(unnamed);
    expect(await names(unnamed)).toEqual(
      ALL_TOOLS.filter(({ toolset }) => toolset === 'read')
        .map(({ name }) => name)
        .sort(),
    );
    await expect(unnamed.call('promote_build', inputFor('promote_build', own, own.project.id))).rejects.toThrow(
      'not found',
    );
  });

  // red when: the API answers requests of the server without the token
  it.each(Object.keys(TABLE))('%s shows and changes nothing of another tenant', async (name) => {
    const before = await digestOfTenant();
    const tokens = [own.pat.token, own.projectToken.token];
    for (const token of tokens) {
      const agent = await connects(token);
      if (!(await names(agent)).includes(name)) continue;
      for (const projectId of [other.project.id, own.project.id]) {
        const input = inputFor(name, other, projectId);
        const hasForeignId = Object.keys(input).some(
          (field) => /_ids?$/.test(field) && (field !== 'project_id' || projectId === other.project.id),
        );
        if (['add_testers', 'upload_build'].includes(name) && projectId === own.project.id) continue;
        const result = await agent.call(name, input);
        expect(JSON.stringify(result)).not.toContain(otherMark);
        // A filter that matches nothing is no error.
        const filters = ['list_builds', 'list_testers'].includes(name) && projectId === own.project.id;
        if (hasForeignId && !filters) expect(['permission_denied', 'not_found']).toContain(errorOf(result));
      }
    }
    expect(await digestOfTenant()).toEqual(before);
  });

  /** What a tool could change of the other tenant. */
  const digestOfTenant = async (): Promise<unknown> => {
    const [builds, releases, testers, uploads] = await Promise.all(
      ['/builds?', `/releases?channel_id=${other.channel.id}&`, '/testers?', '/builds/uploads?'].map(async (path) => {
        const { body } = await other.admin.get(`${path}${scope(other.project)}`).expect(200);
        // The mail about the tenant's own release may change the state of its tester.
        const { items } = body as { items: { id: string; notes?: string | null }[] };
        return items.map(({ id, notes }) => ({ id, notes }));
      }),
    );
    return { builds, releases, testers, uploads };
  };

  it('are marked as what they do', async () => {
    const agent = await connects(own.pat.token);
    for (const { name, annotations } of await agent.tools()) {
      const { toolset } = ALL_TOOLS.find((tool) => tool.name === name)!;
      expect(annotations).toMatchObject({
        readOnlyHint: toolset === 'read',
        destructiveHint: toolset === 'danger',
        openWorldHint: false,
      });
    }
  });
});
