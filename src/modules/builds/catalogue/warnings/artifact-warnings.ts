import {
  type InspectedArtifact,
  type InspectedIpa,
  type InspectedOther,
} from '#infra/artifact-inspection/inspected-artifact';
import { androidFindings } from './android-warnings';
import { advice, type ArtifactWarning, blocking, expiryFinding, type Finding, SOON_MS } from './finding';
import { codeFindings, nestedExpiriesOf } from './ios-code-warnings';

/** Whether testers can install an artifact from a link. */
export interface Installability {
  readonly installable: boolean;
  /** The code of the first blocking warning. `null` when the artifact is installable. */
  readonly reason: string | null;
}

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
