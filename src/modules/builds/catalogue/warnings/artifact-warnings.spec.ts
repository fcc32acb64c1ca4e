import { type InspectedAndroid } from '#infra/artifact-inspection/inspected-artifact';
import { readArtifact } from '#infra/artifact-inspection/reader/artifact-reader';
import { type ElementInput, signingBlock } from '../../../../../test/support/artifacts/android-writer';
import { BufferSource } from '../../../../../test/support/artifacts/buffer-source';
import { certificate } from '../../../../../test/support/artifacts/der-writer';
import { elf } from '../../../../../test/support/artifacts/elf-writer';
import { forged as forgedPackage, type Forgery } from '../../../../../test/support/artifacts/signed/forgeries';
import {
  aab,
  type AndroidOptions,
  apk,
  ipa,
  type IpaOptions,
} from '../../../../../test/support/artifacts/valid-artifacts';
import { type ZipFile } from '../../../../../test/support/artifacts/zip-writer';
import { installability, warningsOf } from './artifact-warnings';

const BROKEN = ['signature_broken'];
const NOW = new Date('2030-06-01T12:00:00Z');
const platforms = (name: string): IpaOptions => ({ info: { CFBundleSupportedPlatforms: [name] } });

async function judge(bytes: Buffer, fileName: string) {
  const artifact = await readArtifact(new BufferSource(bytes), fileName);
  return { codes: warningsOf(artifact, NOW).map(({ code }) => code), ...installability(artifact, NOW) };
}

describe('warnings and installability of an .ipa', () => {
  it.each([
    ['ad hoc distribution', {}, [], null],
    ['development distribution', { distribution: 'development' }, [], null],
    ['enterprise distribution', { distribution: 'enterprise' }, [], null],
    ['App Store distribution', { distribution: 'appstore' }, ['app_store_signed'], 'app_store_signed'],
    ['no signature', { distribution: 'none' }, ['unsigned'], 'unsigned'],
    ['a simulator build', { ...platforms('iPhoneSimulator'), distribution: 'none' }, ['simulator'], 'simulator'],
    ['an Apple TV app', platforms('AppleTVOS'), ['tvos'], 'tvos'],
    ['an Apple Watch app', platforms('WatchOS'), ['watchos'], 'watchos'],
    ['a Vision Pro app', platforms('XROS'), ['visionos'], null],
    ['an unreadable profile', { profile: Buffer.alloc(9) }, ['profile_unreadable'], null],
    ['an expired profile', { expiresAt: new Date('2030-06-01T12:00:00Z') }, ['profile_expired'], 'profile_expired'],
    [
      'a profile that expires in 30 days',
      { expiresAt: new Date('2030-07-01T12:00:00Z') },
      ['profile_expires_soon'],
      null,
    ],
    ['a profile that expires in 30 days and a second', { expiresAt: new Date('2030-07-01T12:00:01Z') }, [], null],
    ['a profile for all apps of the team', { applicationId: 'ABCDE12345.*' }, [], null],
    ['a profile with a matching wildcard', { applicationId: 'ABCDE12345.com.example.*' }, [], null],
    ['a profile of another app', { applicationId: 'ABCDE12345.com.example.other' }, ['profile_for_other_app'], null],
    [
      'a profile of an app with a shorter id',
      { applicationId: 'ABCDE12345.com.example.dem' },
      ['profile_for_other_app'],
      null,
    ],
  ] as [string, IpaOptions, string[], string | null][])('follow from: %s', async (_, options, codes, reason) => {
    expect(await judge(ipa(options), 'demo.ipa')).toEqual({ codes, reason, installable: reason === null });
  });
});

const library = (abi: string, method: number): ZipFile => ({
  name: `lib/${abi}/libdemo.so`,
  data: 'so',
  method,
  align: 16_384,
});
const UNEXPORTED: ElementInput = {
  name: 'activity',
  children: [{ name: 'intent-filter', children: [{ name: 'action' }] }],
};

