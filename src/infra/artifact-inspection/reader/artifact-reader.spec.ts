import { BufferSource } from '../../../../test/support/artifacts/buffer-source';
import { binaryXml, resourceTable, signingBlock } from '../../../../test/support/artifacts/android-writer';
import { certificate, der, octets, octetsInPieces, signedData } from '../../../../test/support/artifacts/der-writer';
import { binaryPlist, binaryPlistOf, references, sized } from '../../../../test/support/artifacts/plist-writer';
import { png, pngChunk, webp } from '../../../../test/support/artifacts/png-writer';
import {
  aab,
  type AndroidOptions,
  apk,
  type Distribution,
  infoPlist,
  ipa,
  ipaFiles,
  type IpaOptions,
  manifest,
  profilePlist,
  RESOURCE,
} from '../../../../test/support/artifacts/valid-artifacts';
import { zip } from '../../../../test/support/artifacts/zip-writer';
import { readArtifact } from './artifact-reader';
import { type InspectedAndroid, type InspectedIpa } from '../inspected-artifact';
import { isPng } from '../formats/image/png';

const read = (bytes: Buffer, fileName: string) => readArtifact(new BufferSource(bytes), fileName);
const readIpa = async (options: IpaOptions = {}) => (await read(ipa(options), 'Demo.IPA')) as InspectedIpa;
const readApk = async (options: AndroidOptions = {}) => (await read(apk(options), 'demo.apk')) as InspectedAndroid;
const readAab = async (options: AndroidOptions = {}) => (await read(aab(options), 'demo.aab')) as InspectedAndroid;

