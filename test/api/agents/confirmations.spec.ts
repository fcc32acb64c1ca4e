import { type BuildJson, randomEmail, scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { type Agent, connectAgent, connectOldAgent, type ToolResult } from '../../support/agents/agent-clients';
import { TestApp } from '../../support/app/test-app';
import { apk } from '../../support/artifacts/valid-artifacts';

const EVERY_TOOLSET = 'read,write,danger';
const TESTERS = 100;

describe('the confirmation of a call', () => {
  let app: TestApp;
  let tenant: Tenant;
  let agent: Agent;
  let build: BuildJson;
  let channelId: string;
  const agents: Agent[] = [];
  const addresses = new Set(Array.from({ length: TESTERS }, () => randomEmail()));
  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app);
    build = await uploads();
    channelId = (await tenant.admin.createsChannel(tenant.project)).id;
    const testers = [...addresses].map((email) => ({ email }));
    await tenant.admin.post(`/testers/batch?${scope(tenant.project)}&channel_id=${channelId}`, { testers }).expect(200);
    // A client that cannot ask the person itself.
    agent = await connects(tenant.pat.token);
  });
  afterAll(async () => {
    await Promise.all(agents.map((each) => each.close()));
    await app?.stop();
  });

  const connects = async (token: string): Promise<Agent> => {
    const connected = await connectAgent(app, token, { toolsets: EVERY_TOOLSET });
    agents.push(connected);
    return connected;
  };
  const uploads = (): Promise<BuildJson> => tenant.admin.uploads(tenant.project, { bytes: apk(), fileName: 'a.apk' });
  /** A promotion of a new build, which is current nowhere. */
  const promotion = async (): Promise<Record<string, unknown>> => ({
    project_id: tenant.project.id,
    channel_id: channelId,
    build_id: (await uploads()).id,
    notify: true,
  });
  const mailedTesters = async (): Promise<number> =>
    (await app.mailbox.all()).filter(({ to }) => to?.some(({ address }) => addresses.has(address ?? ''))).length;
  const confirmationOf = ({ structuredContent }: ToolResult): string => structuredContent['confirmation'] as string;
  const errorOf = ({ structuredContent: { error, details } }: ToolResult): unknown => [
    error,
    (details as { reason?: string } | undefined)?.reason,
  ];
  const releases = async (): Promise<{ notify: boolean }[]> => {
    const { body } = await tenant.admin.get(`/releases?${scope(tenant.project)}&channel_id=${channelId}`).expect(200);
    return (body as { items: { notify: boolean }[] }).items;
  };

  // red when: a promotion that mails runs without a confirmation
  it('is demanded before a promotion mails its testers', async () => {
    const input = await promotion();
    const first = await agent.call('promote_build', input);
    expect(first.structuredContent).toMatchObject({ done: false, would: { mails: TESTERS, subscribers: TESTERS } });
    await app.mailsReleases();
    expect([(await releases()).length, await mailedTesters()]).toEqual([0, 0]);
    const confirmation = confirmationOf(first);
    const second = await agent.call('promote_build', { ...input, confirmation });
    expect(second.structuredContent).toMatchObject({ release: { channel_id: channelId, notify: true } });
    expect(await releases()).toHaveLength(1);
    // red when: the key of the change does not depend on the confirmation
    const third = await agent.call('promote_build', { ...input, confirmation });
    expect(errorOf(third)).toEqual(['operation_not_allowed', 'confirmation_used']);
    expect(await releases()).toHaveLength(1);
    await app.mailsReleases();
    expect(await mailedTesters()).toBe(TESTERS);
  });

  it('has one effect when it is used twice at the same time', async () => {
    const before = await releases();
    const input = await promotion();
    const confirmation = confirmationOf(await agent.call('promote_build', input));
    const results = await Promise.all(
      Array.from({ length: 5 }, () => agent.call('promote_build', { ...input, confirmation })),
    );
    expect(results.filter(({ isError }) => !isError)).toHaveLength(1);
    expect(await releases()).toHaveLength(before.length + 1);
  });

  // red when: digestOf omits the arguments, or the token
  it('is valid for the same arguments and the same token only', async () => {
    const input = await promotion();
    const confirmation = confirmationOf(await agent.call('promote_build', input));
    const changed = [
      { notes: 'Other notes' },
      { mandatory: true },
      { build_id: tenant.build.id },
      { channel_id: tenant.channel.id },
      { notify: false },
    ];
    for (const change of changed) {
      const result = await agent.call('promote_build', { ...input, ...change, confirmation });
      expect([change, errorOf(result)]).toEqual([change, ['operation_not_allowed', 'confirmation_mismatch']]);
    }
    const other = await connects(tenant.projectToken.token);
    const elsewhere = await other.call('promote_build', { ...input, confirmation });
    expect(errorOf(elsewhere)).toEqual(['operation_not_allowed', 'confirmation_mismatch']);
    const deletion = await agent.call('delete_builds', {
      project_id: tenant.project.id,
      build_ids: [build.id],
      confirmation,
    });
    expect(errorOf(deletion)).toEqual(['operation_not_allowed', 'confirmation_mismatch']);
  });

  it.each(['', 'x', 'AAAA', 'a'.repeat(2000)])('is rejected when it is %j', async (confirmation) => {
    const result = await agent.call('promote_build', { ...(await promotion()), confirmation });
    expect(errorOf(result)).toEqual(['operation_not_allowed', 'confirmation_invalid']);
  });

  it('of a project token works for that token', async () => {
    const other = await connects(tenant.projectToken.token);
    const { project_id: _project, ...input } = await promotion();
    const confirmation = confirmationOf(await other.call('promote_build', input));
    expect((await other.call('promote_build', { ...input, confirmation })).isError).toBeUndefined();
  });

  it('is not needed for a promotion that mails nobody', async () => {
    const { notify: _notify, ...silent } = await promotion();
    const result = await agent.call('promote_build', silent);
    expect(result.structuredContent).toMatchObject({ release: { notify: false } });
  });

  it.each([
    ['delete_builds', () => ({ build_ids: [tenant.build.id] })],
    ['withdraw_release', () => ({ channel_id: tenant.channel.id, release_id: tenant.release.id })],
    ['remove_testers', () => ({ tester_ids: [tenant.testerId] })],
  ] as const)('is demanded by %s, which old clients give, too', async (name, inputOf) => {
    const old = await connectOldAgent(app, tenant.pat.token, { toolsets: EVERY_TOOLSET });
    agents.push(old);
    const input = { project_id: tenant.project.id, ...inputOf() };
    const first = await old.call(name, input);
    expect(first.structuredContent).toMatchObject({ done: false });
    const second = await old.call(name, { ...input, confirmation: confirmationOf(first) });
    expect(second.isError).toBeUndefined();
    const third = await old.call(name, { ...input, confirmation: confirmationOf(first) });
    expect(errorOf(third)).toEqual(['operation_not_allowed', 'confirmation_used']);
  });

  it('is asked of the person by a client that can ask', async () => {
    const questions: string[] = [];
    const asking = await connectAgent(app, tenant.pat.token, {
      toolsets: EVERY_TOOLSET,
      revision: '2026-07-28',
      person: (message) => {
        questions.push(message);
        return { action: 'accept', content: { agree: true } };
      },
    });
    agents.push(asking);
    const before = await releases();
    const result = await asking.call('promote_build', await promotion());
    expect(result.structuredContent).toMatchObject({ release: { notify: true } });
    expect(questions).toHaveLength(1);
    expect(questions[0]).toContain(`"mails":${TESTERS}`);
    expect(await releases()).toHaveLength(before.length + 1);
  });

  it.each([{ action: 'decline' }, { action: 'accept', content: { agree: false } }] as const)(
    'stops the call when the person answers %j',
    async (answer) => {
      const asking = await connectAgent(app, tenant.pat.token, {
        toolsets: EVERY_TOOLSET,
        revision: '2026-07-28',
        person: () => answer,
      });
      agents.push(asking);
      const before = await releases();
      expect(errorOf(await asking.call('promote_build', await promotion()))).toEqual([
        'operation_not_allowed',
        'confirmation_declined',
      ]);
      expect(await releases()).toHaveLength(before.length);
    },
  );

  it('is recorded as an act of an agent', async () => {
    const { body } = await tenant.admin
      .get(`/audit/organization/${tenant.organization.id}?type=release.promoted`)
      .expect(200);
    const [event] = (body as { events: { payload: Record<string, unknown> }[] }).events;
    expect(event!.payload).toMatchObject({ client: { kind: 'mcp', name: 'test-agent' } });
  });

  // The clock moves: last.
  it('expires after five minutes', async () => {
    const input = await promotion();
    const confirmation = confirmationOf(await agent.call('promote_build', input));
    await app.clock.advance({ minutes: 6 });
    const result = await agent.call('promote_build', { ...input, confirmation });
    expect(errorOf(result)).toEqual(['operation_not_allowed', 'confirmation_expired']);
  });
});
