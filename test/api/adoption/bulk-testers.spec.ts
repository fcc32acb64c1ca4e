import { randomUUID } from 'node:crypto';
import { type Developer, randomEmail, scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

interface TesterJson {
  readonly id: string;
  readonly email: string;
}

describe('acts on many testers', () => {
  let app: TestApp;
  let tenant: Tenant;
  let ann: Developer;
  let query: string;

  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app);
    ann = tenant.admin;
    query = scope(tenant.project);
  });
  afterAll(() => app.stop());

  const adds = async (count: number): Promise<TesterJson[]> => {
    const added: TesterJson[] = [];
    for (let n = 0; n < count; n++)
      added.push((await ann.post(`/testers?${query}`, { email: randomEmail() }).expect(201)).body as TesterJson);
    return added;
  };
  const act = (body: object) => ann.post(`/testers/bulk?${query}`, body);
  const acts = async (
    action: string,
    testers: readonly (TesterJson | string)[],
    more: object = {},
  ): Promise<unknown> => {
    const ids = testers.map((tester) => (typeof tester === 'string' ? tester : tester.id));
    return (await act({ action, tester_ids: ids, ...more }).expect(200)).body;
  };
  const events = async (type: string, testers: readonly TesterJson[]): Promise<number> => {
    const ids = testers.map(({ id }) => id);
    const sql = `SELECT FROM audit_event WHERE type = $1 AND payload->>'tester_id' = ANY ($2)`;
    return (await app.sql(sql, [type, ids])).length;
  };
  /** Makes a tester unsubscribe from the channel through a link. */
  const leaves = async ({ id, email }: TesterJson): Promise<void> => {
    await ann.post(`/testers/${id}/invite?${query}&channel_id=${tenant.channel.id}`).expect(204);
    const token = (await app.mailbox.link(email)).pathname.split('/').at(-1)!;
    await app.anonymous.post(`/install/${token}/unsubscribe`).set('Accept', 'application/json').expect(204);
  };

  // red when: one tester for whom it is not possible stops the others, or an event is missing
  it('subscribe and unsubscribe, with an event for each tester', async () => {
    const testers = await adds(4);
    const [gone, , other] = testers as [TesterJson, TesterJson, TesterJson, TesterJson];
    await leaves(gone);
    const unknown = randomUUID();
    const channel = { channel_id: tenant.channel.id };
    expect(await acts('subscribe', [...testers, unknown], channel)).toEqual({
      done: 3,
      skipped: [
        { tester_id: gone.id, reason: 'left' },
        { tester_id: unknown, reason: 'not_found' },
      ],
    });
    expect(await events('tester.subscribed', testers)).toBe(3);
    await acts('unsubscribe', [other], channel);
    expect(await acts('unsubscribe', testers, channel)).toEqual({
      done: 2,
      skipped: [
        { tester_id: gone.id, reason: 'unchanged' },
        { tester_id: other.id, reason: 'unchanged' },
      ],
    });
    expect(await events('tester.unsubscribed', testers)).toBe(4);
  });

  it('invite, by the limits of invitations', async () => {
    const testers = await adds(3);
    const [gone, lazy, tess] = testers as [TesterJson, TesterJson, TesterJson];
    await leaves(gone);
    await app.sql('UPDATE tester SET unopened_mails = 3 WHERE id = $1', [lazy.id]);
    expect(await acts('invite', testers, { channel_id: tenant.channel.id })).toEqual({
      done: 1,
      skipped: [
        { tester_id: gone.id, reason: 'left' },
        { tester_id: lazy.id, reason: 'unopened' },
      ],
    });
    expect((await app.mailbox.link(tess.email)).pathname).toContain('/install/');
    expect(await acts('invite', [tess], { build_id: tenant.build.id })).toEqual({ done: 1, skipped: [] });
    await app.sql(
      `INSERT INTO invite (id, organization_id, project_id, tester_id, digest, created_at)
       SELECT gen_random_uuid(), $1, $2, $3, sha256(n::text::bytea), $4 FROM generate_series(1, 20) AS n`,
      [tenant.organization.id, tenant.project.id, tess.id, app.clock.now()],
    );
    expect(await acts('invite', [tess])).toEqual({
      done: 0,
      skipped: [{ tester_id: tess.id, reason: 'rate_limited' }],
    });
    expect(await events('tester.invited', testers)).toBe(3);
  });

  it('erase, and skip testers of other projects', async () => {
    const testers = await adds(2);
    const other = await createTenant(app);
    expect(await acts('erase', [...testers, other.testerId])).toEqual({
      done: 2,
      skipped: [{ tester_id: other.testerId, reason: 'not_found' }],
    });
    expect(await events('tester.erased', testers)).toBe(2);
    for (const { id } of testers) await ann.get(`/testers/${id}?${query}`).expect(404);
    await other.admin.get(`/testers/${other.testerId}?${scope(other.project)}`).expect(200);
  });

  // red when: two requests wait for each other's testers
  it('do not stop each other when they name testers in other orders', async () => {
    const testers = await adds(12);
    const channel = { channel_id: tenant.channel.id };
    const orders = [testers, [...testers].reverse(), testers, [...testers].reverse()];
    await Promise.all(
      orders.map((order, index) => acts(index % 2 === 0 ? 'subscribe' : 'unsubscribe', order, channel)),
    );
    await Promise.all(orders.map((order) => acts('erase', order)));
    expect(await events('tester.erased', testers)).toBe(12);
  });

  it('are rejected without their channel, with two targets, for unknown channels, and below MANAGE_TESTERS', async () => {
    const body = { action: 'subscribe', tester_ids: [tenant.testerId] };
    expect((await act(body).expect(400)).body).toMatchObject({ error: 'validation_error' });
    await act({ ...body, channel_id: randomUUID() }).expect(404);
    const both = { channel_id: tenant.channel.id, build_id: tenant.build.id };
    expect((await act({ ...body, action: 'invite', ...both }).expect(400)).body).toMatchObject({
      details: { reason: 'two_targets' },
    });
    await act({ ...body, action: 'promote' }).expect(400);
    await act({ action: 'erase', tester_ids: [] }).expect(400);
    const viewer = app.ci(await ann.createsToken(tenant.project, 'UPLOAD_BUILD'));
    await viewer.post(`/testers/bulk?${query}`, body).expect(403);
  });
});
