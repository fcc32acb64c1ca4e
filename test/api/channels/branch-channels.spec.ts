import { randomUUID } from 'node:crypto';
import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  randomEmail,
  scope,
} from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { apk } from '../../support/artifacts/valid-artifacts';

interface UploadedJson extends BuildJson {
  readonly release_id?: string;
  readonly branch_channel_problem?: string;
}
type Setting = { readonly pattern: string; readonly name: string; readonly days: number };

const SETTING: Setting = { pattern: 'feature/*', name: 'branch-{slug}', days: 14 };
const QUOTA = 4;
const DAY_MS = 86_400_000;

describe('a channel for each branch', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  beforeAll(async () => {
    app = await TestApp.start({
      environment: { QUOTA_CHANNELS_PER_PROJECT: String(QUOTA), MAX_ORGANIZATIONS_PER_DEVELOPER: '100' },
    });
    ann = await verifiedDeveloper(app);
  });
  beforeEach(async () => {
    organization = await ann.createsOrganization();
    project = await ann.createsProject(organization);
    await ann.changesPlan(organization, 'business');
    await sets(SETTING);
  });
  afterAll(() => app.stop());

  const path = (): string => `/projects/${project.id}?organization_id=${organization.id}`;
  const patch = (setting: object | null) => ann.patch(path(), { branch_channels: setting });
  const sets = async (setting: Setting | null): Promise<void> => void (await patch(setting).expect(200));
  let number = 0;
  const upload = (branch: string, fields: Readonly<Record<string, string>> = {}) =>
    ann.upload(project, { bytes: apk(), fileName: 'a.apk' }, { build_number: String(++number), branch, ...fields });
  const uploads = async (branch: string, fields?: Readonly<Record<string, string>>): Promise<UploadedJson> =>
    (await upload(branch, fields).expect(201)).body as UploadedJson;
  const channels = async (): Promise<ChannelJson[]> =>
    ((await ann.get(`/channels?${scope(project)}`).expect(200)).body as { items: ChannelJson[] }).items;
  const names = async (): Promise<string[]> => (await channels()).map(({ name }) => name).sort();
  const close = (branch: string) => ann.post(`/channels/close-branch?${scope(project)}`, { branch });
  const events = (type: string) =>
    app.sql<{ payload: Record<string, unknown> }>(
      `SELECT payload FROM audit_event WHERE project_id = $1 AND type = $2 ORDER BY id`,
      [project.id, type],
    );

  // red when: `use` finds no known channel, or the promotion mails
  it('is made by the first upload, used by the next one, and shows its newest build', async () => {
    const first = await uploads('feature/login');
    expect(first.release_id).toBeDefined();
    expect(await names()).toEqual(['branch-feature-login']);
    const second = await uploads('feature/login');
    expect(await names()).toEqual(['branch-feature-login']);
    const [channel] = (await channels()) as (ChannelJson & { current: { build_id: string }[] })[];
    expect(channel!.current).toMatchObject([{ build_id: second.id, sequence: 2 }]);
    await app.anonymous.get(new URL(channel!.install_url).pathname).expect(200);
    expect((await events('channel.created')).map(({ payload }) => payload)).toEqual([
      { channel_id: channel!.id, name: 'branch-feature-login', branch: 'feature/login' },
    ]);
    expect((await events('release.promoted')).map(({ payload }) => payload['notify'])).toEqual([false, false]);
  });

  it('is not made for other branches, without a branch, without the setting, and for an upload that names a channel', async () => {
    const beta = await ann.createsChannel(project, 'Beta');
    for (const branch of ['main', 'feature', 'feature/a/b', 'Feature/x'])
      expect(await uploads(branch)).not.toHaveProperty('release_id');
    expect(await uploads('feature/x', { channel_id: beta.id })).toHaveProperty('release_id');
    await sets(null);
    expect(await uploads('feature/x')).not.toHaveProperty('release_id');
    expect(await names()).toEqual(['Beta']);
    await sets({ ...SETTING, pattern: '**' });
    await ann.uploads(project, { bytes: apk(), fileName: 'a.apk' }, { build_number: '100000' });
    expect(await names()).toEqual(['Beta']);
  });

  // red when: the promotion of a branch requires MANAGE_RELEASES
  it('is made by a token that may only upload, and by a resumable upload', async () => {
    const ci = app.ci(await ann.createsToken(project, 'UPLOAD_BUILD'));
    await ci
      .upload(project, { bytes: apk(), fileName: 'a.apk' }, { build_number: '7', branch: 'feature/ci' })
      .expect(201);
    expect(await names()).toEqual(['branch-feature-ci']);
    const post = `/channels/close-branch?${scope(project)}`;
    expect((await ci.post(post, { branch: 'feature/ci' }).expect(403)).body).toMatchObject({
      error: 'insufficient_role',
      details: { required_role: 'MANAGE_RELEASES' },
    });
  });

  it('is one for simultaneous uploads of a branch', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => upload('feature/race')));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    expect(await names()).toEqual(['branch-feature-race']);
    expect(await events('channel.created')).toHaveLength(1);
    expect(await events('release.promoted')).toHaveLength(8);
  });

  // red when: the first name is used although another channel has it
  it('never takes the channel of another branch or of a person', async () => {
    await sets({ ...SETTING, pattern: '**' });
    const byHand = await ann.createsChannel(project, 'branch-b');
    const [dash, slash] = [await uploads('a-b'), await uploads('a/b')];
    await uploads('b');
    expect(await names()).toEqual([
      'branch-a-b',
      expect.stringMatching(/^branch-a-b-[0-9a-f]{7}$/),
      'branch-b',
      expect.stringMatching(/^branch-b-[0-9a-f]{7}$/),
    ]);
    expect(dash.release_id).not.toBe(slash.release_id);
    const { body } = await ann.get(`/channels/${byHand.id}?${scope(project)}`).expect(200);
    expect(body).toMatchObject({ current: [] });
  });

  it.each([
    `feature/${'a'.repeat(247)}`,
    "feature/'; DROP TABLE channel; --",
    'feature/$(reboot)',
    'feature/<script>alert(1)</script>',
    'feature/日本語',
    'feature/%00%2e%2e',
    'feature/{slug}$&',
    'feature/\u202egnp.exe',
  ])('has a harmless name for the branch %p', async (branch) => {
    await sets({ ...SETTING, pattern: 'feature/**' });
    expect(await uploads(branch)).toHaveProperty('release_id');
    const [name] = await names();
    expect(name).toMatch(/^branch-[a-z0-9-]{1,48}$/);
    expect((await close(branch).expect(200)).body).toMatchObject({ closed: true });
    expect(await names()).toEqual([]);
  });

  // red when: an upload fails because its branch gets no channel
  it('is not made beyond the quota, or below the business plan, and the upload succeeds', async () => {
    for (let index = 0; index < QUOTA; index += 1) await uploads(`feature/${index}`);
    const build = await uploads('feature/more');
    expect(build).toMatchObject({ branch_channel_problem: 'quota' });
    expect(build).not.toHaveProperty('release_id');
    // A channel that exists is used.
    expect(await uploads('feature/0')).toHaveProperty('release_id');
    for (let index = 0; index < QUOTA; index += 1) await close(`feature/${index}`).expect(200);
    await ann.changesPlan(organization, 'team');
    expect(await uploads('feature/more')).toMatchObject({ branch_channel_problem: 'plan' });
    expect(await names()).toEqual([]);
  });

  describe('when the branch is closed', () => {
    // red when: `beforeEnd` deletes no releases or no subscriptions
    it('ends with its releases, subscriptions and link; builds stay; again, and for another branch, nothing happens', async () => {
      const build = await uploads('feature/login');
      const [channel] = await channels();
      const { body: tester } = await ann.post(`/testers?${scope(project)}`, { email: randomEmail() }).expect(201);
      await ann
        .request('put', `/testers/${(tester as { id: string }).id}/subscriptions/${channel!.id}?${scope(project)}`)
        .expect(200);
      await ann.delete(`/channels/${channel!.id}?${scope(project)}`).expect(409);
      const key = randomUUID();
      const closed = { closed: true, channel_id: channel!.id };
      for (let time = 0; time < 2; time += 1)
        expect((await close('feature/login').set('Idempotency-Key', key).expect(200)).body).toEqual(closed);
      for (const branch of ['feature/login', 'feature/other'])
        expect((await close(branch).expect(200)).body).toEqual({ closed: false, channel_id: null });
      expect(await channels()).toEqual([]);
      await app.anonymous.get(new URL(channel!.install_url).pathname).expect(404);
      await ann.get(`/builds/${build.id}?${scope(project)}`).expect(200);
      expect((await events('channel.deleted')).map(({ payload }) => payload)).toEqual([
        {
          channel_id: channel!.id,
          name: 'branch-feature-login',
          branch: 'feature/login',
          reason: 'branch_closed',
        },
      ]);
      await uploads('feature/login');
      expect((await channels())[0]!.install_url).not.toBe(channel!.install_url);
    });

    it('does not end the channel of another project or one that a person made', async () => {
      await uploads('feature/x');
      const elsewhere = await ann.createsProject(organization);
      await ann.createsChannel(project, 'feature/y');
      const foreign = ann.post(`/channels/close-branch?${scope(elsewhere)}`, { branch: 'feature/x' });
      expect((await foreign.expect(200)).body).toMatchObject({ closed: false });
      expect((await close('feature/y').expect(200)).body).toMatchObject({ closed: false });
      expect(await names()).toEqual(['branch-feature-x', 'feature/y']);
      const eve = await verifiedDeveloper(app);
      await eve.post(`/channels/close-branch?${scope(project)}`, { branch: 'feature/x' }).expect(403);
    });

    it('survives uploads at the same moment: each build is in the channel of then or of now', async () => {
      await uploads('feature/race');
      const responses = await Promise.all([
        ...Array.from({ length: 6 }, () => upload('feature/race')),
        close('feature/race'),
        close('feature/race'),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201, 200, 200]);
      const rows = await app.sql('SELECT FROM branch_channel WHERE project_id = $1', [project.id]);
      expect(await channels()).toHaveLength(rows.length);
      expect(rows.length).toBeLessThan(2);
    });
  });

  describe('after the days of its setting', () => {
    const endsIn = (days: number) =>
      app.sql('UPDATE branch_channel SET ends_at = $2 WHERE project_id = $1', [
        project.id,
        new Date(app.clock.now().getTime() + days * DAY_MS),
      ]);

    it('ends if it had no upload', async () => {
      await uploads('feature/old');
      const [row] = await app.sql<{ ends_at: Date }>('SELECT ends_at FROM branch_channel WHERE project_id = $1', [
        project.id,
      ]);
      const days = (row!.ends_at.getTime() - app.clock.now().getTime()) / DAY_MS;
      expect(Math.round(days)).toBe(14);
      await app.runsJob('channels.end-branch-channels');
      expect(await names()).toEqual(['branch-feature-old']);
      await endsIn(-1);
      await uploads('feature/new');
      await app.runsJob('channels.end-branch-channels');
      expect(await names()).toEqual(['branch-feature-new']);
      expect((await events('channel.deleted')).map(({ payload }) => payload)).toMatchObject([
        { branch: 'feature/old', reason: 'branch_unused' },
      ]);
    });

    // red when: the job does not compare the number of the last release
    it('is kept for as many days more if a person promoted to it', async () => {
      await uploads('feature/kept');
      const [channel] = await channels();
      const build = await uploads('main');
      await ann.promotes(project, channel!, build);
      await endsIn(-1);
      await app.runsJob('channels.end-branch-channels');
      expect(await names()).toEqual(['branch-feature-kept']);
      await endsIn(-1);
      await app.runsJob('channels.end-branch-channels');
      expect(await names()).toEqual([]);
    });
  });

  it.each<[setting: object, field: string]>([
    [{ ...SETTING, name: 'branch' }, 'name'],
    [{ ...SETTING, name: '{slug}{slug}' }, 'name'],
    [{ ...SETTING, name: '{branch}' }, 'name'],
    [{ ...SETTING, name: `${'x'.repeat(50)}{slug}` }, 'name'],
    [{ ...SETTING, pattern: '' }, 'pattern'],
    [{ ...SETTING, pattern: 'x'.repeat(201) }, 'pattern'],
    [{ ...SETTING, days: 0 }, 'days'],
    [{ ...SETTING, days: 366 }, 'days'],
    [{ ...SETTING, days: 1.5 }, 'days'],
    [{ pattern: 'x', name: '{slug}' }, 'days'],
    [{ ...SETTING, more: 1 }, 'more'],
  ])('refuses the setting %j', async (setting, field) => {
    const { body } = await patch(setting).expect(400);
    expect(body).toMatchObject({
      error: 'validation_error',
      details: { fields: [{ field: `branch_channels.${field}` }] },
    });
  });

  it.each([[[]], ['feature/*'], [7], [[SETTING]]])('refuses %j in place of a setting', async (setting) => {
    expect((await patch(setting as object).expect(400)).body).toMatchObject({ error: 'validation_error' });
  });

  it('is a setting that every response about the project shows', async () => {
    expect((await ann.get(path()).expect(200)).body).toMatchObject({ branch_channels: SETTING });
    const { body } = await ann.get(`/projects?organization_id=${organization.id}`).expect(200);
    expect((body as { items: object[] }).items[0]).toMatchObject({ branch_channels: SETTING });
    expect((await ann.patch(path(), { language: 'de' }).expect(200)).body).toMatchObject({ branch_channels: SETTING });
    const made = await ann.post(`/projects?organization_id=${organization.id}`, {
      name: 'x',
      branch_channels: SETTING,
    });
    expect(made.body).toMatchObject({ branch_channels: SETTING });
  });
});
