import { type Icon } from './formats/image/icon';

interface Described {
  /** For people: cleaned, never empty. */
  readonly name: string;
  readonly bundleId: string;
  readonly version: string | null;
  readonly buildNumber: string | null;
  /** As the vendor writes it: `13.1`, `5.0`. */
  readonly minOsVersion: string | null;
  readonly icon: Icon | null;
}

export type IosTarget = 'ios' | 'tvos' | 'watchos' | 'visionos' | 'simulator';
export type DeviceFamily = 'iphone' | 'ipad' | 'tv' | 'watch' | 'vision';
export type IosDistribution = 'development' | 'adhoc' | 'enterprise' | 'appstore' | 'simulator' | 'none' | 'unknown';

/** How an .ipa is signed, by its embedded provisioning profile. Device ids are counted and left behind: personal data. */
export interface IosSigning {
  readonly platform: 'ios';
  readonly distribution: IosDistribution;
  readonly profileName: string | null;
  readonly teamId: string | null;
  readonly teamName: string | null;
  /** `TEAM.bundle.id`, or a pattern ending in `*`. */
  readonly applicationId: string | null;
  readonly expiresAt: Date | null;
  /** When the last of the profile's signing certificates expires. */
  readonly certificateExpiresAt: Date | null;
  /** Devices the profile lists; null when it is not bound to devices. */
  readonly deviceCount: number | null;
  readonly pushEnvironment: string | null;
}

export type AndroidScheme = 'v1' | 'v2' | 'v3' | 'v3.1';

/** How an Android package is signed. The certificate is read, the signature is not verified: the device does that. */
export interface AndroidSigning {
  readonly platform: 'android';
  /** In rising order; empty when the package is unsigned. */
  readonly schemes: readonly AndroidScheme[];
  readonly certificateSha256: string | null;
  readonly certificateSubject: string | null;
  readonly debugCertificate: boolean;
}

export interface InspectedIpa extends Described {
  readonly kind: 'ipa';
  readonly platform: 'ios';
  readonly target: IosTarget;
  readonly deviceFamilies: readonly DeviceFamily[];
  readonly signing: IosSigning;
}

export interface InspectedAndroid extends Described {
  readonly kind: 'apk' | 'aab';
  readonly platform: 'android';
  /** API levels; null when absent or a preview's code name. */
  readonly minSdk: number | null;
  readonly targetSdk: number | null;
  readonly abis: readonly string[];
  readonly debuggable: boolean;
  readonly testOnly: boolean;
  readonly signing: AndroidSigning;
}

/** A file that carries no metadata we read: its version and platform come from the client. */
export interface InspectedOther {
  readonly kind: 'other';
  readonly platform: null;
  readonly name: null;
  readonly bundleId: null;
  readonly version: null;
  readonly buildNumber: null;
  readonly minOsVersion: null;
  readonly icon: null;
  readonly signing: null;
}

/** What an artifact says about itself: plain data that survives a structured clone. */
export type InspectedArtifact = InspectedIpa | InspectedAndroid | InspectedOther;
