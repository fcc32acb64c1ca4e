import {
  type AndroidScheme,
  type AndroidSigning,
  type SignatureProblemCode,
  type SignatureVerification,
} from '#infra/artifact-inspection/inspected-artifact';

/** A signature that devices reject. */
export interface SignatureWarning {
  readonly code: 'signature_broken' | 'v1_signature_missing';
  readonly message: string;
  /** Whether also current devices reject the app. */
  readonly blocks: boolean;
}

const SIGN_AGAIN = 'Upload the file as the build made it, or sign it again with apksigner.';

/** The devices that use an older scheme than the newest one of a package; `oldest`: those that do not know a kind of its newest signature. */
export type OldDevices = 'oldest' | 'v1' | 'v2' | 'v3';

const OLD_DEVICES: Readonly<Record<OldDevices, string>> = {
  oldest: 'The oldest devices of the app',
  v1: 'Android 6 and older',
  v2: 'Android 7 and 8',
  v3: 'Android 9 to 12',
};

/** The devices that use a scheme when it is the newest one of a package. Older devices may accept an older scheme. */
const CURRENT_DEVICES: Readonly<Record<AndroidScheme, string>> = {
  v1: 'Devices',
  v2: 'Android 7 and newer',
  v3: 'Android 9 and newer',
  'v3.1': 'Android 13 and newer',
};

/** The fault of a signature of a scheme, by the code of the problem. Problems with a separate warning are absent. */
const CAUSES: Partial<Record<SignatureProblemCode, (scheme: AndroidScheme) => string>> = {
  content_changed: (scheme) =>
    `the file was changed or damaged after it was signed: it does not match its ${scheme} signature`,
  signature_invalid: (scheme) => `the ${scheme} signature was not made with the key of its certificate`,
  malformed: (scheme) => `the ${scheme} signature cannot be read`,
  missing: (scheme) => `the ${scheme} signature is missing`,
  scheme_removed: (scheme) => `the ${scheme} signature announces a newer signature, which was removed`,
  signers_differ: () => 'its signatures of different schemes were made with different keys',
  lineage_invalid: (scheme) => `the proof of the changed key in the ${scheme} signature is not valid`,
  unsupported_archive: () => 'the archive has the format zip64, in which devices do not find the signature',
  algorithm_unknown: (scheme) => `the ${scheme} signature uses an algorithm that devices do not know`,
};

/** The warning about a signature that was verified and is not valid. `null` without one. */
export function signatureWarning(signing: AndroidSigning, minSdk: number | null): SignatureWarning | null {
  const { verification } = signing;
  if (verification?.verified !== false || !verification.problem) return null;
  const { scheme, code } = verification.problem;
  const old = oldDevicesThatReject(signing);
  if (code === 'missing' && old === 'v1') {
    const message = `The app says that it runs from API ${minSdk ?? 1} on, but has no v1 signature, which Android 6 and older require. Sign it with scheme v1, too, or raise the minimum API level to 24.`;
    return { code: 'v1_signature_missing', message, blocks: false };
  }
  const cause = CAUSES[code]?.(scheme);
  if (cause === undefined) return null;
  const devices = old === null ? currentDevices(verification) : OLD_DEVICES[old];
  return {
    code: 'signature_broken',
    message: `${devices} reject the app: ${cause}. ${SIGN_AGAIN}`,
    blocks: old === null,
  };
}

/**
 * The devices that reject a package which current devices accept. `null` when all devices accept it, and when current devices, which use the
 * newest scheme, reject it: its signers must be those of the older schemes.
 */
export function oldDevicesThatReject({ schemes, verification }: AndroidSigning): OldDevices | null {
  if (verification?.verified !== false || !verification.problem) return null;
  const { problem, verifiedSchemes } = verification;
  const newest = schemes.at(-1);
  const isOneSigner = problem.code !== 'signers_differ' || problem.scheme === 'v1';
  if (!isOneSigner || !verifiedSchemes.some((scheme) => scheme === newest)) return null;
  return problem.scheme === newest || problem.scheme === 'v3.1' ? 'oldest' : problem.scheme;
}

function currentDevices({ problem, verifiedSchemes }: SignatureVerification): string {
  const isOfOneScheme = problem && problem.code !== 'signers_differ' && verifiedSchemes.length > 0;
  return isOfOneScheme ? CURRENT_DEVICES[problem.scheme] : 'Devices';
}
