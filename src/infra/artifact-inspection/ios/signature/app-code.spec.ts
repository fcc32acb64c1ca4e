import { BufferSource } from '../../../../../test/support/artifacts/buffer-source';
import { certificate, jarBlock, name } from '../../../../../test/support/artifacts/der-writer';
import { CPU, executable, fatExecutable } from '../../../../../test/support/artifacts/macho-writer';
import { superBlob } from '../../../../../test/support/artifacts/signed/code-signature';
import { signedInfo, signedIpa, type SignedIpaOptions } from '../../../../../test/support/artifacts/signed/signed-ipa';
import { DEMO_ID, profilePlist } from '../../../../../test/support/artifacts/valid-artifacts';
import { type InspectedIpa } from '../../inspected-artifact';
import { readArtifact } from '../../reader/artifact-reader';

const UUID = '0a1b2c3d-0000-4000-8000-1234567890ab';
const ALL = ['info_plist', 'code_resources', 'entitlements', 'signer', 'certificate', 'files'];
const OTHER = certificate({ CN: 'Other' }, 7, new Date('2031-01-01'));
const signedByOther = (directory: Buffer): Buffer => jarBlock(directory, OTHER, name({ CN: 'Other' }));
const inspect = async (options: SignedIpaOptions) =>
  (await readArtifact(new BufferSource(signedIpa(options)), 'demo.ipa')) as InspectedIpa;
/** The problems, each as `code bundle subject`. */
const problemsOf = async (options: SignedIpaOptions) =>
  (await inspect(options)).code?.problems.map((problem) =>
    [problem.code, problem.bundle, problem.subject].filter((part) => part !== null).join(' '),
  );
const SHARE = 'PlugIns/Share.appex';
const share = { bundleId: `${DEMO_ID}.share` };
const profileWith = (devices: string, distribution: 'adhoc' | 'enterprise' = 'adhoc'): string =>
  profilePlist({ distribution, applicationId: `ABCDE12345.${share.bundleId}` }).replace(
    /<string>00008101-000000000000001E<\/string>/,
    devices,
  );

