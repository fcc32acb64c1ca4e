import {
  type AndroidScheme,
  type AndroidSigning,
  type SignatureProblemCode,
} from '#infra/artifact-inspection/inspected-artifact';

/** A signature that devices reject. */
export interface SignatureWarning {
  readonly code: 'signature_broken' | 'v1_signature_missing';
  readonly message: string;
  /** Whether also current devices reject the app. */
  readonly blocks: boolean;
}

const SIGN_AGAIN = 'Upload the file as the build made it, or sign it again with apksigner.';

/** The fault of a signature of a scheme, by the code of the problem. Problems with a separate warning are absent. */
const CAUSES: Partial<Record<SignatureProblemCode, (scheme: AndroidScheme) => string>> = {
  content_changed: (scheme) =>
    `the file was changed or damaged after it was signed: it does not match its ${scheme} signature`,
  signature_invalid: (scheme) => `the ${scheme} signature was not made with the key of its certificate`,
  malformed: (scheme) => `the ${scheme} signature cannot be read`,
  scheme_removed: (scheme) => `the ${scheme} signature announces a newer signature, which was removed`,
  signers_differ: () => 'its signatures of different schemes were made with different keys',
  lineage_invalid: (scheme) => `the proof of the changed key in the ${scheme} signature is not valid`,
  unsupported_archive: () => 'the archive has the format zip64, in which devices do not find the signature',
  algorithm_unknown: (scheme) => `the ${scheme} signature uses an algorithm that devices do not know`,
};

/** The warning about a signature that was verified and is not valid. `null` without one. */
export function signatureWarning({ verification }: AndroidSigning, minSdk: number | null): SignatureWarning | null {
  if (verification?.verified !== false || !verification.problem) return null;
  const { scheme, code } = verification.problem;
  const isForOldDevices = scheme === 'v1' && verification.verifiedSchemes.length > 0;
  if (code === 'missing' && isForOldDevices) {
    const message = `The app says that it runs from API ${minSdk ?? 1} on, but has no v1 signature, which Android 6 and older require. Sign it with scheme v1, too, or raise the minimum API level to 24.`;
    return { code: 'v1_signature_missing', message, blocks: false };
  }
  const cause = CAUSES[code]?.(scheme);
  if (cause === undefined) return null;
  const devices = isForOldDevices ? 'Android 6 and older reject' : 'Devices reject';
  return { code: 'signature_broken', message: `${devices} the app: ${cause}. ${SIGN_AGAIN}`, blocks: !isForOldDevices };
}
