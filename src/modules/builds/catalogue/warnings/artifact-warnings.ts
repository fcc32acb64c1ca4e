import {
  type InspectedAndroid,
  type InspectedArtifact,
  type InspectedIpa,
} from '#infra/artifact-inspection/inspected-artifact';

/** What will go wrong on a device, for the developer who uploaded: a stable code and plain words. */
export interface ArtifactWarning {
  readonly code: string;
  readonly message: string;
}

/** Whether a tester can install it by tapping on it, and if not, which warning says why. */
export interface Installability {
  readonly installable: boolean;
  readonly reason: string | null;
}

const DAY_MS = 86_400_000;
const SOON_DAYS = 30;
/** From this target on Android wants a signature of scheme v2 or newer. */
const V2_TARGET = 30;
/** Android 14 refuses to install what targets less. */
const LOWEST_TARGET = 23;

/** A warning, and whether it keeps every device from installing. */
interface Finding extends ArtifactWarning {
  readonly blocks: boolean;
}

/** Every warning that follows from the artifact alone and the present time. */
export const warningsOf = (artifact: InspectedArtifact, now: Date): ArtifactWarning[] =>
  findingsOf(artifact, now).map(({ code, message }) => ({ code, message }));

/** Whether devices can install the artifact now; `reason` is the code of the first warning that keeps them from it. */
export function installability(artifact: InspectedArtifact, now: Date): Installability {
  const blocking = findingsOf(artifact, now).find((finding) => finding.blocks);
  return { installable: !blocking, reason: blocking?.code ?? null };
}

function findingsOf(artifact: InspectedArtifact, now: Date): Finding[] {
  if (artifact.kind === 'other') return [];
  return artifact.kind === 'ipa' ? iosFindings(artifact, now) : androidFindings(artifact);
}

const blocking = (code: string, message: string): Finding => ({ code, message, blocks: true });
const advice = (code: string, message: string): Finding => ({ code, message, blocks: false });

function iosFindings(app: InspectedIpa, now: Date): Finding[] {
  return [...targetFindings(app), ...distributionFindings(app), ...expiryFindings(app, now), ...coverageFindings(app)];
}

function targetFindings({ target }: InspectedIpa): Finding[] {
  switch (target) {
    case 'ios':
      return [];
    case 'tvos':
      return [blocking('tvos', 'Apple TV has no browser: install this app with Xcode, Apple Configurator or an MDM.')];
    case 'watchos':
      return [blocking('watchos', 'A watch app installs with its iPhone app. Upload the iPhone app that contains it.')];
    case 'visionos':
      return [advice('visionos', 'Installing on Apple Vision Pro over the air may not work.')];
    case 'simulator':
      return [
        blocking('simulator', 'This is a simulator build. It cannot run on a device: archive it for "Any iOS Device".'),
      ];
  }
}

function distributionFindings({ signing, target }: InspectedIpa): Finding[] {
  switch (signing.distribution) {
    case 'appstore':
      return [
        blocking('app_store_signed', 'It is signed for the App Store. Export it as Ad Hoc, Development or Enterprise.'),
      ];
    case 'none':
      return [blocking('unsigned', 'It has no provisioning profile, so no device will install it.')];
    case 'unknown':
      return [
        advice('profile_unreadable', 'Its provisioning profile cannot be read, so who can install it is unknown.'),
      ];
    case 'simulator':
      return target === 'simulator' ? [] : targetFindings({ target: 'simulator' } as InspectedIpa);
    case 'development':
    case 'adhoc':
    case 'enterprise':
      return signing.deviceCount === 0 ? [blocking('no_devices', 'Its provisioning profile lists no device.')] : [];
  }
}

function expiryFindings({ signing }: InspectedIpa, now: Date): Finding[] {
  const findings = [
    expiry(signing.expiresAt, now, { what: 'provisioning profile', code: 'profile' }),
    expiry(signing.certificateExpiresAt, now, { what: 'signing certificate', code: 'certificate' }),
  ];
  return findings.filter((finding) => finding !== null);
}

function expiry(at: Date | null, now: Date, { what, code }: { what: string; code: string }): Finding | null {
  if (at === null) return null;
  const day = at.toISOString().slice(0, 10);
  const leftMs = at.getTime() - now.getTime();
  if (leftMs <= 0) return blocking(`${code}_expired`, `Its ${what} expired on ${day}. Renew it and build again.`);
  if (leftMs > SOON_DAYS * DAY_MS) return null;
  return advice(`${code}_expires_soon`, `Its ${what} expires on ${day}. The app stops launching then.`);
}

/** The profile names the app it is for: `TEAM.bundle.id`, or a pattern with a `*` at its end. */
function coverageFindings({ bundleId, signing }: InspectedIpa): Finding[] {
  const pattern = signing.applicationId?.replace(/^[^.]*\./, '');
  if (pattern === undefined) return [];
  const covered = pattern.endsWith('*') ? bundleId.startsWith(pattern.slice(0, -1)) : bundleId === pattern;
  if (covered) return [];
  return [advice('profile_for_other_app', `Its provisioning profile is for ${pattern}, not for ${bundleId}.`)];
}

function androidFindings(app: InspectedAndroid): Finding[] {
  if (app.kind === 'aab') {
    return [
      blocking('app_bundle', 'An app bundle (.aab) is for stores. Devices cannot install it: upload a universal APK.'),
    ];
  }
  const debuggable = advice('debuggable', 'It is a debuggable build: anyone with the phone can read its data.');
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
    findings.push(blocking('unsigned', 'It is not signed, so no device will install it.'));
  const v1Only = signing.schemes.length === 1 && signing.schemes[0] === 'v1';
  if (v1Only && (targetSdk ?? 0) >= V2_TARGET) {
    const message = `It targets API ${targetSdk} but has only a v1 signature: Android 11 and newer refuse it. Sign with scheme v2.`;
    findings.push(
      (minSdk ?? 1) >= V2_TARGET ? blocking('v1_signature_only', message) : advice('v1_signature_only', message),
    );
  }
  if (signing.debugCertificate) {
    const message = 'It is signed with a debug key: a build from another machine will not install over it.';
    findings.push(advice('debug_certificate', message));
  }
  return findings;
}

function targetSdkFindings({ minSdk, targetSdk }: InspectedAndroid): Finding[] {
  const target = targetSdk ?? minSdk;
  if (target === null || target >= LOWEST_TARGET) return [];
  return [advice('target_sdk_too_low', `It targets API ${target}: Android 14 and newer refuse to install it.`)];
}

const testOnlyFindings = ({ testOnly }: InspectedAndroid): Finding[] =>
  testOnly
    ? [blocking('test_only', 'It is marked testOnly: devices refuse it except from adb. Build it with "assemble".')]
    : [];
