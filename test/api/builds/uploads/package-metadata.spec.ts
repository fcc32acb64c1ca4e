import { parse as dispositionOf } from 'content-disposition';
import { parse } from 'plist';
import { type BuildJson, type Developer, type ProjectRef, scope } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { forged } from '../../../support/artifacts/signed/forgeries';
import { signedInfo, signedIpa } from '../../../support/artifacts/signed/signed-ipa';
import { apk, ipa } from '../../../support/artifacts/valid-artifacts';
import { rawRequest, type RawResponse } from '../../../support/load/raw-http';

const IPHONE = {
  Accept: 'text/html',
  'User-Agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Safari/604.1',
};
const ANDROID = {
  Accept: 'text/html',
  'User-Agent': 'Mozilla/5.0 (Linux; Android 14) Chrome/140.0 Mobile Safari/537.36',
};

/** Metadata of packages, from the upload to the install page and the manifest. */
describe('package metadata', () => {
  let app: TestApp;
  let ann: Developer;
  let project: ProjectRef;
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
  });
  beforeEach(async () => {
    project = await ann.createsProject(await ann.createsOrganization());
  });
  afterAll(() => app.stop());

  const uploads = (bytes: Buffer, fileName: string): Promise<BuildJson> => ann.uploads(project, { bytes, fileName });
  const pathOf = ({ install_url }: BuildJson): string => new URL(install_url).pathname;
  const open = (path: string, headers = {}): Promise<RawResponse> => rawRequest(app.url + path, { headers });
  const codesOf = ({ warnings }: BuildJson): string[] => warnings.map(({ code }) => code);

  // red when: the manifest is written without escaping a value, or itmsServicesUrl does not encode the URL
  it.each([
    ['A & B <"β"> 🚀', 'A & B <"β"> 🚀'],
    ['X', 'X 1.2.3'],
    [']]></string><key>x</key>', ']]></string><key>x</key>'],
    ['a\r\nb', 'a b'],
    ['\u202eevil\u0007', 'evil'],
  ])('name %j gives a valid manifest with the title %j', async (name, title) => {
    const build = await uploads(ipa({ info: { CFBundleDisplayName: name } }), 'a & b.ipa');
    const xml = (await open(`${pathOf(build)}/manifest.plist`)).text;
    expect(xml.replace(/&(amp|lt|gt|quot|#xD);/g, '')).not.toContain('&');
    const { items } = parse(xml) as unknown as {
      items: { assets: { url: string }[]; metadata: Record<string, string> }[];
    };
    expect(items[0]!.metadata).toMatchObject({ title, 'bundle-identifier': 'com.example.demo', kind: 'software' });
    expect((await open(new URL(items[0]!.assets[0]!.url).pathname)).status).toBe(200);
    const page = (await open(pathOf(build), IPHONE)).text;
    const link = /href="itms-services:\/\/\?action=download-manifest&amp;url=([^"]+)"/.exec(page)?.[1];
    expect(link).toBe(encodeURIComponent(`${build.install_url}/manifest.plist`));
  });

  // red when: installActions or InstallService.requireOverTheAir ignores `notInstallable`
  it.each([
    ['signed for the App Store', ipa({ distribution: 'appstore' }), 'app_store_signed', 'signed for the App Store'],
    [
      'for the simulator',
      ipa({ info: { CFBundleSupportedPlatforms: ['iPhoneSimulator'] } }),
      'simulator',
      'cannot run on a device',
    ],
    ['tvOS', ipa({ info: { CFBundleSupportedPlatforms: ['AppleTVOS'], UIDeviceFamily: [3] } }), 'tvos', 'Apple TV'],
    ['expired', ipa({ expiresAt: new Date('2020-01-01') }), 'profile_expired', 'has expired'],
    ['unsigned', ipa({ distribution: 'none' }), 'unsigned', 'not signed'],
    [
      'changed after signing',
      signedIpa({ afterwards: { 'Info.plist': signedInfo({ CFBundleVersion: '43' }) } }),
      'code_signature_broken',
      'integrity could not be verified',
    ],
    [
      'with an extension of another profile',
      signedIpa({
        nested: { 'PlugIns/Share.appex': { bundleId: 'com.example.demo.share', expiresAt: new Date('2020-06-01') } },
      }),
      'nested_profile_expired',
      'has expired',
    ],
  ])('shows a reason instead of the install button for a build that is %s', async (_name, bytes, code, words) => {
    const build = await uploads(bytes, 'a.ipa');
    expect([build['installable'], codesOf(build)]).toEqual([false, expect.arrayContaining([code])]);
    const { text } = await open(pathOf(build), IPHONE);
    expect(text).not.toContain('itms-services');
    expect(text).toContain('This version cannot be installed from here');
    expect(text).toContain(words);
    expect((await open(`${pathOf(build)}/manifest.plist`)).status).toBe(400);
  });

  // red when: info-plist does not clean the name, receive-form does not clean the file name, download-headers builds the
  // header by hand, or install-card.eta does not escape the name
  it.each(['a\u0000b\ud800c', 'a\r\nSet-Cookie: b', '\u202etxt.exe\u202c', '../../x"; filename="y'])(
    'a name like %j is cleaned in JSON, pages and headers',
    async (name) => {
      const build = await uploads(
        ipa({ info: { CFBundleDisplayName: name } }),
        `${name.replace(/[\u0000\r\n\ud800]/g, ' ')}.ipa`,
      );
      const { body } = await ann.get(`/builds/${build.id}?${scope(project)}`).expect(200);
      const { app: about, file_name: fileName } = body as { app: { name: string }; file_name: string };
      for (const text of [about.name, fileName]) expect(text).not.toMatch(/[\u0000\ud800-\udfff\u202a-\u202e]/);
      const page = await open(pathOf(build), IPHONE);
      expect(page.status).toBe(200);
      expect(page.text).not.toMatch(/[\u0000\u202a-\u202e]|x"; filename="y/);
      const { url } = (await ann.post(`/builds/${build.id}/download-url?${scope(project)}`).expect(200)).body as {
        url: string;
      };
      const { status, headers } = await open(new URL(url).pathname);
      expect([status, headers['set-cookie']]).toEqual([200, undefined]);
      // RFC 6266: exactly one file name, even if it contains quotes.
      const { type, parameters } = dispositionOf(headers['content-disposition'] ?? '');
      expect([type, parameters['filename']]).toEqual(['attachment', expect.stringMatching(/\.ipa$/)]);
    },
  );

  it('names what was compared with the code signature of an app, and its certificate', async () => {
    const { signing, warnings, installable } = await uploads(signedIpa(), 'a.ipa');
    expect([warnings, installable]).toEqual([[], true]);
    expect(signing).toMatchObject({
      checks: ['info_plist', 'code_resources', 'entitlements', 'signer', 'certificate', 'files'],
      certificate_subject: 'CN=Apple Distribution: Example GmbH',
      certificate_verified: true,
      verified: null,
    });
    expect((await uploads(apk(), 'a.apk'))['signing']).toMatchObject({ checks: null });
  });

  // red when: the page does not read the version of the system, or keeps the page of one iPhone for another
  it('tells an iPhone that its system is too old, and another iPhone nothing', async () => {
    const path = pathOf(await uploads(ipa({ info: { MinimumOSVersion: '17.0' } }), 'a.ipa'));
    const iphone = (version: string) => ({ ...IPHONE, 'User-Agent': IPHONE['User-Agent'].replace('18_5', version) });
    for (const headers of [iphone('16_7'), IPHONE, iphone('16_7')]) {
      const isOld = headers !== IPHONE;
      const { text } = await open(path, headers);
      expect(text.includes('This version needs iOS 17.0 or later')).toBe(isOld);
      expect(text.includes('Try to install here anyway')).toBe(isOld);
      expect(text).toContain('itms-services');
    }
  });

  // red when: buildCard omits the warnings, so that only developers see them
  it('warnings about installation are in the response and on the install page', async () => {
    const old = await uploads(apk({ schemes: ['v1'], targetSdk: 34 }), 'v1.apk');
    expect(codesOf(old)).toContain('v1_signature_only');
    expect((await open(pathOf(old), ANDROID)).text).toContain('Android 11 and newer reject');
    const debug = await uploads(apk({ subject: { C: 'US', O: 'Android', CN: 'Android Debug' } }), 'debug.apk');
    expect(codesOf(debug)).toEqual(expect.arrayContaining(['debug_certificate', 'certificate_changed']));
    const { text } = await open(pathOf(debug), { ...ANDROID, 'Accept-Language': 'de' });
    for (const code of codesOf(debug)) expect(text).toContain(`data-code="${code}"`);
    expect(text).toContain('Testschlüssel');
    expect(text).toContain('mit einem anderen Schlüssel signiert als die vorige Version');
  });

  // red when: the page says of every broken signature that all devices reject the app
  it('a broken signature that only old devices use names them on the install page, which offers the app', async () => {
    const genuine = ['v1', 'v2', 'v3'] as const;
    const bytes = forged({ minSdk: 21, genuine, forged: 'v2', algorithm: 0x0421, isFirst: true });
    const build = await uploads(bytes, 'forged.apk');
    expect([build.installable, codesOf(build)]).toEqual([true, expect.arrayContaining(['signature_broken'])]);
    const { text } = await open(pathOf(build), ANDROID);
    expect(text).toContain('data-code="signature_broken"');
    expect(text).toContain('Android 7 and 8 is not valid, so these devices reject it.');
    const german = (await open(pathOf(build), { ...ANDROID, 'Accept-Language': 'de' })).text;
    expect(german).toContain('Android 7 und 8 ist nicht gültig');
  });
});
