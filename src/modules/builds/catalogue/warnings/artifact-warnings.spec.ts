import { BufferSource } from '../../../../../test/support/artifacts/buffer-source';
import {
  aab,
  type AndroidOptions,
  apk,
  ipa,
  type IpaOptions,
} from '../../../../../test/support/artifacts/valid-artifacts';
import { readArtifact } from '#infra/artifact-inspection/reader/artifact-reader';
import { installability, warningsOf } from './artifact-warnings';

const NOW = new Date('2030-06-01T12:00:00Z');
const platforms = (name: string): IpaOptions => ({ info: { CFBundleSupportedPlatforms: [name] } });

async function judge(bytes: Buffer, fileName: string) {
  const artifact = await readArtifact(new BufferSource(bytes), fileName);
  return { codes: warningsOf(artifact, NOW).map(({ code }) => code), ...installability(artifact, NOW) };
}

describe('warnings of an .ipa', () => {
  it.each([
    ['ad hoc', {}, [], null],
    ['development', { distribution: 'development' }, [], null],
    ['enterprise', { distribution: 'enterprise' }, [], null],
    ['App Store', { distribution: 'appstore' }, ['app_store_signed'], 'app_store_signed'],
    ['unsigned', { distribution: 'none' }, ['unsigned'], 'unsigned'],
    ['simulator', { ...platforms('iPhoneSimulator'), distribution: 'none' }, ['simulator'], 'simulator'],
    ['Apple TV', platforms('AppleTVOS'), ['tvos'], 'tvos'],
    ['Apple Watch', platforms('WatchOS'), ['watchos'], 'watchos'],
    ['Vision Pro', platforms('XROS'), ['visionos'], null],
    ['unreadable profile', { profile: Buffer.alloc(9) }, ['profile_unreadable'], null],
    ['expired', { expiresAt: new Date('2030-06-01T12:00:00Z') }, ['profile_expired'], 'profile_expired'],
    ['30 days left', { expiresAt: new Date('2030-07-01T12:00:00Z') }, ['profile_expires_soon'], null],
    ['a second more', { expiresAt: new Date('2030-07-01T12:00:01Z') }, [], null],
    ['team wildcard', { applicationId: 'ABCDE12345.*' }, [], null],
    ['wildcard below', { applicationId: 'ABCDE12345.com.example.*' }, [], null],
    ['other app', { applicationId: 'ABCDE12345.com.example.other' }, ['profile_for_other_app'], null],
    ['longer name', { applicationId: 'ABCDE12345.com.example.dem' }, ['profile_for_other_app'], null],
  ] as [string, IpaOptions, string[], string | null][])('%s', async (_, options, codes, reason) => {
    expect(await judge(ipa(options), 'demo.ipa')).toEqual({ codes, reason, installable: reason === null });
  });
});

describe('warnings of an .apk', () => {
  it.each([
    ['a good one', {}, [], null],
    ['unsigned', { schemes: [] }, ['unsigned'], 'unsigned'],
    ['v1 only for API 30', { schemes: ['v1'], targetSdk: 30 }, ['v1_signature_only'], null],
    ['v1 only for API 29', { schemes: ['v1'], targetSdk: 29 }, [], null],
    ['v1 only from API 30 on', { schemes: ['v1'], minSdk: 30 }, ['v1_signature_only'], 'v1_signature_only'],
    ['v1 and v2', { schemes: ['v1', 'v2'] }, [], null],
    ['debug key', { subject: { C: 'US', O: 'Android', CN: 'Android Debug' } }, ['debug_certificate'], null],
    ['test only', { testOnly: true }, ['test_only'], 'test_only'],
    ['debuggable', { debuggable: true }, ['debuggable'], null],
    ['API 22', { minSdk: 21, targetSdk: 22 }, ['target_sdk_too_low'], null],
  ] as [string, AndroidOptions, string[], string | null][])('%s', async (_, options, codes, reason) => {
    expect(await judge(apk(options), 'demo.apk')).toEqual({ codes, reason, installable: reason === null });
  });
});

it('an .aab cannot be installed', async () => {
  expect(await judge(aab(), 'demo.aab')).toEqual({ codes: ['app_bundle'], reason: 'app_bundle', installable: false });
});

it('nothing is known against other files', async () => {
  expect(await judge(Buffer.from('x'), 'demo.dmg')).toEqual({ codes: [], reason: null, installable: true });
});
