import { type BuildJson, type Developer, type ProjectRef, scope } from '../../support/actors/actors';
import { verifiedDeveloper } from '../../support/actors/tenant';
import { TestApp } from '../../support/app/test-app';
import { executable, fatExecutable } from '../../support/artifacts/macho-writer';
import { aab, apk, DEMO_ID, ipa } from '../../support/artifacts/valid-artifacts';
import {
  type AndroidApp,
  androidOffers,
  type IosApp,
  iosHashOf,
  iosOffers,
  keepsState,
} from '../../support/checks/app-center-sdks';

const OTHER = '11111111-2222-3333-4444-555555555555';
const SECRET = '2f7b0a52-7f0b-4f2c-9d9c-1b2a3c4d5e6f';
const ANDROID: AndroidApp = { packageName: DEMO_ID, versionName: '1.2.3', versionCode: 42, apiLevel: 34 };
const IOS: IosApp = { uuid: '0A1B2C3D-0000-4000-8000-1234567890AB', shortVersion: '1.2.0', version: '42', os: '17.4' };

/** The decisions of the SDKs were ported from their published source. */
describe('the update dialog of an App Center SDK', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  let keys: Readonly<Record<'ios' | 'android', string>>;
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await verifiedDeveloper(app);
    project = await ann.createsProject(await ann.createsOrganization());
    const createsKey = async (platform: string): Promise<string> =>
      ((await ann.post(`/update-keys?${scope(project)}`, { platform }).expect(201)).body as { key: string }).key;
    keys = { ios: await createsKey('ios'), android: await createsKey('android') };
  });
  afterAll(() => app.stop());

  const latest = (platform: 'ios' | 'android', hash = '', group = '') =>
    app.anonymous.get(
      `/updates/${keys[platform]}/appcenter/v0.1/public/sdk/apps/${SECRET}${group}/releases/latest?release_hash=${hash}`,
    );
  const uploadsApk = (versionName: string, versionCode: number, minSdk = 24): Promise<BuildJson> =>
    ann.uploads(project, { bytes: apk({ versionName, versionCode, minSdk }), fileName: 'Demo.apk' });
  const uploadsIpa = (version: string, buildNumber: string): Promise<BuildJson> => {
    const info = { CFBundleShortVersionString: version, CFBundleVersion: buildNumber };
    return ann.uploads(project, { bytes: ipa({ info }), fileName: 'Demo.ipa' });
  };

  // red when: the 404 has no code, or is not sent before the first upload
  it('keeps its state while there is no release, and for a wrong key', async () => {
    const { text, body } = await latest('android').expect(404);
    expect(keepsState(text)).toBe(true);
    expect(body).toMatchObject({ error: 'not_found', details: { request_id: expect.any(String) as string } });
    expect(
      keepsState((await app.anonymous.get(`/updates/ag_upd_x/appcenter/v0.1/public/sdk/apps/x/releases/latest`)).text),
    ).toBe(true);
  });

  // red when: the version code, the hash or the API level is wrong
  it.each<[string, [string, number, number?], Partial<AndroidApp>, boolean]>([
    ['a higher version code', ['1.2.3', 43], {}, true],
    ['a higher version code with a lower name', ['1.0', 43], {}, true],
    ['10 above 9', ['1.2.3', 10], { versionCode: 9 }, true],
    ['the greatest version code', ['1.2.3', 2_147_483_647], {}, true],
    ['the same version code with another name', ['1.2.4', 42], {}, true],
    ['the same build', ['1.2.3', 42], {}, false],
    ['a lower version code', ['1.2.3', 41], {}, false],
    ['a lower version code with a higher name', ['9.9', 41], {}, false],
    ['9 below 10', ['1.2.3', 9], { versionCode: 10 }, false],
    ['a build that needs a newer Android', ['1.2.3', 43, 35], {}, false],
  ])('on Android, for %s', async (_what, [name, code, minSdk], installed, offered) => {
    await uploadsApk(name, code, minSdk);
    const { text } = await latest('android').expect(200);
    expect(androidOffers({ ...ANDROID, ...installed }, text)).toBe(offered);
  });

  // red when: the hash contains another text than the system's version name
  it.each<[string, string | null, string | null]>([
    ['no version name', null, null],
    ['a version name with spaces', ' 1.0 ', ' 1.0 '],
    ['a version name like the version code', '42', '42'],
  ])('on Android, does not offer the installed build again with %s', async (_, versionName, installed) => {
    await ann.uploads(project, { bytes: apk({ versionName, versionCode: 42 }), fileName: 'Demo.apk' });
    const { text } = await latest('android').expect(200);
    expect(androidOffers({ ...ANDROID, versionName: installed }, text)).toBe(false);
    expect(androidOffers({ ...ANDROID, versionName: 'another' }, text)).toBe(true);
  });

  // red when: the hash of the installed app is not returned, or a field has another type
  it.each<[string, [string, string], Partial<IosApp>, boolean]>([
    ['a higher version', ['1.3.0', '42'], {}, true],
    ['1.10 above 1.9', ['1.10', '1'], { shortVersion: '1.9' }, true],
    ['a higher build number', ['1.2.0', '43'], {}, true],
    ['build number 100 above 99', ['1.2.0', '100'], { version: '99' }, true],
    ['a version after its pre-release', ['1.2.0', '1'], { shortVersion: '1.2.0-beta.2' }, true],
    ['the same build', ['1.2.0', '42'], {}, false],
    ['a lower version', ['1.1.9', '500'], {}, false],
    ['1.9 below 1.10', ['1.9', '500'], { shortVersion: '1.10' }, false],
    ['a lower build number', ['1.2.0', '41'], {}, false],
    ['a device below the minimum', ['1.3.0', '42'], { os: '12.4' }, false],
  ])('on iOS, for %s', async (_what, [version, buildNumber], installed, offered) => {
    await uploadsIpa(version, buildNumber);
    const device = { ...IOS, ...installed };
    const { text } = await latest('ios', iosHashOf(device)).expect(200);
    expect(iosOffers(device, text)).toBe(offered);
  });

  // red when: the UUIDs of the executable are not read, or hashed with other versions
  it('on iOS, tells builds with one version and build number apart by the UUID of the executable', async () => {
    const info = { CFBundleShortVersionString: '3.0.0.1', CFBundleVersion: '7', CFBundleExecutable: 'Main' };
    const files = [{ name: 'Payload/Demo.app/Main', data: fatExecutable([executable(OTHER), executable(IOS.uuid)]) }];
    await ann.uploads(project, { bytes: ipa({ info, files }), fileName: 'Demo.ipa' });
    const installed = { ...IOS, shortVersion: '3.0.0.1', version: '7' };
    const offers = async (device: IosApp): Promise<boolean> =>
      iosOffers(device, (await latest('ios', iosHashOf(device)).expect(200)).text);
    expect(await offers(installed)).toBe(false);
    expect(await offers({ ...installed, uuid: OTHER })).toBe(false);
    expect(await offers({ ...installed, uuid: OTHER.replaceAll('1', '9') })).toBe(true);
  });

  it('gets every field, an ETag, and the same at the address of older SDKs', async () => {
    const build = await uploadsApk('1.3.0', 44);
    const first = await latest('android').expect(200);
    expect(first.body).toEqual({
      id: Math.floor(Date.parse(build.uploaded_at) / 1000),
      version: 44,
      short_version: '1.3.0',
      size: build.size_bytes,
      release_notes: null,
      release_notes_url: null,
      min_os: expect.any(String) as string,
      android_min_api_level: 24,
      fileExtension: 'apk',
      download_url: `http://localhost:3000/updates/${keys.android}/builds/${build.id}/Demo.apk`,
      install_url: `http://localhost:3000/updates/${keys.android}/builds/${build.id}/Demo.apk`,
      mandatory_update: false,
      package_hashes: [expect.stringMatching(/^[0-9a-f]{64}$/)],
      distribution_group_id: project.id,
      status: 'available',
    });
    const group = `/distribution_groups/${project.id}`;
    expect((await latest('android', '', group).expect(200)).body).toEqual(first.body);
    await latest('android').set('If-None-Match', first.headers['etag']!).expect(304);
    const { pathname } = new URL((first.body as { download_url: string }).download_url);
    await app.anonymous.get(pathname).expect(302);
  });

  it('is not shown for a build that no device can install, and for a version code above 31 bits', async () => {
    await ann.uploads(project, { bytes: aab({ versionCode: 50 }), fileName: 'Demo.aab' });
    expect(keepsState((await latest('android').expect(404)).text)).toBe(true);
    const bytes = apk({ versionCode: 1, versionCodeMajor: 1 });
    await ann.uploads(project, { bytes, fileName: 'Demo.apk' });
    expect(keepsState((await latest('android').expect(404)).text)).toBe(true);
  });
});
