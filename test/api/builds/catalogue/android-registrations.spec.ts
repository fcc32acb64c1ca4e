import { RegistrationsService } from '../../../../src/modules/builds/registrations/registrations.service';
import { type Bearer, type BuildJson, type ProjectRef, scope } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { aab, type AndroidOptions, apk, ipa } from '../../../support/artifacts/valid-artifacts';
import { DeveloperStatusServer } from '../../../support/checks/developer-status-server';
import { rawRequest } from '../../../support/load/raw-http';

interface Registered extends BuildJson {
  readonly signing: { readonly registration: { readonly state: string; readonly since: string } | null } | null;
}

const KEY = 'AIza-secret-key-of-google';
const ANDROID = { Accept: 'text/html', 'User-Agent': 'Mozilla/5.0 (Linux; Android 14) Chrome/140.0 Mobile' };

describe('registrations of Android packages', () => {
  let google: DeveloperStatusServer;
  let app: TestApp;
  let ci: Bearer;
  let project: ProjectRef;
  let packages = 0;
  beforeAll(async () => {
    google = await DeveloperStatusServer.start();
    const environment = {
      ANDROID_VERIFICATION: 'on',
      ANDROID_VERIFICATION_API_KEY: KEY,
      ANDROID_VERIFICATION_URL: google.url,
    };
    app = await TestApp.start({ environment });
  });
  beforeEach(async () => {
    const ann = await app.developer();
    project = await ann.createsProject(await ann.createsOrganization());
    const path = `/projects/${project.id}?organization_id=${project.organizationId}`;
    await ann.patch(path, { allow_any_bundle_id: true }).expect(200);
    ci = app.ci(await ann.createsToken(project, 'MANAGE_RELEASES'));
    await app.sql('DELETE FROM android_registration');
    Object.assign(google, { answer: 'NOT_REGISTERED', hyphens: false });
    google.requests.length = 0;
  });
  afterAll(async () => {
    await app.stop();
    google.stop();
  });

  const newPackage = (): string => `com.example.app${(packages += 1)}`;
  const upload = (options: AndroidOptions, versionCode = 1) =>
    ci.uploads(project, { bytes: apk({ ...options, versionCode }), fileName: 'a.apk' }) as Promise<Registered>;
  const read = async ({ id }: BuildJson): Promise<Registered> =>
    (await ci.get(`/builds/${id}?${scope(project)}`).expect(200)).body as Registered;
  const listed = async ({ id }: BuildJson): Promise<Registered> => {
    const { body } = await ci.get(`/builds?${scope(project)}`).expect(200);
    return (body as { items: Registered[] }).items.find((build) => build.id === id)!;
  };
  const codesOf = ({ warnings }: BuildJson): string[] =>
    warnings.map(({ code }) => code).filter((code) => code.startsWith('android_'));
  const check = (): Promise<void> => app.runsJob('builds.check-registrations');

  it.each<[string, string, string[]]>([
    ['REGISTERED', 'registered', []],
    ['NOT_REGISTERED', 'not_registered', ['android_not_registered']],
    ['REGISTERED_WITH_ANOTHER_CERTIFICATE_FINGERPRINT', 'other_certificate', ['android_other_certificate']],
    ['REGISTRATION_STATE_UNSPECIFIED', 'unknown', []],
  ])('that Google calls %s are %s, with the warnings %j, and never block', async (answer, state, codes) => {
    const packageName = newPackage();
    google.answer = answer;
    const build = await upload({ packageName });
    expect(build.signing?.registration).toBeNull();
    await check();
    for (const found of [await read(build), await listed(build)]) {
      expect(found.signing?.registration).toEqual({ state, since: expect.stringMatching(/^20.*Z$/) });
      expect([codesOf(found), found.installable]).toEqual([codes, true]);
    }
    const sha256 = (build.signing as unknown as { certificate_sha256: string }).certificate_sha256;
    expect(google.requests).toEqual([
      { url: `/v1/packages/${packageName}/packageRegistrationStatus:check?certificateFingerprint=${sha256}`, key: KEY },
    ]);
  });

  // red when: each build is a request, or a build of a known package waits for the next check
  it('are checked once for all builds of a package, and again after a day while they are bad', async () => {
    const packageName = newPackage();
    const first = await upload({ packageName });
    await check();
    const second = await upload({ packageName }, 2);
    expect(codesOf(second)).toEqual(['android_not_registered']);
    await check();
    await app.clock.advance({ hours: 23 });
    await check();
    expect(google.requests).toHaveLength(1);
    google.answer = 'REGISTERED';
    await app.clock.advance({ hours: 2 });
    await check();
    for (const build of [first, second]) expect((await read(build)).signing?.registration?.state).toBe('registered');
    expect(google.requests.filter(({ url }) => url.includes(`${packageName}/`))).toHaveLength(2);
    await app.clock.advance({ days: 29 });
    google.requests.length = 0;
    await check();
    expect(google.requests.filter(({ url }) => url.includes(`${packageName}/`))).toEqual([]);
  });

  it('of a name that Google only knows with hyphens are found', async () => {
    google.hyphens = true;
    const builds = [await upload({ packageName: newPackage() }), await upload({ packageName: newPackage() })];
    await check();
    for (const build of builds) expect((await read(build)).signing?.registration?.state).toBe('not_registered');
    // The second name is spelled as the first one was accepted.
    expect(google.requests.map(({ url }) => url.includes('com-example'))).toEqual([false, true, true]);
    google.hyphens = false;
    await upload({ packageName: newPackage() });
    await check();
    expect(google.requests.at(-1)?.url).toContain('com.example');
  });

  it('are not requested for debug keys, unsigned packages, app bundles and iOS apps', async () => {
    const debug = await upload({ packageName: newPackage(), subject: { C: 'US', O: 'Android', CN: 'Android Debug' } });
    await upload({ packageName: newPackage(), schemes: [] });
    await ci.uploads(project, { bytes: aab({ packageName: newPackage() }), fileName: 'a.aab' });
    const { signing } = (await ci.uploads(project, { bytes: ipa(), fileName: 'a.ipa' })) as Registered;
    await check();
    expect(google.requests).toEqual([]);
    expect([(await read(debug)).signing?.registration, signing?.registration]).toEqual([null, null]);
  });

  it('show testers the steps of Android only when they are bad', async () => {
    const build = await upload({ packageName: newPackage() });
    const page = async (headers = {}) =>
      (await rawRequest(app.url + new URL(build.install_url).pathname, { headers: { ...ANDROID, ...headers } })).text;
    expect(await page()).not.toContain('developer is not verified');
    await check();
    expect(await page()).toContain('If Android says that the developer is not verified');
    expect(await page({ 'Accept-Language': 'de' })).toContain('Wenn Android meldet, dass der Entwickler');
  });

  // red when: the job goes on with the next package, or the key is logged
  it.each([429, 403, 401])(
    'pause for an hour after the status %i, which the log names without the key',
    async (status) => {
      google.answer = status;
      const builds = [await upload({ packageName: newPackage() }), await upload({ packageName: newPackage() })];
      await check();
      await check();
      expect(google.requests).toHaveLength(1);
      expect(app.logLines.some((line) => line.includes(`responded with ${status}`))).toBe(true);
      expect(app.logLines.some((line) => line.includes(KEY))).toBe(false);
      google.answer = 'REGISTERED';
      await app.clock.advance({ minutes: 61 });
      await check();
      for (const build of builds) expect((await read(build)).signing?.registration?.state).toBe('registered');
    },
  );

  it.each<[string, null | number]>([
    ['closes connections', null],
    ['fails', 503],
  ])('wait without a warning while Google %s', async (_, answer) => {
    google.answer = answer;
    const build = await upload({ packageName: newPackage() });
    await check();
    expect(google.requests).toHaveLength(1);
    expect([(await read(build)).signing?.registration, codesOf(await read(build))]).toEqual([null, []]);
    google.answer = 'REGISTERED';
    await check();
    expect((await read(build)).signing?.registration?.state).toBe('registered');
  });

  // red when: a build that is uploaded while the state of its package changes keeps no state
  it('reach builds that are uploaded at the same time', async () => {
    const packageName = newPackage();
    const uploads = Array.from({ length: 8 }, (_, at) => upload({ packageName }, at + 1));
    const [builds] = await Promise.all([Promise.all(uploads), check(), check()]);
    await check();
    for (const build of builds) expect((await read(build)).signing?.registration?.state).toBe('not_registered');
    expect(google.requests).toHaveLength(1);
  });

  it('are added for builds that were uploaded before, and deleted when the operator switches them off', async () => {
    const build = await upload({ packageName: newPackage() });
    await app.sql('DELETE FROM android_registration');
    await app.runsJob('builds.watch-registrations');
    await check();
    expect((await read(build)).signing?.registration?.state).toBe('not_registered');
    const off = await TestApp.start({ beside: app, worker: false });
    try {
      await off.nest.get(RegistrationsService, { strict: false }).watchBuilds(off.systemContext);
      expect((await read(build)).signing?.registration).toBeNull();
      expect(codesOf(await read(build))).toEqual([]);
      expect(await app.sql('SELECT FROM android_registration')).toEqual([]);
    } finally {
      await off.stop();
    }
  });
});
