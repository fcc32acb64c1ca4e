import { type InspectedIpa } from '#infra/artifact-inspection/inspected-artifact';
import { readArtifact } from '#infra/artifact-inspection/reader/artifact-reader';
import { messagesFor } from '#infra/pages/messages/messages';
import { BufferSource } from '../../../../../test/support/artifacts/buffer-source';
import { CPU, executable } from '../../../../../test/support/artifacts/macho-writer';
import { signedInfo, signedIpa, type SignedIpaOptions } from '../../../../../test/support/artifacts/signed/signed-ipa';
import { DEMO_ID } from '../../../../../test/support/artifacts/valid-artifacts';
import { artifactValidity, installability, warningsOf } from './artifact-warnings';

const NOW = new Date('2030-06-01T12:00:00Z');
const SHARE = 'PlugIns/Share.appex';
const share = { bundleId: `${DEMO_ID}.share` };
const PAST = new Date('2020-06-01T00:00:00Z');

const inspect = async (options: SignedIpaOptions) =>
  (await readArtifact(new BufferSource(signedIpa(options)), 'demo.ipa')) as InspectedIpa;
async function judge(options: SignedIpaOptions) {
  const artifact = await inspect(options);
  return { codes: warningsOf(artifact, NOW).map(({ code }) => code), ...installability(artifact, NOW) };
}

describe('warnings and installability of an .ipa, from its code signatures', () => {
  it.each([
    ['a correct signature', {}, [], null],
    [
      'an Info.plist that was changed after signing',
      { afterwards: { 'Info.plist': signedInfo({ CFBundleVersion: '43' }) } },
      ['code_signature_broken'],
      'code_signature_broken',
    ],
    ['a file that was added after signing', { afterwards: { 'a.txt': '' } }, ['file_not_signed'], null],
    [
      'an executable without a signature',
      { executable: () => executable('0'.repeat(32), { cpu: CPU.arm64, fileType: 2 }) },
      ['unsigned'],
      'unsigned',
    ],
    ['a signature without a certificate', { code: { adHoc: true } }, ['unsigned'], 'unsigned'],
    ['code from the App Store', { macho: { encrypted: true } }, ['app_store_encrypted'], 'app_store_encrypted'],
    [
      'code from the App Store without a profile',
      { macho: { encrypted: true }, profile: null },
      ['app_store_encrypted', 'unsigned'],
      'app_store_encrypted',
    ],
    ['code for the simulator', { macho: { platform: 7 } }, ['simulator'], 'simulator'],
    ['32-bit code for iOS 15', { macho: { cpu: CPU.arm } }, ['architecture_unsupported'], 'architecture_unsupported'],
    [
      '32-bit code for iOS 9',
      { macho: { cpu: CPU.arm }, info: { MinimumOSVersion: '9.0' } },
      ['architecture_unsupported'],
      null,
    ],
    [
      'an entitlement that the profile lacks',
      { entitlements: { 'com.apple.developer.healthkit': true } },
      ['entitlement_not_granted'],
      null,
    ],
    [
      'debugging that the profile does not allow',
      { entitlements: { 'get-task-allow': true } },
      ['entitlement_not_granted'],
      'entitlement_not_granted',
    ],
    [
      'an extension with an expired profile',
      { nested: { [SHARE]: { ...share, expiresAt: PAST } } },
      ['nested_profile_expired'],
      'nested_profile_expired',
    ],
    [
      'a watch app with an expired profile, without which the iPhone installs the app',
      { nested: { 'Watch/W.app': { ...share, expiresAt: PAST } } },
      ['nested_profile_expired'],
      null,
    ],
    [
      'an extension whose profile expires in 10 days',
      { nested: { [SHARE]: { ...share, expiresAt: new Date('2030-06-11T00:00:00Z') } } },
      ['nested_profile_expires_soon'],
      null,
    ],
    [
      'an extension outside of the app',
      { nested: { [SHARE]: { bundleId: 'com.other' } } },
      ['nested_bundle_id'],
      'nested_bundle_id',
    ],
    [
      'an extension of the App Store',
      { nested: { [SHARE]: { ...share, distribution: 'appstore' } } },
      ['nested_app_store_signed'],
      'nested_app_store_signed',
    ],
    [
      'an App Store app, whatever is wrong with its signature',
      { distribution: 'appstore', code: { adHoc: true } },
      ['app_store_signed'],
      'app_store_signed',
    ],
  ] as [string, SignedIpaOptions, string[], string | null][])('follow from: %s', async (_, options, codes, reason) => {
    expect(await judge(options)).toEqual({ codes, reason, installable: reason === null });
  });

  it('name the words of the phone, the file, and what to do next', async () => {
    const app = await inspect({ files: { 'a.json': 'x' }, afterwards: { 'a.json': null } });
    expect(warningsOf(app, NOW)[0]?.message).toBe(
      'The file a.json was removed after signing. iPhones say that the app "could not be installed because its integrity could not be verified". Do not change the app after signing: sign it again as the last step.',
    );
  });

  // red when: a page is kept although the profile of an extension has expired since
  it('change when the profile of an extension expires', async () => {
    const expiresAt = new Date('2030-06-20T00:00:00Z');
    const app = await inspect({ nested: { [SHARE]: { ...share, expiresAt } } });
    expect(artifactValidity(app, NOW)).toEqual({
      from: expiresAt.getTime() - 30 * 86_400_000,
      until: expiresAt.getTime(),
    });
  });

  it('are empty for builds that were uploaded before code signatures were read', async () => {
    const { code: _, ...app } = await inspect({ code: { adHoc: true } });
    expect(warningsOf(app, NOW)).toEqual([]);
  });

  it.each(['en', 'de'] as const)('have a text for testers in %s', (locale) => {
    const texts: Readonly<Record<string, string>> = messagesFor(locale).install.warnings;
    for (const code of CODES) expect([code, texts[code]]).toEqual([code, expect.any(String)]);
  });
});

const CODES = [
  'app_store_encrypted',
  'architecture_unsupported',
  'certificate_not_in_profile',
  'code_signature_broken',
  'entitlement_not_granted',
  'file_not_signed',
  'nested_app_store_signed',
  'nested_bundle_id',
  'nested_certificate_expired',
  'nested_certificate_expires_soon',
  'nested_devices_differ',
  'nested_profile_expired',
  'nested_profile_expires_soon',
  'nested_profile_missing',
];

// red when: a problem that a later release stored fails the reading of a build
it('a problem that only a later release knows is no warning', async () => {
  const artifact = await inspect({});
  const problems = [{ code: 'toString' as 'unsigned', bundle: null, subject: null }];
  expect(warningsOf({ ...artifact, code: { ...artifact.code!, problems } }, NOW)).toEqual([]);
});