describe('warnings and installability of an .apk', () => {
  it.each([
    ['a correct release build', {}, [], null],
    ['no signature', { schemes: [] }, ['unsigned'], 'unsigned'],
    ['only a v1 signature with target API 30', { schemes: ['v1'], targetSdk: 30 }, ['v1_signature_only'], null],
    ['only a v1 signature with target API 29', { schemes: ['v1'], targetSdk: 29 }, [], null],
    [
      'only a v1 signature with minimum API 30',
      { schemes: ['v1'], minSdk: 30 },
      ['v1_signature_only'],
      'v1_signature_only',
    ],
    ['v1 and v2 signatures', { schemes: ['v1', 'v2'] }, [], null],
    ['a debug key', { subject: { C: 'US', O: 'Android', CN: 'Android Debug' } }, ['debug_certificate'], null],
    ['the testOnly flag', { testOnly: true }, ['test_only'], 'test_only'],
    ['the debuggable flag', { debuggable: true }, ['debuggable'], null],
    [
      'a signature without contents',
      { signingBlock: signingBlock({ v2: certificate({ CN: 'x' }) }) },
      BROKEN,
      BROKEN[0],
    ],
    ['no v1 signature with minimum API 23', { minSdk: 23 }, ['v1_signature_missing'], null],
    ['target API 22', { minSdk: 21, targetSdk: 22 }, ['v1_signature_missing', 'target_sdk_too_low'], null],
    ['target API 23', { schemes: ['v1', 'v2'], minSdk: 21, targetSdk: 23 }, ['target_sdk_too_low'], null],
    ['target API 24', { targetSdk: 24 }, [], null],
    ['a preview', { targetSdk: 'Cinnamon' }, ['preview_sdk'], null],
    ['the base of a split app', { isSplitRequired: true }, ['splits_missing'], 'splits_missing'],
    ['a base with types of splits', { requiredSplitTypes: 'base__abi' }, ['splits_missing'], 'splits_missing'],
    ['compressed resources', { resourcesFile: { method: 8 } }, ['resources_compressed'], null],
    ['compressed resources with target API 29', { resourcesFile: { method: 8 }, targetSdk: 29 }, [], null],
    [
      'compressed resources with minimum API 30',
      { resourcesFile: { method: 8 }, minSdk: 30 },
      ['resources_compressed'],
      'resources_compressed',
    ],
    ['resources at an odd offset', { resourcesFile: { misalign: 1 } }, ['resources_unaligned'], null],
    ['a component without exported', { components: [UNEXPORTED] }, ['exported_missing'], null],
    ['a component without exported with target API 30', { components: [UNEXPORTED], targetSdk: 30 }, [], null],
    [
      'a component without exported with minimum API 31',
      { components: [UNEXPORTED], minSdk: 31 },
      ['exported_missing'],
      'exported_missing',
    ],
    [
      'libraries that must be unpacked and are not',
      { extractNativeLibs: false, abis: ['arm64-v8a'] },
      ['libraries_compressed'],
      'libraries_compressed',
    ],
    [
      'libraries that only newer devices do not unpack',
      { extractNativeLibs: false, abis: ['arm64-v8a'], schemes: ['v1', 'v2'], minSdk: 21 },
      ['libraries_compressed'],
      null,
    ],
    [
      'faulty libraries of one of two processors',
      { extractNativeLibs: false, files: [library('arm64-v8a', 8), library('armeabi-v7a', 0)] },
      ['libraries_compressed'],
      null,
    ],
    [
      'libraries at odd offsets',
      { extractNativeLibs: false, files: [{ ...library('arm64-v8a', 0), misalign: 4 }] },
      ['libraries_unaligned'],
      'libraries_unaligned',
    ],
    [
      'libraries of small pages on small pages',
      { extractNativeLibs: false, files: [{ ...library('arm64-v8a', 0), data: elf([4096n]), misalign: 4096 }] },
      ['page_size_16_kib'],
      null,
    ],
    ['libraries for 32 bits', { abis: ['armeabi-v7a', 'x86'] }, ['only_32_bit_libraries'], null],
    ['libraries for phones with 64 bits', { abis: ['arm64-v8a', 'armeabi-v7a'] }, [], null],
    ['libraries for emulators', { abis: ['x86', 'x86_64'] }, ['no_arm_libraries'], null],
  ] as [string, AndroidOptions, string[], string | null][])('follow from: %s', async (_, options, codes, reason) => {
    expect(await judge(apk(options), 'demo.apk')).toEqual({ codes, reason, installable: reason === null });
  });
});

describe('the message of a warning about an .apk', () => {
  it.each<[string, AndroidOptions, RegExp]>([
    ['the processors', { abis: ['x86'] }, /for x86 only.*INSTALL_FAILED_NO_MATCHING_ABIS/],
    [
      'the component',
      { components: [UNEXPORTED] },
      /"activity" has an intent filter.*Android 12.*INSTALL_PARSE_FAILED_MANI/,
    ],
    ['Android 15', { targetSdk: 23 }, /^The app targets API 23, so Android 15 and newer/],
    [
      'the devices and the file',
      { extractNativeLibs: false, files: [library('arm64-v8a', 8), library('x86', 0)] },
      /devices that use arm64-v8a refuse it .*res=-2\): "lib\/arm64-v8a\/libdemo\.so" is compressed/,
    ],
  ])('names %s', async (_, options, message) => {
    const artifact = await readArtifact(new BufferSource(apk(options)), 'demo.apk');
    expect(warningsOf(artifact, NOW)[0]?.message).toMatch(message);
  });
});

