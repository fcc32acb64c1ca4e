import { type Response } from 'supertest';
import { type BuildJson, type ChannelJson, type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { apk, ipa } from '../../support/artifacts/valid-artifacts';

interface CheckJson {
  readonly update_available: boolean;
  readonly relation: string | null;
  readonly release: Readonly<Record<string, unknown>>;
  readonly install_url: string;
  readonly package_url: string;
}

describe('the check for an update', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let channel: ChannelJson;
  let key: string;
  let keyId: string;
  let build: BuildJson;
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await verifiedDeveloper(app);
    const organization = await ann.createsOrganization();
    project = await ann.createsProject(organization);
    await ann.changesPlan(organization, 'business');
    channel = await ann.createsChannel(project);
    ({ id: keyId, key } = await createsKey(`&channel_id=${channel.id}`));
    build = await uploads('1.10', '7');
    await ann.promotes(project, channel, build, 'New login');
  });
  afterAll(() => app.stop());

  const createsKey = async (more = '', platform = 'ios'): Promise<{ id: string; key: string }> => {
    const { body } = await ann.post(`/update-keys?${scope(project)}${more}`, { platform }).expect(201);
    return body as { id: string; key: string };
  };
  const uploads = (version: string, buildNumber: string): Promise<BuildJson> => {
    const info = { CFBundleShortVersionString: version, CFBundleVersion: buildNumber };
    return ann.uploads(project, { bytes: ipa({ info }), fileName: 'Demo App.ipa' });
  };
  const check = (query = '', token = key) => app.anonymous.get(`/updates/${token}${query && `?${query}`}`);
  const answer = async (query: string, token = key): Promise<CheckJson> =>
    (await check(query, token).expect(200)).body as CheckJson;
  const meters = () => app.sql('SELECT count(*)::int AS count FROM reservation WHERE kind = $1', ['download']);

  it('describes the current release, compared with the installed app', async () => {
    expect(await answer('version=1.9&build=9&os_version=17.4')).toEqual({
      update_available: true,
      mandatory: false,
      relation: 'newer',
      release: {
        sequence: 1,
        version: '1.10',
        build_number: '7',
        notes: 'New login',
        size_bytes: build.size_bytes,
        sha256: build.sha256,
        min_os_version: '15.0',
        min_sdk: null,
        promoted_at: expect.stringMatching(/Z$/) as string,
      },
      install_url: `http://localhost:3000/updates/${key}/install`,
      package_url: `http://localhost:3000/updates/${key}/builds/${build.id}/Demo%20App.ipa`,
    });
    expect(await answer('version=1.10&build=7')).toMatchObject({ update_available: false, relation: 'same' });
    expect(await answer('version=1.11&build=1')).toMatchObject({ update_available: false, relation: 'older' });
    expect(await answer('version=&noCache=7')).toMatchObject({ update_available: false, relation: null });
    expect(await answer('version=1.9&os_version=12.4')).toMatchObject({ update_available: false, relation: 'newer' });
    await check(`version=${'1'.repeat(129)}`).expect(400);
    await check('version=1&version=2').expect(400);
  });

  // red when: the body contains a time or a fresh token, or the ETag is not compared
  it('is the same bytes until another build is current, and then 304', async () => {
    const first = await check('version=1.9').expect(200);
    expect(first.headers).toMatchObject({ 'cache-control': 'public, max-age=60' });
    const again = await check('version=1.9').expect(200);
    expect([again.text, again.headers['etag']]).toEqual([first.text, first.headers['etag']]);
    const conditional = (etag: string): Promise<Response> =>
      Promise.resolve(check('version=1.9').set('If-None-Match', etag));
    const unchanged = await conditional(first.headers['etag']!);
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    expect(unchanged.headers).toMatchObject({ etag: first.headers['etag'], 'cache-control': 'public, max-age=60' });
    const next = await uploads('1.11', '8');
    const release = await ann.promotes(project, channel, next);
    const changed = await conditional(first.headers['etag']!);
    expect([changed.status, (changed.body as CheckJson).release['version']]).toEqual([200, '1.11']);
    await ann.delete(`/releases/${release.id}?${scope(project)}&channel_id=${channel.id}`).expect(204);
    expect((await conditional(first.headers['etag']!)).status).toBe(304);
  });

  it('costs nothing, and records the use of the key exact to a day', async () => {
    const before = await meters();
    await check().expect(200);
    await app.anonymous.head(`/updates/${key}`).expect(200);
    expect(await meters()).toEqual(before);
    const used = async (): Promise<string> => {
      const { body } = await ann.get(`/update-keys/${keyId}?${scope(project)}`).expect(200);
      return (body as { last_used_at: string }).last_used_at;
    };
    const first = await used();
    expect(first).toMatch(/Z$/);
    await check().expect(200);
    expect(await used()).toBe(first);
  });

  it('is 404 as JSON for a wrong, rotated or revoked key, and while nothing is promoted', async () => {
    for (const token of ['x', key.slice(0, -1), `${key}x`, `ag_upd_${'0'.repeat(49)}`]) {
      const { body, headers } = await check('', token).set('Accept', 'text/html').expect(404);
      expect(body).toMatchObject({ error: 'not_found' });
      expect(headers['cache-control']).toBe('no-store');
    }
    const android = await createsKey(`&channel_id=${channel.id}`, 'android');
    await check('', android.key).expect(404);
    const other = await createsKey('', 'ios');
    await check('', other.key).expect(200);
    const rotated = await ann.post(`/update-keys/${other.id}/rotate?${scope(project)}`).expect(200);
    await check('', other.key).expect(404);
    const { key: replaced } = rotated.body as { key: string };
    await check('', replaced).expect(200);
    await ann.delete(`/update-keys/${other.id}?${scope(project)}`).expect(204);
    await check('', replaced).expect(404);
  });

  it('opens the newest build of the platform with the key of a project', async () => {
    const { key: android } = await createsKey('', 'android');
    const uploadsApk = (versionCode: number): Promise<BuildJson> =>
      ann.uploads(project, { bytes: apk({ versionCode }), fileName: 'Demo.apk' });
    await uploadsApk(9);
    const newest = await uploadsApk(10);
    expect(await answer('build=9&version=9.9&os_version=34', android)).toMatchObject({
      update_available: true,
      relation: 'newer',
      release: { sequence: null, build_number: '10', sha256: newest.sha256, promoted_at: newest.uploaded_at },
    });
    expect(await answer('build=10&version=1.2.3&os_version=4', android)).toMatchObject({ relation: 'same' });
  });

  it('opens the page and the file of the build, and charges only the download', async () => {
    const { install_url, package_url } = await answer('version=1');
    await app.anonymous.get(new URL(install_url).pathname).expect(200);
    const before = await meters();
    const { pathname } = new URL(package_url);
    const { headers } = await app.anonymous.head(pathname).expect(200);
    expect(headers['content-length']).toBe(String(build.size_bytes));
    await app.anonymous.get(`${pathname}.blockmap`).expect(404);
    await app.anonymous.get(pathname.replace(build.id, channel.id)).expect(404);
    expect(await meters()).toEqual(before);
    const redirect = await app.anonymous.get(pathname).expect(302);
    expect((await app.anonymous.get(pathname).expect(302)).headers['location']).toBe(redirect.headers['location']);
    expect(await meters()).toEqual([{ count: (before[0] as { count: number }).count + 1 }]);
    const file = await app.anonymous.get(new URL(redirect.headers['location']!).pathname).expect(200);
    expect((file.body as Buffer).length).toBe(build.size_bytes);
    const { body } = await ann.get(`/builds/${build.id}/downloads?${scope(project)}`).expect(200);
    expect(body).toMatchObject({
      items: [{ minted_by: { kind: 'update_key', id: keyId, label: null }, channel_id: channel.id }],
    });
  });
});
