import {
  type InspectedAndroid,
  type InspectedArtifact,
  type InspectedIpa,
  type InspectedOther,
} from '#infra/artifact-inspection/inspected-artifact';
import { advice, type ArtifactWarning, blocking, expiryFinding, type Finding, SOON_MS } from './finding';
import { codeFindings, nestedExpiriesOf } from './ios-code-warnings';
import { signatureWarning } from './signature-warnings';

/** Whether testers can install an artifact from a link. */
export interface Installability {
  readonly installable: boolean;
  /** The code of the first blocking warning. `null` when the artifact is installable. */
  readonly reason: string | null;
}

/** Android requires signature scheme v2 or newer from this target API level on. */
const V2_TARGET = 30;
/** Android 14 does not install apps with a lower target API level. */
const LOWEST_TARGET = 23;

/** All warnings that depend only on the artifact and the time. */
export const warningsOf = (artifact: InspectedArtifact, now: Date): ArtifactWarning[] =>
  findingsOf(artifact, now).map(({ code, message }) => ({ code, message }));

/** Whether devices can install the artifact at this time. */
export function installability(artifact: InspectedArtifact, now: Date): Installability {
  const blocking = findingsOf(artifact, now).find((finding) => finding.blocks);
  return { installable: !blocking, reason: blocking?.code ?? null };
}

/** A time in which the warnings and the installability of an artifact stay as they are. */
export interface Validity {
  /** Valid from this time on, in milliseconds since 1970. */
  readonly from: number;
  /** Valid before this time, in milliseconds since 1970. */
  readonly until: number;
}

const ALWAYS: Validity = { from: -Infinity, until: Infinity };

/** The time around `now` in which `warningsOf` and `installability` return the same results. */
export function artifactValidity(artifact: InspectedArtifact, now: Date): Validity {
  if (artifact.kind !== 'ipa') return ALWAYS;
  const { expiresAt, certificateExpiresAt } = artifact.signing;
  const times = [expiresAt, certificateExpiresAt].flatMap((at) => at ?? []);
  const changes = [...times, ...nestedExpiriesOf(artifact).map(({ at }) => at)].flatMap((at) => [
    at.getTime() - SOON_MS,
    at.getTime(),
  ]);
  return {
    from: Math.max(-Infinity, ...changes.filter((at) => at <= now.getTime())),
    until: Math.min(Infinity, ...changes.filter((at) => at > now.getTime())),
  };
}

/** The findings from which `warningsOf` and `installability` are made. */
export function findingsOf(artifact: InspectedArtifact, now: Date): Finding[] {
  if (artifact.kind === 'other') return debugFileFindings(artifact);
  return artifact.kind === 'ipa' ? iosFindings(artifact, now) : androidFindings(artifact);
}

function debugFileFindings({ debugFiles }: InspectedOther): Finding[] {
  switch (debugFiles) {
    case 'dsym':
      return [advice('dsym_archive', 'This is an archive of debug symbols (dSYM), not an app. Upload the app itself.')];
    case 'mapping':
      return [
        advice('mapping_archive', 'This is a mapping of R8 or ProGuard, not an app. Upload the .apk or .aab itself.'),
      ];
    case undefined:
      return [];
  }
}

function iosFindings(app: InspectedIpa, now: Date): Finding[] {
  const [encrypted, code] = codeFindings(app, now);
  return [
    ...targetFindings(app),
    ...encrypted,
    ...distributionFindings(app),
    ...expiryFindings(app, now),
    ...coverageFindings(app),
    ...code,
  ];
}

function targetFindings({ target }: InspectedIpa): Finding[] {
  switch (target) {
    case 'ios':
      return [];
    case 'tvos':
      return [blocking('tvos', 'Apple TV has no browser. Install this app with Xcode, Apple Configurator or an MDM.')];
    case 'watchos':
      return [blocking('watchos', 'A watch app installs with its iPhone app. Upload the iPhone app that contains it.')];
    case 'visionos':
      return [advice('visionos', 'Installing on Apple Vision Pro over the air may not work. Test it on a device.')];
    case 'simulator':
      return [
        blocking(
          'simulator',
          'This is a simulator build, which cannot run on a device. Archive it for "Any iOS Device".',
        ),
      ];
  }
}