describe('an .ipa', () => {
  it.each([true, false])('says who it is (binary plist: %s)', async (binary) => {
    expect(await readIpa({ binary })).toMatchObject({
      kind: 'ipa',
      platform: 'ios',
      name: 'Demo App',
      bundleId: 'com.example.demo',
      version: '1.2.3',
      buildNumber: '42',
      minOsVersion: '15.0',
      target: 'ios',
      deviceFamilies: ['iphone', 'ipad'],
    });
  });

  it.each<[Distribution, number | null]>([
    ['development', 2],
    ['adhoc', 2],
    ['enterprise', null],
    ['appstore', null],
  ])('knows %s signing', async (distribution, deviceCount) => {
    const { signing } = await readIpa({ distribution });
    expect(signing).toEqual({
      platform: 'ios',
      distribution,
      profileName: `Demo ${distribution}`,
      teamId: 'ABCDE12345',
      teamName: 'Example GmbH',
      applicationId: 'ABCDE12345.com.example.demo',
      expiresAt: new Date('2040-01-01T00:00:00Z'),
      certificateExpiresAt: new Date('2045-01-01T00:00:00Z'),
      deviceCount,
      pushEnvironment: 'production',
    });
  });

  it('never lets a device id out', async () => {
    expect(JSON.stringify(await readIpa())).not.toContain('00008101-000000000000001E');
  });

  it('is not signed without a profile', async () => {
    expect((await readIpa({ distribution: 'none' })).signing.distribution).toBe('none');
  });

  const profile = Buffer.from(profilePlist());
  it.each([
    ['in pieces of indefinite length', signedData(octetsInPieces(profile))],
    ['bare', profile],
    ['in something that is not CMS', Buffer.concat([Buffer.from('noise'), profile, profile])],
    ['as a binary plist', signedData(octets(binaryPlist({ Name: 'x', ProvisionedDevices: ['a', 'b'] })))],
  ])('reads a profile %s', async (_, bytes) => {
    expect((await readIpa({ profile: bytes })).signing).toMatchObject({ distribution: 'adhoc', deviceCount: 2 });
  });

  it.each([
    ['noise', Buffer.alloc(900, 0x31)],
    ['nothing', Buffer.alloc(0)],
    ['more than 512 KiB', Buffer.concat([profile, Buffer.alloc(600_000, 'random bytes, 1234567890')])],
    ['a profile full of open containers', Buffer.alloc(100_000, Buffer.from([0x30, 0x80]))],
    ['a CMS whose length lies', Buffer.concat([Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]), der(0x30)])],
  ])('is of unknown signing with a profile of %s', async (_, bytes) => {
    const files = ipaFiles().map((file) =>
      String(file.name).endsWith('provision') ? { ...file, data: bytes, method: 0 } : file,
    );
    const app = (await read(zip(files), 'demo.ipa')) as InspectedIpa;
    expect(app.signing.distribution).toBe('unknown');
  });

  it('is found behind extensions, watch apps and junk that come first', async () => {
    const other = infoPlist({ info: { CFBundleIdentifier: 'com.example.other' } });
    const before = ['PlugIns/X.appex/', 'Watch/W.app/', 'Base.lproj/M.storyboardc/'].map((path) => ({
      name: `Payload/Demo.app/${path}Info.plist`,
      data: other,
    }));
    const junk = { name: '__MACOSX/Payload/Demo.app/._Info.plist', data: 'x' };
    expect(await read(zip([...before, junk, ...ipaFiles()]), 'demo.ipa')).toMatchObject({
      bundleId: 'com.example.demo',
    });
  });

  it.each([
    ['a folder with spaces and umlauts', { folder: 'Payload/sehr schöne App.app/' }, { name: 'Demo App' }],
    ['no short version', { without: ['CFBundleShortVersionString'] }, { version: '42', buildNumber: '42' }],
    ['no build version', { without: ['CFBundleVersion'] }, { version: '1.2.3', buildNumber: '1.2.3' }],
    ['neither', { without: ['CFBundleVersion', 'CFBundleShortVersionString'] }, { version: null, buildNumber: null }],
    ['a build variable for a name', { info: { CFBundleDisplayName: '${PRODUCT_NAME}' } }, { name: 'Demo' }],
    ['a misleading name', { info: { CFBundleDisplayName: 'A\u202egpj & "B"\u0000' } }, { name: 'Agpj & "B"' }],
    ['an endless name', { info: { CFBundleDisplayName: 'x'.repeat(9_999) } }, { name: 'x'.repeat(200) }],
    ['a simulator platform', { info: { CFBundleSupportedPlatforms: ['iPhoneSimulator'] } }, { target: 'simulator' }],
    ['the platform of Apple TV', { info: { CFBundleSupportedPlatforms: ['AppleTVOS'] } }, { target: 'tvos' }],
    [
      'family 3 alone',
      { info: { UIDeviceFamily: [3] }, without: ['CFBundleSupportedPlatforms'] },
      { target: 'tvos', deviceFamilies: ['tv'] },
    ],
    ['one family as a number', { info: { UIDeviceFamily: 2 } }, { deviceFamilies: ['ipad'] }],
  ] as [string, IpaOptions, Partial<InspectedIpa>][])('with %s', async (_, options, expected) => {
    expect(await readIpa(options)).toMatchObject(expected);
  });

  it.each([
    ['zip64 records', { zip: { zip64: true } }],
    ['a comment of 64 KiB', { zip: { comment: Buffer.alloc(65_535, 'c') } }],
    ['stored files', { infoFile: { method: 0 } }],
  ] as [string, IpaOptions][])('may have %s', async (_, options) => {
    expect(await readIpa(options)).toMatchObject({ bundleId: 'com.example.demo' });
  });

  it('reads a plist once that is shared exponentially', async () => {
    const text = (value: string): Buffer => Buffer.concat([sized(5, value.length), Buffer.from(value)]);
    const levels = Array.from({ length: 50 }, (_, at) => references(0xa, 2, [at + 6, at + 6]));
    const objects = [
      references(0xd, 2, [1, 2, 3, 5]),
      text('CFBundleIdentifier'),
      text('junk'),
      text('com.example.demo'),
    ];
    const data = binaryPlistOf([...objects, Buffer.from([9]), ...levels, Buffer.from([9])]);
    expect(await readIpa({ infoFile: { data } })).toMatchObject({ name: 'com.example.demo' });
  });

  it('keeps a key called __proto__ a key', async () => {
    await readIpa({ info: JSON.parse('{"__proto__": {"polluted": true}}') as Record<string, string> });
    expect({}).not.toHaveProperty('polluted');
  });
});

