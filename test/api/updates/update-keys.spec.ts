import { randomUUID } from 'node:crypto';
import {
  Bearer,
  type ChannelJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  scope,
} from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';

interface KeyJson {
  readonly id: string;
  readonly key: string;
  readonly url: string;
}

describe('an update key', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let channel: ChannelJson;
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await verifiedDeveloper(app);
    organization = await ann.createsOrganization();
  });
  beforeEach(async () => {
    project = await ann.createsProject(organization);
    await ann.changesPlan(organization, 'business');
    channel = await ann.createsChannel(project);
  });
  afterAll(() => app.stop());

  const keys = (id = '', more = ''): string => `/update-keys${id && `/${id}`}?${scope(project)}${more}`;
  const ofChannel = (): string => keys('', `&channel_id=${channel.id}`);
  const creates = async (path = ofChannel(), platform = 'ios'): Promise<KeyJson> =>
    (await ann.post(path, { platform }).expect(201)).body as KeyJson;

  it('of a channel and platform can be created, read, listed, rotated and revoked', async () => {
    const made = await creates();
    const key = expect.stringMatching(/^ag_upd_[0-9A-Za-z]{49}$/) as string;
    expect(made).toEqual({
      id: made.id,
      organization_id: organization.id,
      project_id: project.id,
      channel_id: channel.id,
      platform: 'ios',
      key,
      url: `http://localhost:3000/updates/${made.key}`,
      created_at: expect.stringMatching(/Z$/) as string,
      rotated_at: null,
      last_used_at: null,
    });
    expect((await ann.get(keys(made.id)).expect(200)).body).toEqual(made);
    const ofProject = await creates(keys());
    expect(ofProject).toMatchObject({ channel_id: null });
    expect((await ann.get(keys()).expect(200)).body).toEqual({ items: [ofProject, made], next_cursor: null });
    expect((await ann.get(ofChannel()).expect(200)).body).toEqual({ items: [made], next_cursor: null });
    const rotated = (await ann.post(keys(`${made.id}/rotate`)).expect(200)).body as KeyJson;
    expect(rotated).toMatchObject({ id: made.id, key, rotated_at: expect.stringMatching(/Z$/) as string });
    expect(rotated.key).not.toBe(made.key);
    expect((await ann.get(keys(made.id)).expect(200)).body).toEqual(rotated);
    await ann.delete(keys(made.id)).expect(204);
    await ann.get(keys(made.id)).expect(404);
    await ann.post(keys(`${made.id}/rotate`)).expect(404);
    await ann.delete(keys(made.id)).expect(404);
    const events = await app.sql(
      `SELECT type, payload FROM audit_event WHERE type LIKE 'update_key.%' AND payload->>'update_key_id' = $1 ORDER BY id`,
      [made.id],
    );
    const payload = { update_key_id: made.id, channel_id: channel.id, platform: 'ios' };
    expect(events).toEqual(['created', 'rotated', 'revoked'].map((verb) => ({ type: `update_key.${verb}`, payload })));
  });

  // red when: one of the two partial indexes is missing
  it('exists once for each channel and platform, and once for the project and platform', async () => {
    for (const path of [ofChannel(), keys()]) {
      await creates(path);
      await creates(path, 'android');
      expect((await ann.post(path, { platform: 'ios' }).expect(409)).body).toMatchObject({ error: 'already_exists' });
    }
  });

  it('needs a channel of the project, and a platform', async () => {
    const elsewhere = await ann.createsChannel(await ann.createsProject(organization));
    const foreign = (id: string) => ann.post(keys('', `&channel_id=${id}`), { platform: 'ios' });
    await foreign(elsewhere.id).expect(404);
    await foreign(randomUUID()).expect(404);
    await foreign('beta').expect(400);
    await ann.post(keys(), {}).expect(400);
    await ann.post(keys(), { platform: 'amiga' }).expect(400);
    expect((await ann.get(keys()).expect(200)).body).toEqual({ items: [], next_cursor: null });
  });

  it('of a project needs no plan with channels', async () => {
    await ann.delete(`/channels/${channel.id}?${scope(project)}`).expect(204);
    const team = await ann.createsOrganization();
    const other = await ann.createsProject(team);
    await creates(`/update-keys?${scope(other)}`, 'android');
  });

  it('is deleted with its channel', async () => {
    const made = await creates();
    await ann.delete(`/channels/${channel.id}?${scope(project)}`).expect(204);
    await ann.get(keys(made.id)).expect(404);
  });

  it('is stored only encrypted and as a digest', async () => {
    const made = await creates();
    const rows = await app.sql<{ row: string }>(`SELECT k::text AS row FROM update_key k WHERE id = $1`, [made.id]);
    const stored = rows.map(({ row }) => row).join('');
    expect(stored).not.toContain(made.key);
    expect(stored).not.toContain(Buffer.from(made.key).toString('hex'));
  });

  // red when: the mapper does not call maySeeInstallLinks
  it('shows its value only to callers who may download', async () => {
    const made = await creates();
    const viewer = app.ci(await ann.createsToken(project, 'VIEW_PROJECT'));
    expect((await viewer.get(keys(made.id)).expect(200)).body).toEqual({ ...made, key: null, url: null });
    const downloader = app.ci(await ann.createsToken(project, 'DOWNLOAD_BUILD'));
    expect((await downloader.get(keys(made.id)).expect(200)).body).toEqual(made);
    const path = `/pats?organization_id=${organization.id}`;
    const { body } = await ann.post(path, { name: 'reads', scopes: ['channels:read'] }).expect(201);
    const pat = new Bearer(app.url, (body as { token: string }).token);
    expect((await pat.get(keys()).expect(200)).body).toMatchObject({ items: [{ key: null, url: null }] });
  });

  // red when: rotate is not idempotent
  it('gets one new value from a rotation that is retried', async () => {
    const made = await creates();
    const rotate = (key: string) => ann.post(keys(`${made.id}/rotate`)).set('Idempotency-Key', key);
    const retried = randomUUID();
    const once = (await rotate(retried).expect(200)).body as KeyJson;
    expect((await rotate(retried).expect(200)).body).toEqual(once);
    expect((await ann.get(keys(made.id)).expect(200)).body).toEqual(once);
  });
});
