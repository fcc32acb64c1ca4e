import { randomUUID } from 'node:crypto';
import { type ChannelJson, type Developer, randomEmail, scope } from '../../support/actors/actors';
import { createTenant, type Tenant } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

interface ChangedJson {
  readonly subscribed: number;
  readonly unsubscribed: number;
  readonly subscribers: number;
  readonly testers: { readonly id: string; readonly outcome: string }[];
}

describe('the subscribers of a channel', () => {
  let app: TestApp;
  let tenant: Tenant;
  let ann: Developer;
  let query: string;
  let channel: ChannelJson;
  let testers: string[];

  beforeAll(async () => {
    app = await TestApp.start();
    tenant = await createTenant(app);
    ann = tenant.admin;
    query = scope(tenant.project);
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    channel = await ann.createsChannel(tenant.project, randomUUID());
    const { body } = await ann
      .post(`/testers/batch?${query}`, { testers: [1, 2, 3].map(() => ({ email: randomEmail() })) })
      .expect(200);
    testers = (body as { testers: { id: string }[] }).testers.map(({ id }) => id);
  });

  const puts = (body: object, by: Pick<Developer, 'request'> = ann) =>
    by.request('put', `/channels/${channel.id}/subscribers?${query}`).send(body);
  const changes = async (body: object): Promise<ChangedJson> => (await puts(body).expect(200)).body as ChangedJson;
  const subscribers = async (): Promise<string[]> =>
    (
      (await ann.get(`/testers?${query}&channel_id=${channel.id}`).expect(200)).body as { items: { id: string }[] }
    ).items
      .map(({ id }) => id)
      .sort();

  it('are changed by lists of testers to add and to remove', async () => {
    const [a, b, c] = testers as [string, string, string];
    expect(await changes({ add: [a, b] })).toEqual({
      subscribed: 2,
      unsubscribed: 0,
      subscribers: 2,
      testers: [
        { id: a, outcome: 'subscribed' },
        { id: b, outcome: 'subscribed' },
      ],
    });
    const unknown = randomUUID();
    const other = (await createTenant(app)).testerId;
    expect(await changes({ add: [b, c.toUpperCase(), unknown, other], remove: [a] })).toEqual({
      subscribed: 1,
      unsubscribed: 1,
      subscribers: 2,
      testers: [
        { id: b, outcome: 'unchanged' },
        { id: c, outcome: 'subscribed' },
        { id: unknown, outcome: 'not_found' },
        { id: other, outcome: 'not_found' },
        { id: a, outcome: 'unsubscribed' },
      ],
    });
    expect(await subscribers()).toEqual([b, c].sort());
  });

  // red when: subscribers who are not in the set stay
  it('are replaced by a whole set, which may be empty', async () => {
    const [a, b, c] = testers as [string, string, string];
    await changes({ tester_ids: [a, b] });
    expect(await changes({ tester_ids: [b, c] })).toMatchObject({ subscribed: 1, unsubscribed: 1, subscribers: 2 });
    expect(await subscribers()).toEqual([b, c].sort());
    expect(await changes({ tester_ids: [b, c] })).toMatchObject({
      subscribed: 0,
      unsubscribed: 0,
      testers: [{ outcome: 'unchanged' }, { outcome: 'unchanged' }],
    });
    expect(await changes({ tester_ids: [] })).toMatchObject({ unsubscribed: 2, subscribers: 0, testers: [] });
  });

  // red when: a statement has a parameter for each subscriber
  it('are replaced also when they are more than a statement has parameters', async () => {
    const [a] = testers as [string];
    const { id, organizationId } = tenant.project;
    await app.sql(
      `WITH added AS (
         INSERT INTO tester (id, organization_id, project_id, email, email_key, platforms, created_at)
         SELECT gen_random_uuid(), $1, $2, address, address, '{}', now()
         FROM (SELECT $4 || n || '@example.com' AS address FROM generate_series(1, 65536) n) numbered RETURNING id)
       INSERT INTO subscription (organization_id, project_id, channel_id, tester_id, created_at)
       SELECT $1, $2, $3, id, now() FROM added`,
      [organizationId, id, channel.id, channel.id],
    );
    expect(await changes({ tester_ids: [a] })).toEqual({
      subscribed: 1,
      unsubscribed: 65536,
      subscribers: 1,
      testers: [{ id: a, outcome: 'subscribed' }],
    });
  });

  // red when: suppressions are not read
  it('do not include testers who unsubscribed through a link', async () => {
    const [a, b] = testers as [string, string];
    await changes({ add: [a, b] });
    const { email } = (await ann.get(`/testers/${a}?${query}`).expect(200)).body as { email: string };
    await ann.post(`/testers/${a}/invite?${query}&channel_id=${channel.id}`).expect(204);
    const link = (await app.mailbox.link(email)).pathname;
    await app.anonymous.post(`${link}/unsubscribe`).set('Accept', 'application/json').expect(204);
    for (const body of [{ add: [a] }, { tester_ids: [a, b] }])
      expect((await changes(body)).testers[0]).toEqual({ id: a, outcome: 'suppressed' });
    expect(await subscribers()).toEqual([b]);
    // A member may end a subscription without a suppression, and begin it again.
    await changes({ remove: [a, b] });
    expect(await changes({ add: [b] })).toMatchObject({ subscribed: 1 });
  });

  it('are not changed by requests that contradict themselves or are too long', async () => {
    const [a, b] = testers as [string, string];
    for (const body of [
      { add: [a], remove: [a] },
      { tester_ids: [a], add: [b] },
      { tester_ids: [], remove: [] },
    ])
      expect((await puts(body).expect(400)).body).toMatchObject({
        error: 'invalid_input',
        details: { reason: 'contradictory_change' },
      });
    const many = Array.from({ length: 1001 }, () => randomUUID());
    for (const body of [{ add: many }, { tester_ids: many }, { add: [a, a] }, { remove: 'x' }, { add: ['x'] }])
      expect((await puts(body).expect(400)).body).toMatchObject({ error: 'validation_error' });
    expect(await changes({ add: many.slice(1), remove: many.slice(1).map(() => randomUUID()) })).toMatchObject({
      subscribed: 0,
      subscribers: 0,
    });
    expect(await subscribers()).toEqual([]);
  });

  it('are recorded as one event, and none when nothing changed', async () => {
    await changes({ add: testers });
    await changes({ add: testers });
    const events = await app.sql(
      `SELECT payload FROM audit_event WHERE type = 'channel.subscribers_changed' AND payload->>'channel_id' = $1`,
      [channel.id],
    );
    expect(events).toMatchObject([{ payload: { channel_id: channel.id, subscribed: 3, unsubscribed: 0 } }]);
  });

  it('need MANAGE_TESTERS and a channel of the project', async () => {
    const uploader = app.ci(await ann.createsToken(tenant.project, 'UPLOAD_BUILD'));
    await puts({ add: testers }, uploader as never).expect(403);
    const { id } = (await createTenant(app)).channel;
    await ann.request('put', `/channels/${id}/subscribers?${query}`).send({ add: testers }).expect(404);
  });
});