describe("an .ipa's icon", () => {
  const iconOf = async (icon: Buffer) => (await readIpa({ icon })).icon;
  const pixelOf = async (bytes: Buffer) => {
    const { inflateSync } = await import('node:zlib');
    const at = bytes.indexOf('IDAT');
    const rows = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)));
    return [...rows.subarray(-4)];
  };

  it.each([0, 1, 2])('becomes a real PNG out of CgBI (row filter %i)', async (filter) => {
    const icon = await iconOf(png({ cgbi: true, colour: [200, 100, 50, 255], filter }));
    expect(icon?.mediaType).toBe('image/png');
    expect(isPng(icon?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(icon?.bytes.includes('CgBI')).toBe(false);
    expect(await pixelOf(icon?.bytes ?? Buffer.alloc(0))).toEqual([200, 100, 50, 255]);
  });

  it('gets its colours back from alpha', async () => {
    const icon = await iconOf(png({ cgbi: true, colour: [200, 100, 50, 128] }));
    expect(await pixelOf(icon?.bytes ?? Buffer.alloc(0))).toEqual([199, 100, 50, 128]);
  });

  it('loses what is not picture', async () => {
    const icon = await iconOf(png({ extraChunks: [pngChunk('tEXt', Buffer.from('Comment\0<script>'))] }));
    expect(icon?.bytes.includes('script')).toBe(false);
    expect(await pixelOf(icon?.bytes ?? Buffer.alloc(0))).toEqual([200, 100, 50, 255]);
  });

  it('is the largest there is', async () => {
    const files = [{ name: 'Payload/Demo.app/AppIcon60x60@3x~ipad.png', data: png({ width: 90, height: 90 }) }];
    const { icon } = await readIpa({ files });
    expect(icon?.bytes.readUInt32BE(16)).toBe(90);
  });

  it.each([
    ['claims 60 000 pixels', png({ claims: { width: 60_000, height: 60_000 } })],
    ['claims more pixels than it has', png({ cgbi: true, claims: { width: 900, height: 900 } })],
    ['claims fewer pixels than it has', png({ claims: { width: 10, height: 10 } })],
    ['claims no pixels', png({ claims: { width: 0, height: 0 } })],
    ['is cut off', png().subarray(0, 80)],
    ['is HTML', Buffer.from('<html><script>alert(1)</script></html>')],
    ['has an unknown row filter', png({ cgbi: true, filter: 9 })],
  ])('is left out when it %s', async (_, icon) => {
    expect((await readIpa({ icon })).icon).toBeNull();
  });

  it('comes from no path that the plist makes up', async () => {
    const info = { CFBundleIcons: { CFBundlePrimaryIcon: { CFBundleIconFiles: ['../../../etc/x', '(a+)+$', '.*'] } } };
    expect((await readIpa({ info })).icon).toBeNull();
  });
});

describe('an .apk', () => {
  it.each([true, false])('says who it is (UTF-8: %s)', async (utf8) => {
    expect(await readApk({ utf8, abis: ['x86_64', 'arm64-v8a'] })).toMatchObject({
      kind: 'apk',
      platform: 'android',
      name: 'Demo & <Beta>',
      bundleId: 'com.example.demo',
      version: '1.2.3',
      buildNumber: '42',
      minOsVersion: '7.0',
      minSdk: 24,
      targetSdk: 34,
      abis: ['arm64-v8a', 'x86_64'],
      debuggable: false,
      testOnly: false,
    });
  });

  it.each([
    ['a long version code', { versionCodeMajor: 3, versionCode: 7 }, { buildNumber: '12884901895' }],
    ['no version name', { versionName: null }, { version: '42' }],
    ['a version name in the resources', { versionName: { reference: RESOURCE.label } }, { version: 'Demo & <Beta>' }],
    ['a label of its own', { label: 'Plain' }, { name: 'Plain' }],
    ['a label nobody knows', { label: { reference: 0x7f0e001c } }, { name: 'com.example.demo' }],
    ['flags', { debuggable: true, testOnly: true }, { debuggable: true, testOnly: true }],
    ['a future API level', { minSdk: 99 }, { minOsVersion: 'API 99' }],
    ['resources of noise', { resources: Buffer.alloc(64, 7) }, { name: 'com.example.demo', icon: null }],
  ] as [string, AndroidOptions, Partial<InspectedAndroid>][])('with %s', async (_, options, expected) => {
    expect(await readApk(options)).toMatchObject(expected);
  });

  it('has the icon of the highest density, a WebP', async () => {
    expect((await readApk()).icon).toEqual({ mediaType: 'image/webp', bytes: webp() });
  });

  it('falls back to a smaller icon when the large one is a lie', async () => {
    const resources = resourceTable([
      { id: RESOURCE.icon, density: 640, value: 'AndroidManifest.xml.png' },
      { id: RESOURCE.icon, density: 160, value: 'res/b.png' },
    ]);
    expect((await readApk({ resources })).icon?.mediaType).toBe('image/png');
  });

  it.each([
    ['a giant', webp(16_000, 16_000)],
    ['one that ends early', webp().subarray(0, 25)],
    ['an animation', Buffer.from('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\x0f\0\0\x0f\0\0', 'latin1')],
  ])('has no WebP icon out of %s', async (_, icon) => {
    const resources = resourceTable([{ id: RESOURCE.icon, density: 640, value: 'res/d.webp' }]);
    expect((await readApk({ resources, files: [{ name: 'res/d.webp', data: icon }] })).icon).toBeNull();
  });

  it('survives resources that refer to each other for ever', async () => {
    const resources = resourceTable([
      { id: RESOURCE.label, value: { reference: RESOURCE.icon } },
      { id: RESOURCE.icon, value: { reference: RESOURCE.label } },
    ]);
    expect(await readApk({ resources })).toMatchObject({ name: 'com.example.demo', icon: null });
  });

  it('is read by resource ids where the names are shrunk away', async () => {
    const shrunk = manifest({ label: 'Plain' });
    const nameless = JSON.parse(JSON.stringify(shrunk), (key, value: { id?: number; name?: string }) =>
      value.id ? { ...value, name: '' } : value,
    ) as typeof shrunk;
    expect(await readApk({ manifest: binaryXml(nameless) })).toMatchObject({ name: 'Plain', version: '1.2.3' });
  });
});

