import { type Platform } from '#kernel/builds/platform';
import {
  type AndroidScheme,
  type AndroidSigning,
  type SignatureVerification,
} from '#infra/artifact-inspection/inspected-artifact';
import { comparisonWarnings } from './build-warnings';

type Candidate = Parameters<typeof comparisonWarnings>[0];
type Case = readonly [platform: Platform, facts: Facts, lastFacts: Facts, isWarned: boolean];
type Facts = readonly [version: string, buildNumber: string | null];

const build = (platform: Platform, [version, buildNumber]: Facts) => ({
  id: '019a9d5e-7c1a-7b3e-9c55-0c8f4a6b2d10',
  platform,
  version,
  buildNumber,
  artifact: { kind: 'other' } as Candidate['artifact'],
});

// red when: Android is compared by the version first, which its devices do not read
describe('comparisonWarnings', () => {
  it.each<Case>([
    ['android', ['2.0', '5'], ['1.0', '10'], true],
    ['android', ['1.0', '11'], ['2.0', '10'], false],
    ['android', ['2.0', '10'], ['1.0', '10'], false],
    ['android', ['1.0', '10'], ['1.0', '10'], true],
    ['android', ['2.0', null], ['1.0', null], false],
    ['ios', ['2.0', '5'], ['1.0', '10'], false],
    ['ios', ['1.0', '11'], ['2.0', '10'], true],
    ['ios', ['1.0', '11'], ['1.0', '10'], false],
  ])('for %s %j after %j warns that the version is not higher: %s', (platform, facts, lastFacts, isWarned) => {
    const last = build(platform, lastFacts);
    const warnings = comparisonWarnings(build(platform, facts), { last, sameBytes: null });
    expect(warnings.map(({ code }) => code)).toEqual(isWarned ? ['version_not_higher'] : []);
  });
});

// red when: electron-updater stops with "not a valid semver version", and the developer does not know why
describe('comparisonWarnings for a version that is not semantic', () => {
  it.each<[Platform, string, boolean]>([
    ['macos', '1.2', true],
    ['windows', '2025.715.2.0', true],
    ['linux', '1.02.21', true],
    ['macos', '1.2.3-01', true],
    ['macos', '1.2.3', false],
    ['macos', 'v1.2.3', false],
    ['windows', '1.2.3-beta.1+5', false],
    ['ios', '1.2', false],
    ['android', '1.2', false],
  ])('for %s %s warns: %s', (platform, version, isWarned) => {
    const warnings = comparisonWarnings(build(platform, [version, null]), { last: null, sameBytes: null });
    expect(warnings.map(({ code }) => code)).toEqual(isWarned ? ['version_not_semantic'] : []);
  });
});

// red when: a certificate that nobody verified is compared
describe('comparisonWarnings for an Android build', () => {
  type Signing = Partial<AndroidSigning>;
  const verification = (...verifiedSchemes: AndroidScheme[]): SignatureVerification => ({
    verified: true,
    verifiedSchemes,
    problem: null,
  });
  const OURS = { schemes: ['v2', 'v3'], certificateSha256: 'a', certificateVerified: true } as const;
  const LEGACY = { schemes: ['v2', 'v3'], certificateSha256: 'a' } as const;
  const signedBy = (buildNumber: string, signing: Signing) => ({
    ...build('android', ['1.0', buildNumber]),
    artifact: { kind: 'apk', signing: { platform: 'android', ...signing } } as Candidate['artifact'],
  });

  it.each<[string, Signing, Signing, boolean]>([
    ['another verified certificate', OURS, { ...OURS, certificateSha256: 'b' }, true],
    ['the same certificate', OURS, OURS, false],
    ['another claimed certificate', OURS, { ...OURS, certificateSha256: 'b', certificateVerified: false }, false],
    [
      'a verified certificate after a claimed one',
      { ...OURS, certificateVerified: false, certificateSha256: 'b' },
      OURS,
      false,
    ],
    [
      'an earlier release, whose newest scheme verified',
      { ...LEGACY, verification: verification('v3'), certificateSha256: 'b' },
      OURS,
      true,
    ],
    [
      'an earlier release, whose newest scheme was not checked',
      { ...LEGACY, verification: verification('v2'), certificateSha256: 'b' },
      OURS,
      false,
    ],
    ['a release without verification', { ...LEGACY, certificateSha256: 'b' }, OURS, false],
  ])('with %s', (_, before, after, isWarned) => {
    const last = signedBy('1', before);
    const codes = comparisonWarnings(signedBy('2', after), { last, sameBytes: null }).map(({ code }) => code);
    expect(codes).toEqual(isWarned ? ['certificate_changed'] : []);
  });
});
