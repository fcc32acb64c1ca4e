import { randomUUID } from 'node:crypto';
import {
  type ChannelJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

const QUOTA = 4;

describe('a channel', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { QUOTA_CHANNELS_PER_PROJECT: String(QUOTA) } });
    ann = await verifiedDeveloper(app);
  });
  beforeEach(async () => {
    organization = await ann.createsOrganization();
    project = await ann.createsProject(organization);
    await ann.changesPlan(organization, 'business');
  });
  afterAll(() => app.stop());

  const channels = (id = ''): string => `/channels${id && `/${id}`}?${scope(project)}`;

  it('can be created, read, renamed and deleted', async () => {
    const made = (await ann.post(channels(), { name: 'Beta' }).expect(201)).body as { id: string };
    expect(made).toEqual({
      id: made.id,
      organization_id: organization.id,
      project_id: project.id,
      name: 'Beta',
      install_url: expect.stringMatching(/^http:\/\/localhost:3000\/install\/[\w-]{22,}$/) as string,
      qr_url: expect.stringMatching(/^http:\/\/localhost:3000\/install\/[\w-]{22,}\/qr\.svg$/) as string,
      created_at: expect.stringMatching(/Z$/) as string,
      current: [],
      subscribers: 0,
    });
    expect((await ann.get(channels(made.id)).expect(200)).body).toEqual(made);
    const renamed = (await ann.patch(channels(made.id), { name: 'Production' }).expect(200)).body as object;
    expect(renamed).toEqual({ ...made, name: 'Production' });
    expect((await ann.patch(channels(made.id), {}).expect(200)).body).toEqual(renamed);
    expect((await ann.get(channels()).expect(200)).body).toEqual({ items: [renamed], next_cursor: null });
    await ann.delete(channels(made.id)).expect(204);
    await ann.get(channels(made.id)).expect(404);
    await ann.delete(channels(made.id)).expect(404);
    await ann.patch(channels(made.id), { name: 'Gone' }).expect(404);
  });

  // red when: fk_invite_channel has no ON DELETE CASCADE, or the link is not looked up by digest
  it('has its own install link, which is deleted with it', async () => {
    const beta = await ann.createsChannel(project);
    const alpha = await ann.createsChannel(project);
    expect(beta.install_url).not.toBe(alpha.install_url);
    expect(await app.sql('SELECT FROM invite WHERE channel_id = $1', [beta.id])).toHaveLength(1);
    await ann.delete(channels(beta.id)).expect(204);
    expect(await app.sql('SELECT FROM invite WHERE channel_id = $1', [beta.id])).toEqual([]);
    await app.anonymous.get(new URL(beta.install_url).pathname).expect(404);
  });

  it('gets a new install link by rotation, and the old link stops working', async () => {
    const beta = await ann.createsChannel(project);
    const rotate = (id = beta.id) => ann.post(`/channels/${id}/rotate-link?${scope(project)}`);
    const open = (url: string) => app.anonymous.get(new URL(url).pathname);
    const rotated = (await rotate().expect(200)).body as ChannelJson;
    expect(rotated).toEqual({
      ...beta,
      install_url: expect.not.stringMatching(beta.install_url) as string,
      qr_url: `${rotated.install_url}/qr.svg`,
    });
    expect((await ann.get(channels(beta.id)).expect(200)).body).toEqual(rotated);
    await open(beta.install_url).expect(404);
    await open(rotated.install_url).expect(200);
    const events = await app.sql(
      `SELECT payload FROM audit_event WHERE type = 'channel.link_rotated' AND project_id = $1`,
      [project.id],
    );
    expect(events).toEqual([{ payload: { channel_id: beta.id } }]);
    const elsewhere = await ann.createsProject(organization);
    await ann.post(`/channels/${beta.id}/rotate-link?${scope(elsewhere)}`).expect(404);
    await rotate(organization.id).expect(404);
  });

  // red when: rotateLink does not lock the channel, or is not idempotent
  it('keeps exactly one install link when concurrent requests rotate it, and repeats the response of a retry', async () => {
    const beta = await ann.createsChannel(project);
    const rotate = (key: string) =>
      ann.post(`/channels/${beta.id}/rotate-link?${scope(project)}`).set('Idempotency-Key', key);
    const responses = await Promise.all(Array.from({ length: 8 }, () => rotate(randomUUID())));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(new Set(responses.map(({ body }) => (body as ChannelJson).install_url)).size).toBe(8);
    expect(await app.sql('SELECT FROM invite WHERE channel_id = $1', [beta.id])).toHaveLength(1);
    const key = randomUUID();
    const once = (await rotate(key).expect(200)).body as ChannelJson;
    expect((await rotate(key).expect(200)).body).toEqual(once);
    expect((await ann.get(channels(beta.id)).expect(200)).body).toEqual(once);
  });

  // red when: create does not call requirePlan
  it('cannot be created below the business plan', async () => {
    await ann.changesPlan(organization, 'team');
    const { body } = await ann.post(channels(), { name: 'Beta' }).expect(400);
    expect(body).toMatchObject({ error: 'operation_not_allowed', details: { required_plan: 'business' } });
    expect((await ann.get(channels()).expect(200)).body).toEqual({ items: [], next_cursor: null });
  });

  // red when: the module does not register for plan changes
  it('keeps its organization from leaving the business plan', async () => {
    const beta = await ann.createsChannel(project);
    const path = `/organizations/${organization.id}/plan`;
    expect((await ann.post(path, { plan: 'team' }).expect(409)).body).toMatchObject({ error: 'dependency_exists' });
    await ann.delete(channels(beta.id)).expect(204);
    await ann.post(path, { plan: 'team' }).expect(200);
  });

  it('has a name that is unique within the project', async () => {
    const beta = await ann.createsChannel(project, 'Beta');
    const alpha = await ann.createsChannel(project, 'Alpha');
    expect((await ann.post(channels(), { name: ' Beta ' }).expect(409)).body).toMatchObject({
      error: 'already_exists',
    });
    await ann.patch(channels(alpha.id), { name: 'Beta' }).expect(409);
    await ann.patch(channels(beta.id), { name: 'Beta' }).expect(200);
    await ann.createsChannel(await ann.createsProject(organization), 'Beta');
  });

  it.each([{}, { name: '' }, { name: ' ' }, { name: 'x'.repeat(101) }, { name: 7 }, { name: 'Beta', color: 'red' }])(
    'cannot be created with the body %j',
    async (body) => {
      expect((await ann.post(channels(), body).expect(400)).body).toMatchObject({ error: 'validation_error' });
    },
  );

  // red when: lockAndCount counts without its lock
  it('cannot be created beyond the quota by concurrent requests', async () => {
    const responses = await Promise.all(
      Array.from({ length: QUOTA * 3 }, (_, index) => ann.post(channels(), { name: `Channel ${index}` })),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(QUOTA);
    const rejected = responses.find(({ status }) => status !== 201);
    expect(rejected?.body).toMatchObject({
      error: 'quota_exceeded',
      details: { quota: 'channels_per_project', limit: QUOTA },
    });
    expect(await app.sql('SELECT FROM channel WHERE project_id = $1', [project.id])).toHaveLength(QUOTA);
  });

  it('is listed page by page, newest first', async () => {
    const names = ['One', 'Two', 'Three'];
    for (const name of names) await ann.createsChannel(project, name);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await ann.get(`${channels()}&limit=2&cursor=${cursor}`).expect(200);
      const page = body as { items: { name: string }[]; next_cursor: string | null };
      seen.push(...page.items.map(({ name }) => name));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual([...names].reverse());
  });

  it('is found by its exact name', async () => {
    for (const name of ['Beta', 'Beta 2']) await ann.createsChannel(project, name);
    const named = async (name: string): Promise<string[]> => {
      const { body } = await ann.get(`${channels()}&name=${encodeURIComponent(name)}`).expect(200);
      return (body as { items: { name: string }[] }).items.map((channel) => channel.name);
    };
    expect(await named('Beta 2')).toEqual(['Beta 2']);
    expect(await named('Beta')).toEqual(['Beta']);
    expect(await named('beta')).toEqual([]);
    expect(await named('B%')).toEqual([]);
    await ann.get(`${channels()}&name=`).expect(400);
  });

  it('is created once when the request is repeated with its idempotency key', async () => {
    const key = '5b0c7d2e-58a4-4d4c-9a7e-2f0f0a6f1c11';
    const once = await ann.post(channels(), { name: 'Beta' }).set('Idempotency-Key', key).expect(201);
    const again = await ann.post(channels(), { name: 'Beta' }).set('Idempotency-Key', key).expect(201);
    expect(again.body).toEqual(once.body);
  });

  it('keeps its project from being deleted, and is recorded in the audit feed', async () => {
    const beta = await ann.createsChannel(project, 'Beta');
    const path = `/projects/${project.id}?organization_id=${organization.id}`;
    expect((await ann.delete(path).expect(409)).body).toMatchObject({ error: 'dependency_exists' });
    await ann.patch(channels(beta.id), { name: 'Alpha' }).expect(200);
    await ann.delete(channels(beta.id)).expect(204);
    await ann.delete(path).expect(204);
    const events = await app.sql(
      `SELECT type, payload FROM audit_event WHERE project_id = $1 AND type LIKE 'channel.%' ORDER BY id`,
      [project.id],
    );
    expect(events).toEqual([
      { type: 'channel.created', payload: { channel_id: beta.id, name: 'Beta' } },
      { type: 'channel.updated', payload: { channel_id: beta.id, name: 'Alpha' } },
      { type: 'channel.deleted', payload: { channel_id: beta.id, name: 'Alpha' } },
    ]);
  });
});
