import { type BuildJson, type ChannelJson, type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { apk, ipa } from '../../support/artifacts/valid-artifacts';

const NONE = { ios: null, android: null, macos: null, windows: null, linux: null };

describe('an update', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let channel: ChannelJson;
  const keys: Record<string, string> = {};
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await verifiedDeveloper(app);
    const organization = await ann.createsOrganization();
    project = await ann.createsProject(organization);
    await ann.changesPlan(organization, 'business');
    channel = await ann.createsChannel(project);
    for (const platform of ['ios', 'android', 'macos']) {
      const path = `/update-keys?${scope(project)}&channel_id=${channel.id}`;
      keys[platform] = ((await ann.post(path, { platform }).expect(201)).body as { key: string }).key;
    }
  });
  afterAll(() => app.stop());

  const minSupported = () => `/projects/${project.id}/min-supported-versions?organization_id=${project.organizationId}`;
  const uploadsIpa = (version: string): Promise<BuildJson> => {
    const info = { CFBundleShortVersionString: version, CFBundleVersion: '1' };
    return ann.uploads(project, { bytes: ipa({ info }), fileName: 'Demo.ipa' });
  };
  const promotes = (build: BuildJson, mandatory?: boolean) =>
    ann.post(`/releases?${scope(project)}&channel_id=${channel.id}`, { build_id: build.id, mandatory });
  const mandatory = async (platform: string, query: string): Promise<[boolean, boolean]> => {
    const { body } = await app.anonymous.get(`/updates/${keys[platform]}?${query}`).expect(200);
    const answer = body as { update_available: boolean; mandatory: boolean };
    return [answer.update_available, answer.mandatory];
  };

  // red when: `mandatory` is not stored, or does not depend on there being an update
  it('is mandatory when its release is', async () => {
    const optional = (await promotes(await uploadsIpa('1.1.0')).expect(201)).body as object;
    expect(optional).toMatchObject({ mandatory: false });
    expect(await mandatory('ios', 'version=1.0.0')).toEqual([true, false]);
    const { body } = await promotes(await uploadsIpa('1.2.0'), true).expect(201);
    expect(body).toMatchObject({ mandatory: true });
    const { id } = body as { id: string };
    const path = `/releases/${id}?${scope(project)}&channel_id=${channel.id}`;
    expect((await ann.get(path).expect(200)).body).toMatchObject({ mandatory: true });
    expect(await mandatory('ios', 'version=1.0.0')).toEqual([true, true]);
    expect(await mandatory('ios', 'version=1.2.0')).toEqual([false, false]);
    expect(await mandatory('ios', 'version=1.0.0&os_version=9.0')).toEqual([false, false]);
    const sdk = await app.anonymous.get(`/updates/${keys['ios']}/appcenter/v0.1/public/sdk/apps/x/releases/latest`);
    expect(sdk.body).toMatchObject({ mandatory_update: true });
    const file = { bytes: Buffer.from('an app'), fileName: 'Demo.zip' };
    const mac = await ann.uploads(project, file, { platform: 'macos', version: '2.0' });
    await promotes(mac, true).expect(201);
    const appcast = await app.anonymous.get(`/updates/${keys['macos']}/appcast.xml`).buffer(true).expect(200);
    expect(appcast.text).toContain('<sparkle:criticalUpdate />');
    await ann
      .post(`/releases?${scope(project)}&channel_id=${channel.id}`, { build_id: mac.id, mandatory: 'yes' })
      .expect(400);
  });

  // red when: versions are compared as text, or Android by its version
  it('is mandatory below the lowest supported version of the project', async () => {
    await promotes(await uploadsIpa('1.20.0')).expect(201);
    const file = { bytes: apk({ versionCode: 120 }), fileName: 'Demo.apk' };
    await promotes(await ann.uploads(project, file)).expect(201);
    expect((await ann.get(minSupported()).expect(200)).body).toEqual(NONE);
    const changed = await ann.patch(minSupported(), { ios: '1.10', android: '100' }).expect(200);
    expect(changed.body).toEqual({ ...NONE, ios: '1.10', android: '100' });
    expect(await mandatory('ios', 'version=1.9')).toEqual([true, true]);
    expect(await mandatory('ios', 'version=1.10')).toEqual([true, false]);
    expect(await mandatory('ios', 'build=0')).toEqual([true, false]);
    expect(await mandatory('android', 'version=9&build=99')).toEqual([true, true]);
    expect(await mandatory('android', 'version=1&build=100')).toEqual([true, false]);
    expect((await ann.patch(minSupported(), { ios: null }).expect(200)).body).toEqual({ ...NONE, android: '100' });
    expect(await mandatory('ios', 'version=1.9')).toEqual([true, false]);
    await ann.patch(minSupported(), { android: null }).expect(200);
    expect((await ann.patch(minSupported(), {}).expect(200)).body).toEqual(NONE);
    await ann.patch(minSupported(), { amiga: '1' }).expect(400);
    await ann.patch(minSupported(), { ios: '' }).expect(400);
    const events = await app.sql(
      `SELECT payload FROM audit_event WHERE type = 'project.min_supported_changed' AND project_id = $1 ORDER BY id`,
      [project.id],
    );
    expect(events.map(({ payload }) => payload as object)).toEqual([
      { ios: '1.10', android: '100' },
      { ios: null },
      { android: null },
    ]);
  });

  it('has lowest supported versions that only managers of releases change', async () => {
    const viewer = app.ci(await ann.createsToken(project, 'VIEW_PROJECT'));
    await viewer.get(minSupported()).expect(200);
    await viewer.patch(minSupported(), { ios: '1' }).expect(403);
    const stranger = await verifiedDeveloper(app);
    await stranger.get(minSupported()).expect(403);
  });
});