describe("an .apk's signature", () => {
  const subject = { C: 'DE', O: 'Example GmbH', CN: 'Release' };

  it.each<AndroidOptions['schemes'] & object>([['v1'], ['v2'], ['v1', 'v2', 'v3'], ['v2', 'v3', 'v3.1']])(
    'is read from %s',
    async (...schemes) => {
      const { signing } = await readApk({ schemes });
      expect(signing).toMatchObject({
        schemes,
        certificateSubject: 'CN=Release, O=Example GmbH, C=DE',
        debugCertificate: false,
      });
      expect(signing.certificateSha256).toMatch(/^[0-9a-f]{64}$/);
    },
  );

  it('is none without one', async () => {
    expect((await readApk({ schemes: [] })).signing).toMatchObject({ schemes: [], certificateSha256: null });
  });

  it('may be made with a debug key', async () => {
    const { signing } = await readApk({ subject: { C: 'US', O: 'Android', CN: 'Android Debug' } });
    expect(signing.debugCertificate).toBe(true);
  });

  it.each([
    ['two sizes', { head: 9_999n }],
    ['a size beyond the file', { foot: 1n << 40n, head: 1n << 40n }],
    ['a size of nothing', { foot: 0n, head: 0n }],
    ['pairs of no length', { pairLength: 0n }],
    ['pairs of endless length', { pairLength: (1n << 64n) - 1n }],
  ])('is none in a block with %s', async (_, lies) => {
    const block = signingBlock({ v2: certificate(subject) }, lies);
    expect((await readApk({ signingBlock: block })).signing.certificateSha256).toBeNull();
  });
});

describe('an .aab', () => {
  it('says who it is, by its protocol buffer', async () => {
    expect(await readAab({ label: 'Plain', abis: ['x86'], versionCodeMajor: 1 })).toMatchObject({
      kind: 'aab',
      platform: 'android',
      name: 'Plain',
      bundleId: 'com.example.demo',
      version: '1.2.3',
      buildNumber: String(2 ** 32 + 42),
      minSdk: 24,
      targetSdk: 34,
      abis: ['x86'],
    });
  });

  it('is named by its package when the label is in the resources', async () => {
    expect(await readAab()).toMatchObject({ name: 'com.example.demo' });
  });
});

it.each(['setup.exe', 'Demo.dmg', 'Demo.pkg', 'demo.zip', 'demo.tar.gz', 'demo.AppImage', 'demo'])(
  '%s is taken as it is',
  async (fileName) => {
    expect(await read(Buffer.from('anything'), fileName)).toMatchObject({
      kind: 'other',
      platform: null,
      version: null,
    });
  },
);
