import {
  type CodeProblem,
  type CodeProblemCode,
  type InspectedIpa,
} from '#infra/artifact-inspection/inspected-artifact';
import { advice, blocking, expiryFinding, type Finding } from './finding';

const INTEGRITY = 'iPhones say that the app "could not be installed because its integrity could not be verified".';
const UNABLE = 'iPhones say "Unable to Install".';
const SIGN_AGAIN = 'Do not change the app after signing: sign it again as the last step.';
const EXPORT_AGAIN = 'Export it again as Ad Hoc, Development or Enterprise.';

/** The entitlements that every device compares with the profile. The rules for others differ between systems. */
const ALWAYS_COMPARED: readonly string[] = ['application-identifier', 'get-task-allow'];
/** The first version of iOS without 32-bit code. */
const WITHOUT_32_BIT = 11;

/** @param name the bundle. @param subject the file, entitlement or other name that the problem is about. */
type ToFinding = (name: string, subject: string, app: InspectedIpa) => Finding;

const broken = (cause: string): Finding => blocking('code_signature_broken', `${cause} ${INTEGRITY} ${SIGN_AGAIN}`);

/** The warnings about the problems of code signatures, by their codes. */
const FINDINGS: Readonly<Record<CodeProblemCode, ToFinding>> = {
  unsigned: (name) =>
    blocking('unsigned', `The executable of ${name} has no code signature. ${INTEGRITY} Sign it and build again.`),
  ad_hoc: (name) =>
    blocking(
      'unsigned',
      `The executable of ${name} is signed without a certificate ("Sign to Run Locally"). ${INTEGRITY} Sign it with a certificate of your team.`,
    ),
  encrypted: (name) =>
    blocking(
      'app_store_encrypted',
      `The code of ${name} is encrypted by the App Store, and runs only on devices that bought it. ${UNABLE} ${EXPORT_AGAIN}`,
    ),
  no_arm_code: () =>
    blocking(
      'architecture_unsupported',
      `The app has no code for ARM processors. ${UNABLE} Archive it for "Any iOS Device".`,
    ),
  only_32_bit: (_, __, { minOsVersion }) =>
    (Number.parseInt(minOsVersion ?? '', 10) >= WITHOUT_32_BIT ? blocking : advice)(
      'architecture_unsupported',
      `The app has only 32-bit code, which iOS 11 and later do not run. ${UNABLE} Build it for arm64.`,
    ),
  simulator: () =>
    blocking('simulator', 'The code is for the simulator and cannot run on a device. Archive it for "Any iOS Device".'),
  info_changed: (name) => broken(`The Info.plist of ${name} was changed after signing, for example its build number.`),
  code_resources_changed: (name) => broken(`The list of resources of ${name} was changed after signing.`),
  entitlements_changed: (name) => broken(`The entitlements of ${name} were changed after signing.`),
  signature_invalid: (name) => broken(`The code signature of ${name} was not made with the key of its certificate.`),
  file_changed: (_, file) => broken(`The file ${file} was changed after signing.`),
  file_missing: (_, file) => broken(`The file ${file} was removed after signing.`),
  file_added: (_, file) =>
    advice(
      'file_not_signed',
      `The file ${file} was added after signing. iPhones may say that the integrity of the app could not be verified. ${SIGN_AGAIN}`,
    ),
  certificate_not_in_profile: (name) =>
    blocking(
      'certificate_not_in_profile',
      `${upper(name)} is signed with a certificate that its provisioning profile does not contain. ${INTEGRITY} Sign with a certificate of the profile, or renew the profile.`,
    ),
  entitlement_not_granted: (name, key) =>
    (ALWAYS_COMPARED.includes(key) ? blocking : advice)(
      'entitlement_not_granted',
      `${upper(name)} claims the entitlement ${key}, which its provisioning profile does not grant. ${INTEGRITY} Enable the capability for the App ID and renew the profile.`,
    ),
  other_identifier: (name, identifier) =>
    advice(
      'profile_for_other_app',
      `The code signature of ${name} is for ${identifier}. Devices may reject the app: sign it again with its own identifier.`,
    ),
  bundle_id_outside_app: (name, id, { bundleId }) =>
    blocking(
      'nested_bundle_id',
      `The bundle id of ${name} is ${id}, and must begin with ${bundleId}. ${UNABLE} Change it and build again.`,
    ),
  profile_missing: (name, id) =>
    advice(
      'nested_profile_missing',
      `${upper(name)} has no provisioning profile, and that of the app is not for ${id}. ${INTEGRITY} Sign it with a profile of its own.`,
    ),
  profile_of_app_store: (name) =>
    blocking('nested_app_store_signed', `${upper(name)} is signed for the App Store. ${UNABLE} ${EXPORT_AGAIN}`),
  profile_of_other_app: (name, pattern) =>
    advice(
      'profile_for_other_app',
      `The provisioning profile of ${name} is for ${pattern}. Devices may reject the app: sign it with a matching profile.`,
    ),
  no_common_device: (name) =>
    blocking(
      'nested_devices_differ',
      `No device of the app is in the provisioning profile of ${name}. ${UNABLE} Renew the profile with the same devices.`,
    ),
  some_other_devices: (name, count) =>
    advice(
      'nested_devices_differ',
      count === ''
        ? `Only the devices in the provisioning profile of ${name} can install the app. On others, ${UNABLE}`
        : `The provisioning profile of ${name} does not contain ${count} of the devices of the app. On these, ${UNABLE} Renew the profile with the same devices.`,
    ),
};

