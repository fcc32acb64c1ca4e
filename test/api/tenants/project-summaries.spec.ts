import { Client } from 'pg';
import {
  type BuildJson,
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
const FILE = { bytes: Buffer.from('a disk image'), fileName: 'Demo.dmg' };

interface Summary {
  readonly my_role: string | null;
  readonly icon_build_id: string | null;
  readonly icon_url: string | null;
  readonly latest: readonly { readonly platform: string; readonly build: Readonly<Record<string, unknown>> }[];
  readonly channels: readonly { readonly id: string; readonly name: string }[];
  readonly current: readonly Readonly<Record<string, unknown>>[];
  readonly counts: Readonly<Record<string, number>>;
  readonly downloads_14d: readonly number[];
  readonly last_activity_at: string;
}

interface ProjectJson {
  readonly id: string;
  readonly name: string;
  readonly icon_url: string | null;
  readonly created_at: string;
  readonly summary?: Summary;
}

describe('the summary of a project', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let older: BuildJson;
  let ios: BuildJson;
  let android: BuildJson;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false });
    // To the beginning of a day, which does not end during the tests.
    await app.clock.advanceToFifth();
    ann = await verifiedDeveloper(app);
    organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    await ann.createsProject(organization, 'Empty 100%');
    older = await ann.uploads(project, IPA, { version: '1.0' });
    ios = await ann.uploads(project, IPA, { version: '2.0' });
    android = await ann.uploads(project, APK);
    await ann.uploads(project, FILE, { platform: 'macos', version: '3' });
  });
  afterAll(() => app.stop());

  const summary = async (of = project, who: Developer = ann): Promise<Summary> =>
    (await who.get(`/projects/${of.id}/summary?organization_id=${of.organizationId}`).expect(200)).body as Summary;
  const list = async (query = '', who: Developer = ann): Promise<readonly ProjectJson[]> =>
    (
      (await who.get(`/projects?organization_id=${organization.id}${query}`).expect(200)).body as {
        items: ProjectJson[];
      }
    ).items;
  const joins = async (roles: string): Promise<Developer> => {
    const bob = await verifiedDeveloper(app);
    await app.sql(`INSERT INTO membership VALUES ($1, $2, $3, now())`, [organization.id, bob.id, roles]);
    return bob;
  };

  it('has the newest build of each platform', async () => {
    const { latest } = await summary();
    expect(latest.map(({ platform, build }) => [platform, build['version']])).toEqual([
      ['ios', '2.0'],
      ['android', '1.2.3'],
      ['macos', '3'],
    ]);
    expect(latest[0]?.build).toEqual({
      id: ios.id,
      version: '2.0',
      build_number: '42',
      size_bytes: IPA.bytes.length,
      uploaded_at: ios['uploaded_at'],
      installable: true,
      install_url: ios.install_url,
      icon_url: ios['icon_url'],
      signing_expires_at: '2040-01-01T00:00:00.000Z',
    });
    expect(latest[1]?.build['signing_expires_at']).toBeNull();
  });

  it('has the same icon as the project, from the newest build with an icon', async () => {
    const newest = [android, ios, older].find((build) => build['icon_url'] !== null);
    expect(await summary()).toMatchObject({ icon_build_id: newest?.id, icon_url: newest?.['icon_url'] });
    const { body } = await ann.get(`/projects/${project.id}?organization_id=${organization.id}`).expect(200);
    expect(body).toMatchObject({ icon_url: newest?.['icon_url'] });
    expect((await list()).map(({ name, icon_url: url }) => [name, url])).toEqual([
      ['Empty 100%', null],
      ['Rocket', newest?.['icon_url']],
    ]);
  });

  it('counts builds, testers, channels and open uploads', async () => {
    await ann.post(`/testers?${scope(project)}`, { email: 'tess@example.com' }).expect(201);
    await ann.createsChannel(project);
    await ann.post(`/builds/uploads?${scope(project)}`, { file_name: 'big.apk', size_bytes: 1_000_000 }).expect(201);
    expect((await summary()).counts).toEqual({ builds: 4, testers: 1, channels: 1, open_uploads: 1 });
  });

  // red when: the days are counted from now instead of midnight, or a download of the first day is missing
  it('has the downloads of the last fourteen days in UTC', async () => {
    const today = app.clock.now().toISOString().slice(0, 10);
    const downloadedAt = (time: string): Promise<unknown> =>
      app.sql(
        `INSERT INTO build_download (id, organization_id, project_id, build_id, ticket_id, minted_by_kind, device_family, started_at)
         VALUES (gen_random_uuid(), $1, $2, $3, gen_random_uuid(), 'invite', 'iphone', $4::timestamptz)`,
        [organization.id, project.id, ios.id, time],
      );
    const daysAgo = (days: number): string => new Date(Date.parse(today) - days * 86_400_000).toISOString();
    for (const time of [daysAgo(0), daysAgo(13), daysAgo(13)]) await downloadedAt(time);
    await downloadedAt(new Date(Date.parse(daysAgo(13)) - 1).toISOString());
    expect((await summary()).downloads_14d).toEqual([2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  });

  it('has the time of the last upload, promotion or download', async () => {
    const before = await summary();
    const beta = await ann.createsChannel(project);
    await app.clock.advance({ seconds: 20 });
    const release = await ann.promotes(project, beta, older);
    expect((await summary()).last_activity_at).toBe((release as unknown as { promoted_at: string }).promoted_at);
    expect(Date.parse(before.last_activity_at)).toBeLessThan(Date.parse((await summary()).last_activity_at));
  });

  it('is empty for a new project', async () => {
    const [shown] = await list('&q=100%25&include=summary');
    expect(shown?.summary).toEqual({
      my_role: 'MANAGE_PROJECT',
      icon_build_id: null,
      icon_url: null,
      latest: [],
      channels: [],
      current: [],
      signing_ends: [],
      counts: { builds: 0, testers: 0, channels: 0, open_uploads: 0 },
      downloads_14d: Array.from({ length: 14 }, () => 0),
      last_activity_at: shown?.created_at,
    });
  });

  it('is part of the list on request only', async () => {
    expect((await list()).some((item) => 'summary' in item)).toBe(false);
    const [, rocket] = await list('&include=summary');
    expect(rocket?.summary).toEqual(await summary());
    await ann.get(`/projects?organization_id=${organization.id}&include=everything`).expect(400);
  });

  // red when: projects of other apps, or projects that the caller may not see, are listed
  it('is found by the bundle id of the first build of a platform', async () => {
    const named = async (bundleId: string, developer = ann): Promise<readonly string[]> =>
      (await list(`&bundle_id=${bundleId}`, developer)).map(({ id }) => id);
    const { body } = await ann.get(`/builds/${ios.id}?${scope(project)}`).expect(200);
    const bundleId = (body as { app: { bundle_id: string } }).app.bundle_id;
    expect(await named(bundleId)).toEqual([project.id]);
    expect(await named(bundleId.slice(0, -1))).toEqual([]);
    expect(await named(bundleId, await joins('{MEMBER}'))).toEqual([]);
  });

  it('has the role of the caller, and install links only for callers who may download', async () => {
    const reader = await joins('{READ}');
    const member = await joins('{MEMBER}');
    await ann
      .request('put', `/projects/${project.id}/members/${member.id}?organization_id=${organization.id}`)
      .send({ role: 'DOWNLOAD_BUILD' })
      .expect(200);
    const [seen] = await list('&include=summary', member);
    expect(seen?.summary).toMatchObject({
      my_role: 'DOWNLOAD_BUILD',
      latest: [{ build: { install_url: ios.install_url } }, {}, {}],
    });
    expect(await list('', member)).toHaveLength(1);
    const read = await list('&include=summary&q=rock', reader);
    expect(read).toHaveLength(1);
    expect(read[0]?.summary?.my_role).toBe('VIEW_PROJECT');
    expect(read[0]?.summary?.latest.map(({ build }) => build['install_url'])).toEqual([null, null, null]);
    const ci = app.ci(await ann.createsToken(project));
    const { body } = await ci.get(`/projects/${project.id}/summary`).expect(200);
    expect(body).toMatchObject({ my_role: 'UPLOAD_BUILD' });
  });

  it('is hidden from other organizations', async () => {
    const eve = await verifiedDeveloper(app);
    await eve.get(`/projects/${project.id}/summary?organization_id=${organization.id}`).expect(403);
    const own = await eve.createsOrganization();
    await eve.get(`/projects/${project.id}/summary?organization_id=${own.id}`).expect(403);
  });

  // red when: the current builds do not say whether devices install them, or until when
  it('has the current builds of the channels, whether devices install them, and until when', async () => {
    const other = await ann.createsProject(organization, 'Channels');
    const [beta, alpha] = [await ann.createsChannel(other, 'Beta'), await ann.createsChannel(other, 'Alpha')];
    const empty = await ann.createsChannel(other, 'Empty');
    const expiresAt = new Date('2031-05-06T00:00:00.000Z');
    const soon = await ann.uploads(other, { bytes: ipa({ expiresAt }), fileName: 'Demo.ipa' });
    const apps = await ann.uploads(other, { bytes: apk({ testOnly: true }), fileName: 'Demo.apk' });
    const iosInBeta = await ann.promotes(other, beta, soon);
    const inBeta = await ann.promotes(other, beta, apps);
    const inAlpha = await ann.promotes(other, alpha, apps);
    const promotion = (of: ReleaseJson) => ({ channel_id: of.channel_id, promoted_at: of['promoted_at'] });
    const android = { platform: 'android', build_id: apps.id, version: '1.2.3', build_number: '42' };
    const blocked = { ...android, installable: false, signing_expires_at: null };
    const { channels, counts, current } = await summary(other);
    expect(channels).toEqual([alpha, beta, empty].map(({ id, name }) => ({ id, name })));
    expect(counts.channels).toBe(3);
    expect(current).toEqual([
      { ...promotion(inAlpha), channel_name: 'Alpha', ...blocked },
      { ...promotion(inBeta), channel_name: 'Beta', ...blocked },
      {
        ...promotion(iosInBeta),
        channel_name: 'Beta',
        platform: 'ios',
        build_id: soon.id,
        version: '1.2.3',
        build_number: '42',
        installable: true,
        signing_expires_at: expiresAt.toISOString(),
      },
    ]);
    expect((await summary()).current.map(({ channel_id: id }) => id)).not.toContain(beta.id);
  });

  // red when: a module reads its part in a statement of its own, or once per project
  it('costs a page of any size three statements: the credential, the page and the summaries', async () => {
    for (let n = 0; n < 5; n += 1) await ann.uploads(await ann.createsProject(organization), APK);
    const query = jest.spyOn(Client.prototype, 'query');
    const statements = async (limit: number): Promise<number> => {
      query.mockClear();
      await list(`&include=summary&limit=${limit}`);
      // A connection that was idle for a second is checked first.
      return query.mock.calls.filter(([statement]: unknown[]) => statement !== 'SELECT 1').length;
    };
    expect([await statements(1), await statements(100)]).toEqual([3, 3]);
    query.mockRestore();
  });
});