function distributionFindings({ signing, target }: InspectedIpa): Finding[] {
  switch (signing.distribution) {
    case 'appstore':
      return [
        blocking(
          'app_store_signed',
          'The app is signed for the App Store. Export it as Ad Hoc, Development or Enterprise.',
        ),
      ];
    case 'none':
      return [
        blocking(
          'unsigned',
          'The app has no provisioning profile, so no device will install it. Sign it and build again.',
        ),
      ];
    case 'unknown':
      return [
        advice(
          'profile_unreadable',
          'The provisioning profile cannot be read, so it is unknown which devices can install the app.',
        ),
      ];
    case 'simulator':
      return target === 'simulator' ? [] : targetFindings({ target: 'simulator' } as InspectedIpa);
    case 'development':
    case 'adhoc':
    case 'enterprise':
      return signing.deviceCount === 0
        ? [blocking('no_devices', 'The provisioning profile lists no devices. Add devices and build again.')]
        : [];
  }
}

function expiryFindings({ signing }: InspectedIpa, now: Date): Finding[] {
  return [
    ...expiryFinding(signing.expiresAt, now, { what: 'provisioning profile', code: 'profile' }),
    ...expiryFinding(signing.certificateExpiresAt, now, { what: 'signing certificate', code: 'certificate' }),
  ];
}

/** A profile names its app: `TEAM.bundle.id`, or a pattern that ends in `*`. */
function coverageFindings({ bundleId, signing }: InspectedIpa): Finding[] {
  const pattern = signing.applicationId?.replace(/^[^.]*\./, '');
  if (pattern === undefined) return [];
  const covered = pattern.endsWith('*') ? bundleId.startsWith(pattern.slice(0, -1)) : bundleId === pattern;
  if (covered) return [];
  return [
    advice(
      'profile_for_other_app',
      `The provisioning profile is for ${pattern}, not for ${bundleId}. Sign the app with a matching profile.`,
    ),
  ];
}

function androidFindings(app: InspectedAndroid): Finding[] {
  if (app.kind === 'aab') {
    return [
      blocking(
        'app_bundle',
        'An app bundle (.aab) is for stores, and devices cannot install it. Upload a universal APK.',
      ),
    ];
  }
  const debuggable = advice('debuggable', 'The build is debuggable: anyone with the phone can read its data.');
  return [
    ...signatureFindings(app),
    ...targetSdkFindings(app),
    ...testOnlyFindings(app),
    ...(app.debuggable ? [debuggable] : []),
  ];
}

function signatureFindings({ signing, minSdk, targetSdk }: InspectedAndroid): Finding[] {
  const findings: Finding[] = [];
  if (signing.schemes.length === 0)
    findings.push(
      blocking('unsigned', 'The app is not signed, so no device will install it. Sign it and build again.'),
    );
  const broken = signatureWarning(signing, minSdk);
  if (broken) findings.push(broken);
  const v1Only = signing.schemes.length === 1 && signing.schemes[0] === 'v1';
  if (v1Only && (targetSdk ?? 0) >= V2_TARGET) {
    const message = `The app targets API ${targetSdk} but has only a v1 signature, so Android 11 and newer reject it. Sign it with scheme v2.`;
    findings.push(
      (minSdk ?? 1) >= V2_TARGET ? blocking('v1_signature_only', message) : advice('v1_signature_only', message),
    );
  }
  if (signing.debugCertificate) {
    const message = 'The app is signed with a debug key: a build from another machine will not install over it.';
    findings.push(advice('debug_certificate', message));
  }
  return findings;
}

function targetSdkFindings({ minSdk, targetSdk }: InspectedAndroid): Finding[] {
  const target = targetSdk ?? minSdk;
  if (target === null || target >= LOWEST_TARGET) return [];
  return [
    advice(
      'target_sdk_too_low',
      `The app targets API ${target}, so Android 14 and newer do not install it. Raise the target API level.`,
    ),
  ];
}

const testOnlyFindings = ({ testOnly }: InspectedAndroid): Finding[] =>
  testOnly
    ? [
        blocking(
          'test_only',
          'The app is marked testOnly, so devices install it only with adb. Build it with "assemble".',
        ),
      ]
    : [];
