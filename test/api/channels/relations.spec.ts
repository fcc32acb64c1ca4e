import {
  type BuildJson,
  type ChannelJson,
  type Developer,
  type OrganizationRef,
  type ProjectRef,
  type ReleaseJson,
  scope,
} from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { apk, ipa } from '../../support/artifacts/valid-artifacts';

const IPA = { bytes: ipa(), fileName: 'Demo.ipa' };
const APK = { bytes: apk(), fileName: 'Demo.apk' };

interface Labelled {
  readonly kind: string;
  readonly id: string | null;
  readonly label: string | null;
}

interface Described extends BuildJson {
  readonly uploaded_by: Labelled;
  readonly channels: readonly { readonly id: string; readonly name: string; readonly current: boolean }[];
}

interface DescribedChannel extends ChannelJson {
  readonly current: readonly Record<string, unknown>[];
  readonly subscribers: number;
}

describe('relations of builds and channels', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let old: BuildJson;
  let ios: BuildJson;
  let android: BuildJson;
  let beta: ChannelJson;
  let alpha: ChannelJson;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    ann = await verifiedDeveloper(app);
    organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization);
    old = await ann.uploads(project, IPA, { version: '1.0' });
    ios = await ann.uploads(project, IPA, { version: '2.0' });
    android = await ann.uploads(project, APK);
    beta = await ann.createsChannel(project, 'Beta');
    alpha = await ann.createsChannel(project, 'Alpha');
    for (const build of [old, ios, android]) await ann.promotes(project, beta, build);
    await ann.promotes(project, alpha, old);
  });
  afterAll(() => app.stop());

  const build = async (id: string): Promise<Described> =>
    (await ann.get(`/builds/${id}?${scope(project)}`).expect(200)).body as Described;
  const builds = async (): Promise<readonly Described[]> =>
    ((await ann.get(`/builds?${scope(project)}`).expect(200)).body as { items: Described[] }).items;
  const channel = async (id: string): Promise<DescribedChannel> =>
    (await ann.get(`/channels/${id}?${scope(project)}`).expect(200)).body as DescribedChannel;
  const addsTester = async (email: string): Promise<string> =>
    ((await ann.post(`/testers?${scope(project)}`, { email }).expect(201)).body as { id: string }).id;
  const subscribes = async (testerId: string): Promise<void> => {
    await ann.request('put', `/testers/${testerId}/subscriptions/${beta.id}?${scope(project)}`).expect(200);
  };

  // red when: `current` is read from the sequence alone, or the channels are not grouped by build
  it('show the channels of a build, and where it is current', async () => {
    const inAlpha = { id: alpha.id, name: 'Alpha', current: true };
    expect((await build(old.id)).channels).toEqual([inAlpha, { id: beta.id, name: 'Beta', current: false }]);
    expect((await build(ios.id)).channels).toEqual([{ id: beta.id, name: 'Beta', current: true }]);
    const listed = new Map((await builds()).map(({ id, channels }) => [id, channels.map(({ name }) => name)]));
    expect([old, ios, android].map(({ id }) => listed.get(id))).toEqual([['Alpha', 'Beta'], ['Beta'], ['Beta']]);
  });

  it('are in the response to an upload that promotes', async () => {
    const gamma = await ann.createsChannel(project, 'Gamma');
    const made = (await ann.uploads(project, APK, { channel_id: gamma.id })) as Described;
    expect(made.channels).toEqual([{ id: gamma.id, name: 'Gamma', current: true }]);
    expect(made.uploaded_by).toEqual({ kind: 'developer', id: ann.id, label: ann.email });
  });

  it('name the developer or token that uploaded a build', async () => {
    const token = await ann.createsToken(project);
    const byToken = await app.ci(token).uploads(project, APK);
    const [named] = await app.sql<{ id: string; name: string }>(
      `SELECT id, name FROM project_access_token WHERE project_id = $1`,
      [project.id],
    );
    await ann.patch('/developers/me', { name: 'Ann' }).expect(200);
    expect((await build(old.id)).uploaded_by).toEqual({ kind: 'developer', id: ann.id, label: 'Ann' });
    expect((await build(byToken.id)).uploaded_by).toEqual({
      kind: 'project_access_token',
      id: named?.id,
      label: named?.name,
    });
    await app.sql(`UPDATE build SET uploaded_by_id = $2 WHERE id = $1`, [byToken.id, organization.id]);
    expect((await build(byToken.id)).uploaded_by.label).toBeNull();
    await ann.patch('/developers/me', { name: null }).expect(200);
  });

  it('show the current builds of a channel and its number of subscribers', async () => {
    await subscribes(await addsTester('tess@example.com'));
    const shown = await channel(beta.id);
    expect(shown.current).toEqual([
      expect.objectContaining({ platform: 'ios', build_id: ios.id, version: '2.0', sequence: 2 }),
      expect.objectContaining({ platform: 'android', build_id: android.id, promoted_at: expect.any(String) as string }),
    ]);
    expect(shown.subscribers).toBe(1);
    const { items } = (await ann.get(`/channels?${scope(project)}`).expect(200)).body as { items: DescribedChannel[] };
    expect(items.find(({ id }) => id === beta.id)).toEqual(shown);
    expect(items.find(({ id }) => id === alpha.id)?.subscribers).toBe(0);
  });

  describe('the releases of a project', () => {
    const path = (query = ''): string => `/projects/${project.id}/releases?organization_id=${organization.id}${query}`;
    const list = async (query = ''): Promise<{ items: ReleaseJson[]; next_cursor: string | null }> =>
      (await ann.get(path(query)).expect(200)).body as { items: ReleaseJson[]; next_cursor: string | null };

    it('are listed over all channels, newest first', async () => {
      const { items } = await list();
      expect(new Set(items.map(({ channel_id: id }) => id))).toEqual(
        new Set([items[0]?.channel_id, alpha.id, beta.id]),
      );
      expect(items.map(({ id }) => id)).toEqual(
        items
          .map(({ id }) => id)
          .sort()
          .reverse(),
      );
      expect((items[0] as unknown as { promoted_by: Labelled }).promoted_by.label).toBe(ann.email);
      const { items: onAndroid } = await list('&platform=android');
      expect(onAndroid.every(({ platform }) => platform === 'android')).toBe(true);
    });

    it('are paged', async () => {
      const first = await list('&limit=2');
      const second = await list(`&limit=1000&cursor=${first.next_cursor}`);
      expect([...first.items, ...second.items]).toEqual((await list()).items);
      expect(second.next_cursor).toBeNull();
    });

    it('are hidden from other organizations', async () => {
      const eve = await verifiedDeveloper(app);
      await eve.get(path()).expect(403);
      const own = await eve.createsProject(await eve.createsOrganization());
      await eve.get(`/projects/${project.id}/releases?organization_id=${own.organizationId}`).expect(403);
    });
  });

  describe('the recipients of a promotion', () => {
    const count = async (buildId: string): Promise<object> =>
      (await ann.get(`/releases/recipients?${scope(project)}&channel_id=${beta.id}&build_id=${buildId}`).expect(200))
        .body as object;

    // red when: the chosen platforms or the mails that were not opened are ignored
    it('are the subscribers of the platform who may be mailed', async () => {
      const [onAndroid, silent] = [await addsTester('droid@example.com'), await addsTester('silent@example.com')];
      for (const id of [onAndroid, silent]) await subscribes(id);
      const before = (await channel(beta.id)).subscribers;
      expect(await count(ios.id)).toEqual({ subscribers: before, recipients: before });
      await app.sql(`UPDATE tester SET mail_platforms = '{android}' WHERE id = $1`, [onAndroid]);
      await app.sql(`UPDATE tester SET unopened_mails = 3 WHERE id = $1`, [silent]);
      expect(await count(ios.id)).toEqual({ subscribers: before, recipients: before - 2 });
      expect(await count(android.id)).toEqual({ subscribers: before, recipients: before - 1 });
    });

    it('need a build and a channel of the project', async () => {
      const other = await ann.createsProject(organization);
      const elsewhere = await ann.createsChannel(other);
      const request = (buildId: string, channelId: string) =>
        ann.get(`/releases/recipients?${scope(project)}&channel_id=${channelId}&build_id=${buildId}`);
      await request(ios.id, elsewhere.id).expect(404);
      await request(beta.id, beta.id).expect(404);
      await ann.get(`/releases/recipients?${scope(project)}&channel_id=${beta.id}`).expect(400);
    });
  });
});