describe('the code signature of an app', () => {
  it.each([
    ['ad hoc', {}],
    ['development', { distribution: 'development' }],
    ['enterprise', { distribution: 'enterprise' }],
    ['two hash functions', { code: { hashes: ['sha1', 'sha256'] } }],
    ['SHA-384', { code: { hashes: ['sha384'] } }],
    ['resources in another language', { files: { 'de.lproj/a.strings': 'x', 'Icon.png': 'y' } }],
    ['an extension', { nested: { [SHARE]: share } }],
    ['a watch app', { nested: { 'Watch/W.app': { bundleId: `${DEMO_ID}.watch` } } }],
    ['a framework of another vendor', { nested: { 'Frameworks/A.framework': { bundleId: 'org.a', profile: null } } }],
  ] as [string, SignedIpaOptions][])('has no problem: %s', async (_, options) => {
    const { code } = await inspect(options);
    expect(code?.problems).toEqual([]);
    expect(code?.checks).toEqual(ALL);
  });

  it('has the certificate of the signer, and its expiry', async () => {
    const profile = profilePlist({}).replace(/<array><data>[^<]*<\/data><\/array>/, (list) =>
      list.replace('</array>', `<data>${OTHER.toString('base64')}</data></array>`),
    );
    const { code, signing } = await inspect({ profile, code: { cms: signedByOther } });
    expect(code?.problems).toEqual([]);
    expect(code?.certificate?.subject).toBe('CN=Other');
    // The profile has another certificate, which expires in 2045.
    expect(signing.certificateExpiresAt).toEqual(new Date('2031-01-01T00:00:00Z'));
  });

  const changedInfo = signedInfo({ CFBundleVersion: '43' });
  it.each([
    ['a changed Info.plist', { afterwards: { 'Info.plist': changedInfo } }, ['info_changed']],
    [
      'a changed Info.plist, with SHA-1 first',
      { afterwards: { 'Info.plist': changedInfo }, code: { hashes: ['sha1', 'sha256'] } },
      ['info_changed'],
    ],
    [
      'a changed list of files',
      { afterwards: { '_CodeSignature/CodeResources': '<plist/>' } },
      ['code_resources_changed'],
    ],
    ['a missing list of files', { afterwards: { '_CodeSignature/CodeResources': null } }, ['code_resources_changed']],
    [
      'a replaced profile',
      { afterwards: { 'embedded.mobileprovision': 'x' } },
      ['file_changed embedded.mobileprovision'],
    ],
    ['a removed file', { files: { 'a.json': 'x' }, afterwards: { 'a.json': null } }, ['file_missing a.json']],
    ['a removed translation', { files: { 'de.lproj/a': 'x' }, afterwards: { 'de.lproj/a': null } }, []],
    ['an added file', { afterwards: { 'b.json': 'x' } }, ['file_added b.json']],
    ['a file of the Finder', { afterwards: { '.DS_Store': 'x' } }, []],
    ['no certificate', { code: { adHoc: true } }, ['ad_hoc']],
    ['no signature', { executable: () => executable(UUID, { cpu: CPU.arm64, fileType: 2 }) }, ['unsigned']],
    ['a certificate outside of the profile', { code: { cms: signedByOther } }, ['certificate_not_in_profile']],
    [
      'a signature of something else',
      { code: { cms: () => signedByOther(Buffer.from('something else')) } },
      ['signature_invalid'],
    ],
    ['encrypted code', { macho: { encrypted: true } }, ['encrypted']],
    ['code that was decrypted', { macho: { encrypted: false } }, []],
    ['code for the simulator', { macho: { platform: 7 } }, ['simulator']],
    ['32-bit code', { macho: { cpu: CPU.arm, bits: 32 } }, ['only_32_bit']],
    ['code for Intel processors', { macho: { cpu: CPU.x86_64 } }, ['no_arm_code']],
    ['another identifier', { code: { identifier: 'com.example.x' } }, ['other_identifier com.example.x']],
    [
      'an entitlement that the profile lacks',
      { entitlements: { 'com.apple.developer.healthkit': true } },
      ['entitlement_not_granted com.apple.developer.healthkit'],
    ],
    ['an entitlement that is off', { entitlements: { 'com.apple.developer.healthkit': false } }, []],
    [
      'debugging that the profile does not allow',
      { entitlements: { 'get-task-allow': true } },
      ['entitlement_not_granted get-task-allow'],
    ],
    [
      'the identifier of another app',
      { entitlements: { 'application-identifier': 'ABCDE12345.com.example.x' } },
      ['entitlement_not_granted application-identifier'],
    ],
    ['a profile for all apps of the team', { profileFor: '*' }, []],
  ] as [string, SignedIpaOptions, string[]][])('has the problem of %s', async (_, options, problems) => {
    expect(await problemsOf(options)).toEqual(problems);
  });

  it('finds a problem in one architecture of several', async () => {
    const options = { cpu: CPU.arm64, fileType: 2 };
    const fat = (signature: Buffer) =>
      fatExecutable([executable(UUID, { ...options, cpu: CPU.arm }), executable(UUID, { ...options, signature })]);
    expect(await problemsOf({ executable: fat })).toEqual(['unsigned']);
  });
});

