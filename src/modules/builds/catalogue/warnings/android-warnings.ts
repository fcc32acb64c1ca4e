import { type InspectedAndroid } from '#infra/artifact-inspection/inspected-artifact';
import { packageFindings } from './android-package-warnings';
import { advice, blocking, type Finding } from './finding';
import { signatureWarning } from './signature-warnings';

/** Android requires signature scheme v2 or newer from this target API level on. */
const V2_TARGET = 30;
/** The first version of Android that does not install apps with a lower target API level, by this level. */
const LOWEST_TARGETS: readonly (readonly [target: number, android: string])[] = [
  [23, 'Android 14'],
  [24, 'Android 15'],
];

/** The problems that Android devices will have with a package or app bundle. */
export function androidFindings(app: InspectedAndroid): Finding[] {
  if (app.kind === 'aab') {
    return [
      blocking(
        'app_bundle',
        'An app bundle (.aab) is for stores, and devices cannot install it. Upload a universal APK.',
      ),
    ];
  }
  const target = targetOf(app);
  const debuggable = advice('debuggable', 'The build is debuggable: anyone with the phone can read its data.');
  return [
    ...signatureFindings(app),
    ...packageFindings(app, target),
    ...targetSdkFindings(target),
    ...abiFindings(app),
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

/** The target API level, as devices determine it. `null` when it is the code name of a preview, and when it is unknown. */
function targetOf({ targetSdk, minSdk, faults }: InspectedAndroid): number | null {
  if (faults?.some(({ code }) => code === 'preview_sdk')) return targetSdk;
  return targetSdk ?? minSdk ?? (faults ? 1 : null);
}

function targetSdkFindings(target: number | null): Finding[] {
  const android = target === null ? undefined : LOWEST_TARGETS.find(([lowest]) => target < lowest)?.[1];
  if (android === undefined) return [];
  return [
    advice(
      'target_sdk_too_low',
      `The app targets API ${target}, so ${android} and newer do not install it (INSTALL_FAILED_DEPRECATED_SDK_VERSION). Raise the target API level.`,
    ),
  ];
}

const ARM = /^arm/;
const BITS_64: readonly string[] = ['arm64-v8a', 'x86_64', 'riscv64'];

/** Devices refuse a package whose libraries are all for other processors. */
function abiFindings({ abis }: InspectedAndroid): Finding[] {
  if (abis.length === 0) return [];
  const listed = abis.join(', ');
  if (!abis.some((abi) => ARM.test(abi))) {
    const message = `The app has libraries for ${listed} only, which are processors of emulators, so phones refuse it (INSTALL_FAILED_NO_MATCHING_ABIS). Build it for arm64-v8a, too.`;
    return [advice('no_arm_libraries', message)];
  }
  if (abis.some((abi) => BITS_64.includes(abi))) return [];
  const message = `The app has 32-bit libraries only (${listed}), so devices without 32-bit support, such as newer phones, refuse it (INSTALL_FAILED_NO_MATCHING_ABIS). Build it for arm64-v8a, too.`;
  return [advice('only_32_bit_libraries', message)];
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
