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

/** The devices that use a scheme when the package has a newer one, and when it is the newest. Older devices may accept an older scheme. */
const DEVICES: Readonly<Record<AndroidScheme, { readonly older: string; readonly newer: string }>> = {
  v1: { older: 'Android 6 and older reject', newer: 'Devices reject' },
  v2: { older: 'Android 7 and 8 reject', newer: 'Android 7 and newer reject' },
  v3: { older: 'Android 9 to 12 reject', newer: 'Android 9 and newer reject' },
  'v3.1': { older: 'Android 13 and newer reject', newer: 'Android 13 and newer reject' },
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
export function signatureWarning(
  { schemes, verification }: AndroidSigning,
  minSdk: number | null,
): SignatureWarning | null {
  if (verification?.verified !== false || !verification.problem) return null;
  const { scheme, code } = verification.problem;
  const isForOldDevices = isNewestValid(schemes, verification);
  if (code === 'missing' && scheme === 'v1' && isForOldDevices) {
    const message = `The app says that it runs from API ${minSdk ?? 1} on, but has no v1 signature, which Android 6 and older require. Sign it with scheme v1, too, or raise the minimum API level to 24.`;
    return { code: 'v1_signature_missing', message, blocks: false };
  }
  const cause = CAUSES[code]?.(scheme);
  if (cause === undefined) return null;
  const message = `${devicesThatReject(schemes, verification)} the app: ${cause}. ${SIGN_AGAIN}`;
  return { code: 'signature_broken', message, blocks: !isForOldDevices };
}

/** Whether current devices, which use the newest scheme, accept the package. Its signers must be those of the older schemes. */
function isNewestValid(
  schemes: readonly AndroidScheme[],
  { verifiedSchemes, problem }: SignatureVerification,
): boolean {
  const isOneSigner = problem?.code !== 'signers_differ' || problem.scheme === 'v1';
  return isOneSigner && verifiedSchemes.some((scheme) => scheme === schemes.at(-1));
}

function devicesThatReject(schemes: readonly AndroidScheme[], verification: SignatureVerification): string {
  const { problem, verifiedSchemes } = verification;
  if (!problem) return '';
  const { scheme, code } = problem;
  if (isNewestValid(schemes, verification))
    return scheme === schemes.at(-1) ? 'The oldest devices of the app reject' : DEVICES[scheme].older;
  return code !== 'signers_differ' && verifiedSchemes.length > 0 ? DEVICES[scheme].newer : 'Devices reject';
}
