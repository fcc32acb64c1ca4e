/** What a generated build says of itself. */
export interface DemoBuild {
  /** The name under the icon. */
  readonly name: string;
  /** Bundle identifier on iOS, package name on Android. */
  readonly bundleId: string;
  /** Such as `1.4.0`. */
  readonly version: string;
  /** A whole number. */
  readonly buildNumber: number;
  /** When it was made; certificates and profiles are valid from then. */
  readonly builtAt: Date;
}