it('a fault that only a later release knows is no warning', async () => {
  const artifact = (await readArtifact(new BufferSource(apk()), 'demo.apk')) as InspectedAndroid;
  const faults = [{ code: 'toString' as 'preview_sdk', subject: null }];
  expect(warningsOf({ ...artifact, faults }, NOW)).toEqual([]);
});

describe('warnings and installability of an .apk that was changed after it was signed', () => {
  const changed = (options: AndroidOptions): Buffer => {
    const bytes = Buffer.from(apk(options));
    // An attribute in the directory, which parsers ignore.
    const at = bytes.readUInt32LE(bytes.length - 6) + 38;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  };

  it('say what to do', async () => {
    const artifact = await readArtifact(new BufferSource(changed({})), 'demo.apk');
    expect(warningsOf(artifact, NOW)).toEqual([
      {
        code: 'signature_broken',
        message:
          'Devices reject the app: the file was changed or damaged after it was signed: it does not match its v2 signature. Upload the file as the build made it, or sign it again with apksigner.',
      },
    ]);
    expect(installability(artifact, NOW)).toEqual({ installable: false, reason: 'signature_broken' });
  });

  const forgedWith = async (forged: Partial<Forgery>) => {
    const all = {
      minSdk: 21,
      genuine: ['v1', 'v2'],
      forged: 'v3',
      algorithm: 0x0421,
      isFirst: false,
      ...forged,
    } as const;
    return readArtifact(new BufferSource(forgedPackage(all)), 'demo.apk');
  };

  // red when: a package that some devices reject is called installable, or the warning names other devices
  it.each<[string, Partial<Forgery>, string]>([
    ['v3 beside v1 and v2', {}, 'Android 9 and newer reject the app'],
    ['v3.1 beside v1 and v2', { forged: 'v3.1' }, 'Android 13 and newer reject the app'],
    ['v2 beside v1', { genuine: ['v1'], forged: 'v2' }, 'Android 7 and newer reject the app'],
    ['v2 alone', { genuine: ['v2'], minSdk: 24, forged: 'v2', isFirst: true }, 'Devices reject the app'],
  ])('block it when the newest block is forged: %s', async (_, forged, start) => {
    const artifact = await forgedWith(forged);
    expect(warningsOf(artifact, NOW)[0]?.message).toMatch(new RegExp(`^${start}`));
    expect(installability(artifact, NOW)).toEqual({ installable: false, reason: 'signature_broken' });
  });

  it('do not block it when only the block of older devices is forged', async () => {
    const artifact = await forgedWith({ genuine: ['v1', 'v2', 'v3'], forged: 'v2', isFirst: true });
    expect(warningsOf(artifact, NOW)[0]?.message).toMatch(/^Android 7 and 8 reject the app/);
    expect(installability(artifact, NOW)).toEqual({ installable: true, reason: null });
  });

  it('do not block it when only the oldest devices do not know the algorithm', async () => {
    const bytes = apk({ schemes: ['v1'], minSdk: 18, targetSdk: 29 });
    const artifact = await readArtifact(new BufferSource(bytes), 'demo.apk');
    expect(warningsOf(artifact, NOW)[0]?.message).toMatch(/^The oldest devices of the app reject the app: the v1/);
    expect(installability(artifact, NOW)).toEqual({ installable: true, reason: null });
  });

  it('are absent for builds that were uploaded before signatures were verified', async () => {
    const artifact = await readArtifact(new BufferSource(changed({})), 'demo.apk');
    const old = JSON.parse(
      JSON.stringify(artifact, (key, value: unknown) => (key === 'verification' ? undefined : value)),
    ) as typeof artifact;
    expect(warningsOf(old, NOW)).toEqual([]);
  });
});

it('warns that an .aab cannot be installed', async () => {
  expect(await judge(aab(), 'demo.aab')).toEqual({ codes: ['app_bundle'], reason: 'app_bundle', installable: false });
});

it.each([
  ['Demo.app.dSYM.zip', 'dsym_archive'],
  ['mapping.txt', 'mapping_archive'],
])('warns that %s is not an app', async (fileName, code) => {
  expect(await judge(Buffer.from('x'), fileName)).toEqual({ codes: [code], reason: null, installable: true });
});

it('has no warnings about files that are not parsed', async () => {
  expect(await judge(Buffer.from('x'), 'demo.dmg')).toEqual({ codes: [], reason: null, installable: true });
});
