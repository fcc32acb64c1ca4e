import { type AndroidSigning, type InspectedArtifact } from '#infra/artifact-inspection/inspected-artifact';

/**
 * Whether the certificate of a package is of a scheme that verified. Builds of releases that did not record it have the certificate of the
 * newest scheme.
 */
export function isCertificateVerified({ certificateVerified, schemes, verification }: AndroidSigning): boolean {
  if (certificateVerified !== undefined) return certificateVerified;
  return verification?.verifiedSchemes.some((scheme) => scheme === schemes.at(-1)) ?? false;
}

/** The fingerprint of the certificate with which an Android build is known to be signed. `null` without one. */
export function verifiedCertificateOf({ signing }: InspectedArtifact): string | null {
  return signing?.platform === 'android' && isCertificateVerified(signing) ? signing.certificateSha256 : null;
}

/** The verdict on all signatures. Releases before `certificateVerified` called packages valid of which they had checked a part. */
export function verdictOf({ verification, certificateVerified }: AndroidSigning): boolean | null {
  const { verified = null, problem = null } = verification ?? {};
  return certificateVerified === undefined && verified && problem ? null : verified;
}