/** A later release, which runs beside this one during an upgrade, may have stored further problems. */
const KNOWN: ReadonlySet<string> = new Set(Object.keys(FINDINGS));

/** Problems of processors. An Apple Watch runs other code. */
const OF_IPHONES: readonly CodeProblemCode[] = ['no_arm_code', 'only_32_bit'];
/** Problems that are reported for every app, because they explain the others. */
const FIRST: readonly CodeProblemCode[] = ['encrypted', 'simulator', 'no_arm_code', 'only_32_bit'];

/**
 * The warnings about the code signatures of an app: those that explain other findings, and the rest. An app that is not signed for
 * installation from a link has only the former. Each problem is reported once for the app and once for each bundle inside it.
 */
export function codeFindings(app: InspectedIpa, now: Date): [Finding[], Finding[]] {
  const { target, signing, code } = app;
  if (!code || target === 'simulator' || signing.distribution === 'simulator') return [[], []];
  const known = code.problems.filter((problem) => KNOWN.has(problem.code));
  const problems = distinct(known.filter((problem) => target === 'ios' || !OF_IPHONES.includes(problem.code)));
  const isFirst = (problem: CodeProblem): boolean => FIRST.includes(problem.code);
  const first = problems.filter(isFirst).map((problem) => findingOf(problem, app));
  const isInstalled = ['development', 'adhoc', 'enterprise', 'unknown'].includes(signing.distribution);
  if (!isInstalled) return [first, []];
  const rest = problems.filter((problem) => !isFirst(problem)).map((problem) => findingOf(problem, app));
  const expired = nestedExpiriesOf(app).flatMap(({ at, bundle, code: kind }) => {
    const what = `${kind === 'nested_profile' ? 'provisioning profile' : 'signing certificate'} of ${bundle}`;
    return expiryFinding(at, now, { what, code: kind }).map((finding) => onlyForWatch(finding, bundle));
  });
  return [first, [...rest, ...expired]];
}

/** The times at which the profiles and certificates of bundles inside an app expire. */
export const nestedExpiriesOf = ({ code }: InspectedIpa): { at: Date; bundle: string; code: string }[] =>
  (code?.expiries ?? []).flatMap(({ bundle, profile, certificate }) => [
    ...(profile === null ? [] : [{ at: new Date(profile), bundle, code: 'nested_profile' }]),
    ...(certificate === null ? [] : [{ at: new Date(certificate), bundle, code: 'nested_certificate' }]),
  ]);

function findingOf({ code, bundle, subject }: CodeProblem, app: InspectedIpa): Finding {
  const finding = FINDINGS[code](bundle ?? 'the app', subject ?? '', app);
  if (bundle === null) return finding;
  // Apple signs some libraries itself.
  const mayBeApples = code === 'certificate_not_in_profile' && bundle.includes('Frameworks/');
  return onlyForWatch({ ...finding, blocks: finding.blocks && !mayBeApples }, bundle);
}

/** An iPhone installs an app whose watch app or App Clip it refuses. */
const onlyForWatch = (finding: Finding, bundle: string): Finding =>
  /^(?:Watch|AppClips)\//.test(bundle) ? { ...finding, blocks: false } : finding;

/** Each entitlement of a bundle is reported; of other problems with the same code, the first suffices. */
function distinct(problems: readonly CodeProblem[]): readonly CodeProblem[] {
  const key = ({ code, bundle, subject }: CodeProblem): string =>
    JSON.stringify(code === 'entitlement_not_granted' ? [code, bundle, subject] : [code, bundle]);
  return problems.filter((problem, index) => problems.findIndex((each) => key(each) === key(problem)) === index);
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