describe('the code signatures of bundles inside an app', () => {
  it.each([
    [
      'a bundle id outside of the app',
      { bundleId: 'com.other' },
      ['bundle_id_outside_app PlugIns/Share.appex com.other'],
    ],
    [
      'a profile of another bundle',
      { ...share, profileFor: 'com.x' },
      [
        'profile_of_other_app PlugIns/Share.appex com.x',
        'entitlement_not_granted PlugIns/Share.appex application-identifier',
      ],
    ],
    ['no profile', { ...share, profile: null }, [`profile_missing PlugIns/Share.appex ${share.bundleId}`]],
    ['an App Store profile', { ...share, distribution: 'appstore' }, ['profile_of_app_store PlugIns/Share.appex']],
    [
      'a profile of no device of the app',
      { ...share, profile: profileWith('').replace(`<string>${'0'.repeat(40)}</string>`, '<string>a</string>') },
      ['no_common_device PlugIns/Share.appex'],
    ],
    [
      'a profile without some devices',
      { ...share, profile: profileWith('') },
      ['some_other_devices PlugIns/Share.appex 1'],
    ],
    ['a profile for all devices', { ...share, profile: profileWith('', 'enterprise') }, []],
    ['an unreadable profile', { ...share, profile: 'x' }, []],
    ['no certificate', { ...share, code: { adHoc: true } }, ['ad_hoc PlugIns/Share.appex']],
  ] as [string, SignedIpaOptions, string[]][])('have the problem of %s', async (_, extension, problems) => {
    expect(await problemsOf({ nested: { [SHARE]: extension } })).toEqual(problems);
  });

  it('need no profile of their own when that of the app is for them', async () => {
    expect(await problemsOf({ profileFor: '*', nested: { [SHARE]: { ...share, profile: null } } })).toEqual([]);
  });

  it('are compared with the seals of the app, too', async () => {
    const info = signedInfo({ CFBundleIdentifier: share.bundleId, CFBundleVersion: '99' });
    expect(await problemsOf({ nested: { [SHARE]: share }, afterwards: { [`${SHARE}/Info.plist`]: info } })).toEqual([
      'info_changed PlugIns/Share.appex',
      'file_changed PlugIns/Share.appex/Info.plist',
    ]);
  });

  it('have expiries of their own, with a certificate that is not that of the app', async () => {
    const expiresAt = new Date('2029-01-01T00:00:00Z');
    const { code } = await inspect({ nested: { [SHARE]: { ...share, expiresAt, code: { cms: signedByOther } } } });
    expect(code?.expiries).toEqual([
      { bundle: SHARE, profile: '2029-01-01T00:00:00.000Z', certificate: '2031-01-01T00:00:00.000Z' },
    ]);
  });

  it('are judged when they are frameworks and libraries', async () => {
    const framework = { bundleId: 'org.a', profile: null, code: { adHoc: true }, macho: { fileType: 6 } };
    const library = executable(UUID, { cpu: CPU.arm64, fileType: 6 });
    expect(
      await problemsOf({
        nested: { 'Frameworks/A.framework': framework },
        files: { 'Frameworks/b.dylib': library.toString('latin1') },
        afterwards: { 'Frameworks/b.dylib': library },
      }),
    ).toEqual(['ad_hoc Frameworks/A.framework', 'unsigned Frameworks/b.dylib']);
  });
});

describe('the code signature of a hostile app', () => {
  const replaced = (signature: Buffer) => ({
    executable: () => executable(UUID, { cpu: CPU.arm64, fileType: 2, signature }),
  });
  const blobs = (...offsets: number[]): Buffer => {
    const bytes = superBlob(offsets.map((_, index) => [index, Buffer.alloc(0)] as const));
    offsets.forEach((offset, index) => bytes.writeUInt32BE(offset, 16 + index * 8));
    return bytes;
  };

  it.each([
    ['nothing', Buffer.alloc(8)],
    ['zeros', Buffer.alloc(1000)],
    ['a count of four billion', Buffer.from('fade0cc0000000ffffffffff0000', 'hex')],
    ['blobs that contain themselves', blobs(0, 0, 0, 0)],
    ['blobs outside', blobs(0xffffffff, 0x7fffffff)],
    ['a blob without a directory', superBlob([[5, Buffer.from('fade717100000008', 'hex')]])],
  ])('counts as not checked: %s', async (_, signature) => {
    const { code } = await inspect(replaced(signature));
    expect(code).toMatchObject({ checks: ['files'], problems: [] });
  });

  // red when: a limit of the check rejects the app
  it('counts as not checked when it exceeds a limit', async () => {
    const many = Object.fromEntries(Array.from({ length: 9000 }, (_, index) => [`f${index}`, '']));
    const { code } = await inspect({ files: many });
    expect(code?.problems).toEqual([]);
    expect(code?.checks).not.toContain('files');
  });

  it('is judged for a limited number of bundles', async () => {
    const nested = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`PlugIns/P${index}.appex`, { bundleId: 'com.other' }]),
    );
    expect(await problemsOf({ nested })).toHaveLength(30);
  });

  it('never throws and never blames an app whose signature has flipped bytes elsewhere than in its parts', async () => {
    for (let seed = 0; seed < 60; seed += 1) {
      const flipped = (signature: Buffer): Buffer => {
        const bytes = Buffer.from(signature);
        bytes[(seed * 37) % bytes.length]! ^= 1 << (seed % 8);
        return executable(UUID, { cpu: CPU.arm64, fileType: 2, signature: bytes });
      };
      expect((await inspect({ executable: flipped })).kind).toBe('ipa');
    }
  });
});
