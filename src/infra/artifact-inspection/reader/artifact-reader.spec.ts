import { randomBytes } from 'node:crypto';
import {
  type AttributeInput,
  binaryXml,
  type ElementInput,
  protoField,
  protoResources,
  protoXml,
  type ResourceInput,
  resourceTable,
  signingBlock,
} from '../../../../test/support/artifacts/android-writer';
import { BufferSource } from '../../../../test/support/artifacts/buffer-source';
import { certificate, der, octets, octetsInPieces, signedData } from '../../../../test/support/artifacts/der-writer';
import { executable, fatExecutable } from '../../../../test/support/artifacts/macho-writer';
import { binaryPlist, binaryPlistOf, references, sized } from '../../../../test/support/artifacts/plist-writer';
import { png, pngChunk, webp } from '../../../../test/support/artifacts/png-writer';
import {
  aab,
  type AndroidOptions,
  apk,
  demoBundleResources,
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
import { isPng } from '../formats/image/png';
import { type InspectedAndroid, type InspectedIpa } from '../inspected-artifact';
import { readArtifact } from './artifact-reader';

const read = (bytes: Buffer, fileName: string) => readArtifact(new BufferSource(bytes), fileName);
const readIpa = async (options: IpaOptions = {}) => (await read(ipa(options), 'Demo.IPA')) as InspectedIpa;
const readApk = async (options: AndroidOptions = {}) => (await read(apk(options), 'demo.apk')) as InspectedAndroid;
const OTHER_FILE = {
  kind: 'other',
  platform: null,
  name: null,
  bundleId: null,
  version: null,
  buildNumber: null,
  minOsVersion: null,
  icon: null,
  signing: null,
  details: null,
};
/** A number, spelled in letters. */
const letters = (number: number): string => [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
const readAab = async (options: AndroidOptions = {}) => (await read(aab(options), 'demo.aab')) as InspectedAndroid;

describe('readArtifact for an .ipa', () => {
  // red when: only the start of the executable is read
  it.each([0, 8])('reads the UUIDs of a fat executable with its architectures far apart, method %s', async (method) => {
    const uuids = ['0a1b2c3d-0000-4000-8000-1234567890ab', '11111111-2222-3333-4444-555555555555'];
    const slices = uuids.map((uuid) => Buffer.concat([executable(uuid), randomBytes(300_000)]));
    const files = [{ name: 'Payload/Demo.app/Main', data: fatExecutable(slices), method }];
    const { executableUuids } = await readIpa({ info: { CFBundleExecutable: 'Main' }, files });
    expect(executableUuids).toEqual(uuids);
  });

  it.each([true, false])('reads the metadata of the Info.plist (binary: %s)', async (binary) => {
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
  ])('reads %s signing', async (distribution, deviceCount) => {
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

  // red when: the device ids are in the metadata that lists show, too
  it('returns device ids only among the details', async () => {
    const { details, ...metadata } = await readIpa();
    expect(JSON.stringify(metadata)).not.toContain('00008101-000000000000001E');
    expect(details?.devices).toEqual(['00008101-000000000000001E', '0'.repeat(40)]);
    expect((await readIpa({ distribution: 'enterprise' })).details?.devices).toBeNull();
    expect((await readIpa({ distribution: 'none' })).details).toMatchObject({ devices: null, entitlements: [] });
  });

  it('reads usage descriptions and the entitlements of the profile, sorted', async () => {
    const info = {
      NSMicrophoneUsageDescription: 'Records\u202e memos.',
      NSCameraUsageDescription: 'x'.repeat(600),
      NSUsageDescription: 'not a key',
      NSPhotoLibraryUsageDescription: 7,
    };
    expect((await readIpa({ info })).details).toMatchObject({
      permissions: ['NSCameraUsageDescription', 'NSMicrophoneUsageDescription', 'NSPhotoLibraryUsageDescription'],
      usageDescriptions: [
        { key: 'NSCameraUsageDescription', text: 'x'.repeat(500) },
        { key: 'NSMicrophoneUsageDescription', text: 'Records memos.' },
        { key: 'NSPhotoLibraryUsageDescription', text: '' },
      ],
      entitlements: [
        { key: 'application-identifier', values: ['ABCDE12345.com.example.demo'] },
        { key: 'aps-environment', values: ['production'] },
        { key: 'get-task-allow', values: ['false'] },
      ],
    });
  });

  it('bounds the number of facts', async () => {
    const info = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`NS${letters(at)}UsageDescription`, 'x']));
    expect((await readIpa({ info })).details?.permissions).toHaveLength(200);
  });

  it('reports no signing without a profile', async () => {
    expect((await readIpa({ distribution: 'none' })).signing.distribution).toBe('none');
  });

  const profile = Buffer.from(profilePlist());
  it.each([
    ['in a constructed OCTET STRING of indefinite length', signedData(octetsInPieces(profile))],
    ['without a CMS around it', profile],
    ['among other bytes', Buffer.concat([Buffer.from('noise'), profile, profile])],
    ['as a binary plist', signedData(octets(binaryPlist({ Name: 'x', ProvisionedDevices: ['a', 'b'] })))],
  ])('reads a profile %s', async (_, bytes) => {
    expect((await readIpa({ profile: bytes })).signing).toMatchObject({ distribution: 'adhoc', deviceCount: 2 });
  });

  it.each([
    ['random bytes', Buffer.alloc(900, 0x31)],
    ['no bytes', Buffer.alloc(0)],
    ['more than 512 KiB', Buffer.concat([profile, Buffer.alloc(600_000, 'random bytes, 1234567890')])],
    ['nested containers without end', Buffer.alloc(100_000, Buffer.from([0x30, 0x80]))],
    ['a CMS with a wrong length', Buffer.concat([Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]), der(0x30)])],
  ])('reports unknown signing with a profile of %s', async (_, bytes) => {
    const files = ipaFiles().map((file) =>
      String(file.name).endsWith('provision') ? { ...file, data: bytes, method: 0 } : file,
    );
    const app = (await read(zip(files), 'demo.ipa')) as InspectedIpa;
    expect(app.signing.distribution).toBe('unknown');
  });

  it('finds the Info.plist of the app after those of extensions and watch apps', async () => {
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
    [
      'no version at all',
      { without: ['CFBundleVersion', 'CFBundleShortVersionString'] },
      { version: null, buildNumber: null },
    ],
    ['a build variable for a name', { info: { CFBundleDisplayName: '${PRODUCT_NAME}' } }, { name: 'Demo' }],
    [
      'control characters in the name',
      { info: { CFBundleDisplayName: 'A\u202egpj & "B"\u0000' } },
      { name: 'Agpj & "B"' },
    ],
    ['a name of 9999 characters', { info: { CFBundleDisplayName: 'x'.repeat(9_999) } }, { name: 'x'.repeat(200) }],
    ['a simulator platform', { info: { CFBundleSupportedPlatforms: ['iPhoneSimulator'] } }, { target: 'simulator' }],
    ['the platform of Apple TV', { info: { CFBundleSupportedPlatforms: ['AppleTVOS'] } }, { target: 'tvos' }],
    [
      'family 3 alone',
      { info: { UIDeviceFamily: [3] }, without: ['CFBundleSupportedPlatforms'] },
      { target: 'tvos', deviceFamilies: ['tv'] },
    ],
    ['one family as a number', { info: { UIDeviceFamily: 2 } }, { deviceFamilies: ['ipad'] }],
  ] as [string, IpaOptions, Partial<InspectedIpa>][])('reads an app with %s', async (_, options, expected) => {
    expect(await readIpa(options)).toMatchObject(expected);
  });

  // red when: a whole number is no version, or an underscore is refused
  it('reads versions that are whole numbers, and an identifier with an underscore', async () => {
    const info = { CFBundleIdentifier: 'com.example.demo_beta', CFBundleShortVersionString: 7, CFBundleVersion: 42 };
    for (const binary of [true, false])
      expect(await readIpa({ info, binary })).toMatchObject({
        bundleId: 'com.example.demo_beta',
        version: '7',
        buildNumber: '42',
      });
  });

  it.each([
    ['zip64 records', { zip: { zip64: true } }],
    ['a comment of 64 KiB', { zip: { comment: Buffer.alloc(65_535, 'c') } }],
    ['stored files', { infoFile: { method: 0 } }],
  ] as [string, IpaOptions][])('reads an archive with %s', async (_, options) => {
    expect(await readIpa(options)).toMatchObject({ bundleId: 'com.example.demo' });
  });

  it('reads a binary plist with exponentially shared objects', async () => {
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

  it('treats a key `__proto__` as a plain key', async () => {
    await readIpa({ info: JSON.parse('{"__proto__": {"polluted": true}}') as Record<string, string> });
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('the icon of an .ipa', () => {
  const iconOf = async (icon: Buffer) => (await readIpa({ icon })).icon;
  const pixelOf = async (bytes: Buffer) => {
    const { inflateSync } = await import('node:zlib');
    const at = bytes.indexOf('IDAT');
    const rows = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)));
    return [...rows.subarray(-4)];
  };

  it.each([0, 1, 2])('is converted from CgBI to PNG (row filter %i)', async (filter) => {
    const icon = await iconOf(png({ cgbi: true, colour: [200, 100, 50, 255], filter }));
    expect(icon?.mediaType).toBe('image/png');
    expect(isPng(icon?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(icon?.bytes.includes('CgBI')).toBe(false);
    expect(await pixelOf(icon?.bytes ?? Buffer.alloc(0))).toEqual([200, 100, 50, 255]);
  });

  it('has colours that are no longer premultiplied by alpha', async () => {
    const icon = await iconOf(png({ cgbi: true, colour: [200, 100, 50, 128] }));
    expect(await pixelOf(icon?.bytes ?? Buffer.alloc(0))).toEqual([199, 100, 50, 128]);
  });

  it('has no chunks besides the picture', async () => {
    const icon = await iconOf(png({ extraChunks: [pngChunk('tEXt', Buffer.from('Comment\0<script>'))] }));
    expect(icon?.bytes.includes('script')).toBe(false);
    expect(await pixelOf(icon?.bytes ?? Buffer.alloc(0))).toEqual([200, 100, 50, 255]);
  });

  it('is the largest of several', async () => {
    const files = [{ name: 'Payload/Demo.app/AppIcon60x60@3x~ipad.png', data: png({ width: 90, height: 90 }) }];
    const { icon } = await readIpa({ files });
    expect(icon?.bytes.readUInt32BE(16)).toBe(90);
  });

  // red when: a name is the beginning of the names of other files
  it('is one of the files that the plist names, in any scale and for any kind of device', async () => {
    const tile = { name: 'Payload/Demo.app/Icon-background.png', data: png({ width: 300, height: 200 }) };
    const iconOfFiles = async (names: string[], ...files: string[]) => {
      const pictures = files.map((file) => ({
        name: `Payload/Demo.app/${file}`,
        data: png({ width: 90, height: 90 }),
      }));
      const info = { CFBundleIconFiles: names };
      const { icon } = await readIpa({ info, without: ['CFBundleIcons'], files: [tile, ...pictures] });
      return icon?.bytes.readUInt32BE(16);
    };
    expect(await iconOfFiles(['Icon.png'], 'Icon.png')).toBe(90);
    expect(await iconOfFiles(['Icon.png'], 'Icon@2x.png')).toBe(90);
    expect(await iconOfFiles(['Icon'], 'Icon60x60@2x~ipad.png')).toBe(90);
    expect(await iconOfFiles(['Icon.png'], 'Icon60x60@2x.png')).toBeUndefined();
    expect(await iconOfFiles(['Icon.png'])).toBeUndefined();
  });

  it.each([
    ['declares 60 000 by 60 000 pixels', png({ claims: { width: 60_000, height: 60_000 } })],
    ['declares more pixels than it has', png({ cgbi: true, claims: { width: 900, height: 900 } })],
    ['declares fewer pixels than it has', png({ claims: { width: 10, height: 10 } })],
    ['declares no pixels', png({ claims: { width: 0, height: 0 } })],
    ['is truncated', png().subarray(0, 80)],
    ['is HTML', Buffer.from('<html><script>alert(1)</script></html>')],
    ['has an unknown row filter', png({ cgbi: true, filter: 9 })],
  ])('is null when it %s', async (_, icon) => {
    expect((await readIpa({ icon })).icon).toBeNull();
  });

  it('is null when the plist names paths or patterns instead of files', async () => {
    const info = { CFBundleIcons: { CFBundlePrimaryIcon: { CFBundleIconFiles: ['../../../etc/x', '(a+)+$', '.*'] } } };
    expect((await readIpa({ info })).icon).toBeNull();
  });
});

describe('readArtifact for an .apk', () => {
  it.each([true, false])('reads the metadata of the manifest (UTF-8: %s)', async (utf8) => {
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
    ['no version', { versionCode: null, versionName: null }, { version: '0', buildNumber: '0', versionName: null }],
    ['a long version code', { versionCodeMajor: 3, versionCode: 7 }, { buildNumber: '12884901895' }],
    ['no version name', { versionName: null }, { version: '42', versionName: null }],
    ['spaces around the version name', { versionName: ' 1.0 ' }, { version: '1.0', versionName: ' 1.0 ' }],
    ['a version name that cannot be stored', { versionName: '1\0.0' }, { version: '1.0', versionName: '1.0' }],
    [
      'code names of previews',
      { minSdk: 'Baklava', targetSdk: 'VanillaIceCream' },
      { minSdk: null, targetSdk: null, minOsVersion: null },
    ],
    ['a version name in the resources', { versionName: { reference: RESOURCE.label } }, { version: 'Demo & <Beta>' }],
    ['a label in the manifest', { label: 'Plain' }, { name: 'Plain' }],
    ['a label that is not in the resources', { label: { reference: 0x7f0e001c } }, { name: 'com.example.demo' }],
    ['the flags debuggable and testOnly', { debuggable: true, testOnly: true }, { debuggable: true, testOnly: true }],
    ['an unknown API level', { minSdk: 99 }, { minOsVersion: 'API 99' }],
    ['damaged resources', { resources: Buffer.alloc(64, 7) }, { name: 'com.example.demo', icon: null }],
  ] as [string, AndroidOptions, Partial<InspectedAndroid>][])('reads an app with %s', async (_, options, expected) => {
    expect(await readApk(options)).toMatchObject(expected);
  });

  const usesSdk = (...attributes: AttributeInput[]): ElementInput => ({ name: 'uses-sdk', attributes });
  const minSdkVersion = (id: number, value: number, isAndroid = id !== 0): AttributeInput => ({
    name: 'minSdkVersion',
    id,
    value,
    isAndroid,
  });
  const MIN_SDK = 0x0101020c;

  // red when: an attribute of the app stands for one of the platform, or devices read another element
  it.each([
    ['an own attribute before it', [usesSdk(minSdkVersion(0, 33), minSdkVersion(MIN_SDK, 21))], 21],
    ['an own attribute after it', [usesSdk(minSdkVersion(MIN_SDK, 21), minSdkVersion(0, 33))], 21],
    ['an own attribute only', [usesSdk(minSdkVersion(0, 33))], null],
    ['the namespace without an id', [usesSdk(minSdkVersion(0, 33, true))], 33],
    [
      'the namespace without an id before the id',
      [usesSdk(minSdkVersion(0, 33, true), minSdkVersion(MIN_SDK, 21))],
      21,
    ],
    ['a second element', [usesSdk(minSdkVersion(MIN_SDK, 33)), usesSdk(minSdkVersion(MIN_SDK, 21))], 21],
    ['a second element without it', [usesSdk(minSdkVersion(MIN_SDK, 33)), usesSdk()], null],
  ] as [string, ElementInput[], number | null][])('reads minSdkVersion with %s', async (_, sdks, expected) => {
    const root = manifest();
    const children = [...sdks, ...(root.children ?? []).filter(({ name }) => name !== 'uses-sdk')];
    const changed = { ...root, children };
    expect(await readApk({ manifest: binaryXml(changed) })).toMatchObject({ minSdk: expected });
    expect(await readAab({ manifest: protoXml(changed) })).toMatchObject({ minSdk: expected });
  });

  it('takes the package from the attribute without a namespace', async () => {
    const root = manifest();
    const attributes = [
      { name: 'package', id: 0, value: 'com.example.other', isAndroid: true },
      ...(root.attributes ?? []),
    ];
    expect(await readApk({ manifest: binaryXml({ ...root, attributes }) })).toMatchObject({
      bundleId: 'com.example.demo',
    });
  });

  // red when: the type of the outer chunk is compared, which protected packages change
  it.each([0, 0x0108, 0xffff])('reads a manifest whose outer chunk has the type %i', async (type) => {
    const bytes = binaryXml(manifest());
    bytes.writeUInt16LE(type, 0);
    expect(await readApk({ manifest: bytes })).toMatchObject({ bundleId: 'com.example.demo' });
  });

  const drawable = (reference: number) => ({ name: 'drawable', id: 0x01010199, value: { reference } });
  const FOREGROUND = 0x7f020005;
  const icons = (...more: ResourceInput[]) =>
    resourceTable([{ id: RESOURCE.icon, density: 0xfffe, value: 'res/a.xml' }, ...more]);
  const iconOf = async (resources: Buffer, xml?: ElementInput) => {
    const files = [{ name: 'res/d.png', data: png({ width: 90, height: 90 }) }];
    const adaptive = xml ? [{ name: 'res/a.xml', data: binaryXml(xml) }] : [];
    return (await readApk({ resources, files: [...files, ...adaptive] })).icon?.bytes.readUInt32BE(16) ?? null;
  };

  // red when: a PNG in drawable-nodpi is no icon
  it('returns an icon without a density, after those with one', async () => {
    const nodpi = { id: RESOURCE.icon, density: 0xffff, value: 'res/d.png' };
    expect(await iconOf(icons(nodpi))).toBe(90);
    expect(await iconOf(icons(nodpi, { id: RESOURCE.icon, density: 160, value: 'res/b.png' }))).toBe(36);
  });

  // red when: an app without bitmaps of earlier systems has no icon
  it.each<[string, ElementInput[]]>([
    ['a drawable', [{ name: 'foreground', attributes: [drawable(FOREGROUND)] }]],
    [
      'an inset',
      [
        { name: 'foreground', children: [{ name: 'inset', attributes: [drawable(FOREGROUND)] }] },
        { name: 'monochrome' },
      ],
    ],
    [
      'a bitmap',
      [
        {
          name: 'foreground',
          children: [
            { name: 'bitmap', attributes: [{ name: 'src', id: 0x01010119, value: { reference: FOREGROUND } }] },
          ],
        },
      ],
    ],
  ])('returns the foreground of an adaptive icon that is %s', async (_, parts) => {
    const background = { name: 'background', attributes: [drawable(0x7f060000)] };
    const xml = { name: 'adaptive-icon', children: [background, ...parts] };
    expect(await iconOf(icons({ id: FOREGROUND, density: 640, value: 'res/d.png' }), xml)).toBe(90);
  });

  it.each<[string, ElementInput | undefined]>([
    ['that is missing', undefined],
    ['that is a vector', { name: 'vector', children: [{ name: 'foreground', attributes: [drawable(FOREGROUND)] }] }],
    [
      'without a foreground',
      { name: 'adaptive-icon', children: [{ name: 'background', attributes: [drawable(FOREGROUND)] }] },
    ],
    [
      'whose foreground refers to itself',
      { name: 'adaptive-icon', children: [{ name: 'foreground', attributes: [drawable(RESOURCE.icon)] }] },
    ],
  ])('returns no icon for an adaptive icon %s', async (_, xml) => {
    expect(await iconOf(icons({ id: FOREGROUND, density: 640, value: 'res/d.png' }), xml)).toBeNull();
  });

  it('is not rejected for a damaged adaptive icon', async () => {
    const files = [{ name: 'res/a.xml', data: 'x', lies: { crc: 7 } }];
    expect((await readApk({ resources: icons(), files })).icon).toBeNull();
  });

  it('returns the icon of the highest density, here a WebP', async () => {
    expect((await readApk()).icon).toEqual({ mediaType: 'image/webp', bytes: webp() });
  });

  it('falls back to a smaller icon when the largest one is not an image', async () => {
    const resources = resourceTable([
      { id: RESOURCE.icon, density: 640, value: 'AndroidManifest.xml.png' },
      { id: RESOURCE.icon, density: 160, value: 'res/b.png' },
    ]);
    expect((await readApk({ resources })).icon?.mediaType).toBe('image/png');
  });

  it.each([
    ['a WebP of 16 000 by 16 000 pixels', webp(16_000, 16_000)],
    ['a truncated WebP', webp().subarray(0, 25)],
    ['an animated WebP', Buffer.from('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\x0f\0\0\x0f\0\0', 'latin1')],
  ])('returns no icon for %s', async (_, icon) => {
    const resources = resourceTable([{ id: RESOURCE.icon, density: 640, value: 'res/d.webp' }]);
    expect((await readApk({ resources, files: [{ name: 'res/d.webp', data: icon }] })).icon).toBeNull();
  });

  it.each([0, 1, 40_000])('finds a label at index %d among sparse entries', async (index) => {
    const id = RESOURCE.label + 3 + index;
    const resources = resourceTable([
      { id, sparse: true, value: { reference: RESOURCE.icon } },
      { id: RESOURCE.icon, sparse: false, value: 'Sparse' },
    ]);
    expect(await readApk({ label: { reference: id }, resources })).toMatchObject({ name: 'Sparse' });
    expect(await readApk({ label: { reference: id + 9 }, resources })).toMatchObject({ name: 'com.example.demo' });
  });

  it('ignores resources that reference each other in a cycle', async () => {
    const resources = resourceTable([
      { id: RESOURCE.label, value: { reference: RESOURCE.icon } },
      { id: RESOURCE.icon, value: { reference: RESOURCE.label } },
    ]);
    expect(await readApk({ resources })).toMatchObject({ name: 'com.example.demo', icon: null });
  });

  it('finds attributes by resource id when their names are removed', async () => {
    const shrunk = manifest({ label: 'Plain' });
    const nameless = JSON.parse(JSON.stringify(shrunk), (key, value: { id?: number; name?: string }) =>
      value.id ? { ...value, name: '' } : value,
    ) as typeof shrunk;
    expect(await readApk({ manifest: binaryXml(nameless) })).toMatchObject({ name: 'Plain', version: '1.2.3' });
  });
});

describe('the signing of an .apk', () => {
  const subject = { C: 'DE', O: 'Example GmbH', CN: 'Release' };

  it.each<AndroidOptions['schemes'] & object>([['v1'], ['v2'], ['v1', 'v2', 'v3'], ['v2', 'v3', 'v3.1']])(
    'lists the schemes from %s on, and the certificate',
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

  it('has no scheme when the package is unsigned', async () => {
    expect((await readApk({ schemes: [] })).signing).toMatchObject({ schemes: [], certificateSha256: null });
  });

  it('reports a debug certificate', async () => {
    const { signing } = await readApk({ subject: { C: 'US', O: 'Android', CN: 'Android Debug' } });
    expect(signing.debugCertificate).toBe(true);
  });

  it.each([
    ['two different sizes', { head: 9_999n }],
    ['a size beyond the file', { foot: 1n << 40n, head: 1n << 40n }],
    ['a size of 0', { foot: 0n, head: 0n }],
    ['pairs of length 0', { pairLength: 0n }],
    ['pairs of length 2^64 - 1', { pairLength: (1n << 64n) - 1n }],
  ])('has no certificate when the signing block has %s', async (_, lies) => {
    const block = signingBlock({ v2: certificate(subject) }, lies);
    expect((await readApk({ signingBlock: block })).signing.certificateSha256).toBeNull();
  });
});

describe('readArtifact for an .aab', () => {
  it('reads the metadata of the protocol buffer manifest', async () => {
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

  it('uses the package name when there are no resources', async () => {
    expect(await readAab()).toMatchObject({ name: 'com.example.demo', icon: null });
  });

  // red when: the resources of a bundle are ignored
  it('reads the label and the icon of the highest density from the resources', async () => {
    const app = await readAab({ resources: demoBundleResources() });
    expect(app.name).toBe('Demo & <Beta>');
    expect(app.icon).toEqual({ mediaType: 'image/webp', bytes: webp() });
  });

  it.each([
    ['in a cycle', [{ id: RESOURCE.label, value: { reference: RESOURCE.label } }], 'com.example.demo'],
    ['of a missing resource', [{ id: RESOURCE.label, value: { reference: 0x7f0e001c } }], 'com.example.demo'],
    [
      'to another resource',
      [
        { id: RESOURCE.label, value: { reference: RESOURCE.flag + 7 } },
        { id: RESOURCE.flag + 7, value: 'Referenced' },
      ],
      'Referenced',
    ],
  ])('follows references %s', async (_, resources, name) => {
    expect(await readAab({ resources: protoResources(resources) })).toMatchObject({ name });
  });

  it('loses only the label and the icon when the resources are damaged', async () => {
    const resources = demoBundleResources();
    for (let at = 1; at < resources.length; at += 7) {
      expect(await readAab({ resources: resources.subarray(0, at) })).toMatchObject({ bundleId: 'com.example.demo' });
    }
  });

  // red when: each lookup, or each entry, counts as much as it has bytes
  it('reads the label beside a hundred thousand other entries', async () => {
    const entry = protoField(3, Buffer.concat([protoField(1, protoField(1, 9)), protoField(2, Buffer.from('x'))]));
    const type = Buffer.concat([protoField(1, protoField(1, 1)), ...Array.from({ length: 100_000 }, () => entry)]);
    const more = protoField(2, Buffer.concat([protoField(1, protoField(1, 0x7f)), protoField(3, type)]));
    const resources = Buffer.concat([demoBundleResources(), more]);
    expect(await readAab({ resources })).toMatchObject({ name: 'Demo & <Beta>' });
  });
});

describe('the permissions of an Android package', () => {
  const permissions = ['android.permission.INTERNET', 'android.permission.CAMERA', 'android.permission.CAMERA', ''];

  // red when: attributes of another format are not found
  it.each([
    ['.apk', readApk],
    ['.aab', readAab],
  ])('are read from an %s, sorted and each once', async (_, readPackage) => {
    expect((await readPackage({ permissions })).details).toMatchObject({
      permissions: ['android.permission.CAMERA', 'android.permission.INTERNET'],
      usageDescriptions: [],
      entitlements: [],
      devices: null,
    });
    expect((await readPackage()).details?.permissions).toEqual([]);
  });
});

describe('the flag debuggable', () => {
  const flag = (value: boolean) => [
    { id: RESOURCE.flag, value: { reference: RESOURCE.flag + 1 } },
    { id: RESOURCE.flag + 1, value },
  ];
  const debuggable = { reference: RESOURCE.flag };

  // red when: only a literal value counts
  it.each([true, false])('is read through a resource (%s)', async (value) => {
    expect(await readApk({ debuggable, resources: resourceTable(flag(value)) })).toMatchObject({ debuggable: value });
    expect(await readAab({ debuggable, resources: protoResources(flag(value)) })).toMatchObject({ debuggable: value });
  });

  it('is false when the resource is missing', async () => {
    expect(await readApk({ debuggable, resources: resourceTable([]) })).toMatchObject({ debuggable: false });
  });
});

describe('readArtifact for debug files', () => {
  const archive = (...names: string[]): Buffer => zip(names.map((name) => ({ name, data: name })));
  const DWARF = 'Demo.app.dSYM/Contents/Resources/DWARF/Demo';

  it.each<[string, string, Buffer, 'dsym' | 'mapping' | undefined]>([
    ['an archive with debug symbols', 'symbols.zip', archive('Demo.app.dSYM/Contents/Info.plist', DWARF), 'dsym'],
    ['an archive named like debug symbols', 'Demo.app.dSYM.zip', Buffer.from('not a zip'), 'dsym'],
    [
      'an archive with an app and its debug symbols',
      'Demo.zip',
      archive('Demo.app/Contents/MacOS/Demo', DWARF),
      undefined,
    ],
    ['the output of R8', 'r8.zip', archive('release/mapping.txt', 'release/seeds.txt', 'release/usage.txt'), 'mapping'],
    ['a mapping', 'app-mapping.txt', Buffer.from('com.example.A -> a.a:'), 'mapping'],
    ['an app with a file mapping.txt', 'Game.zip', archive('mapping.txt', 'game.exe'), undefined],
    ['a damaged archive', 'Demo.zip', archive(DWARF).subarray(0, 50), undefined],
  ])('recognizes %s', async (_, fileName, bytes, debugFiles) => {
    expect(await read(bytes, fileName)).toEqual({ ...OTHER_FILE, ...(debugFiles && { debugFiles }) });
  });
});

it.each(['setup.exe', 'Demo.dmg', 'Demo.pkg', 'demo.zip', 'demo.tar.gz', 'demo.AppImage', 'demo'])(
  'readArtifact does not parse %s',
  async (fileName) => {
    expect(await read(Buffer.from('anything'), fileName)).toMatchObject({
      kind: 'other',
      platform: null,
      version: null,
    });
  },
);
