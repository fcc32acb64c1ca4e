/** Whether a package is registered to a verified developer (docs/android-verification.md). Part of the API. */
export const REGISTRATION_STATES = ['registered', 'not_registered', 'other_certificate', 'unknown'] as const;
export type RegistrationState = (typeof REGISTRATION_STATES)[number];

/** The state of a package with its certificate, as a build has it. */
export interface Registration {
  readonly state: RegistrationState;
  /** When this state was found, as RFC 3339. */
  readonly since: string;
}

/** A package and the certificate with which it is signed. */
export interface SignedPackageName {
  readonly packageName: string;
  /** SHA-256, lower-case hexadecimal. */
  readonly certificateSha256: string;
}
