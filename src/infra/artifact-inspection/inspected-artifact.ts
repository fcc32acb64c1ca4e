import { type Icon } from './formats/image/icon';

interface AppMetadata {
  /** The display name: cleaned, never empty. */
  readonly name: string;
  readonly bundleId: string;
  readonly version: string | null;
  readonly buildNumber: string | null;
  /** In the vendor's notation: `13.1`, `5.0`. */
  readonly minOsVersion: string | null;
  readonly icon: Icon | null;
}

export type IosTarget = 'ios' | 'tvos' | 'watchos' | 'visionos' | 'simulator';
export type DeviceFamily = 'iphone' | 'ipad' | 'tv' | 'watch' | 'vision';
export type IosDistribution = 'development' | 'adhoc' | 'enterprise' | 'appstore' | 'simulator' | 'none' | 'unknown';

/** A text by which an iOS app explains why it needs access, such as `NSCameraUsageDescription`. */
export interface UsageDescription {
  readonly key: string;
  readonly text: string;
}

/** A capability that the provisioning profile grants. A flag has the value `true` or `false`. */
export interface Entitlement {
  readonly key: string;
  readonly values: readonly string[];
}

/** The kinds of files in an app. Part of the API. */
export const CONTENT_KINDS = ['code', 'native', 'resources', 'assets', 'frameworks', 'plugins', 'other'] as const;

export type ContentKind = (typeof CONTENT_KINDS)[number];

/** A file of an app. */
export interface ContentFile {
  /** In an .ipa without the folder of the app. */
  readonly path: string;
  /** Its size in the artifact, which is the number of bytes that it adds to the download. */
  readonly sizeBytes: number;
}

/** The files and kinds of files of an app. Sizes are those in the artifact. */
export interface ArtifactContents {
  readonly fileCount: number;
  /** The sum of all files of each kind. Kinds without files are absent. */
  readonly sizes: Readonly<Partial<Record<ContentKind, number>>>;
  /** The largest files, largest first. */
  readonly files: readonly ContentFile[];
}

/** The features that an app uses, and the ways in which other apps open it. Each list is sorted. */
export interface AppCapabilities {
  /** Features of the device: `uses-feature` of an Android manifest, `UIRequiredDeviceCapabilities` of an iOS app. */
  readonly features: readonly string[];
  /** Schemes of the addresses that open the app, such as `demo`. */
  readonly urlSchemes: readonly string[];
  /** The frameworks and libraries in the folder of an iOS app, without their versions. Empty for Android. */
  readonly frameworks: readonly string[];
}

/** The long facts of an app, bounded in count and length. They are kept apart from the others, so that lists of builds stay small. */
export interface ArtifactDetails {
  /**
   * The permissions for which the app may ask: the permissions of an Android manifest, the keys of the usage descriptions of an iOS app.
   * Sorted.
   */
  readonly permissions: readonly string[];
  readonly usageDescriptions: readonly UsageDescription[];
  readonly entitlements: readonly Entitlement[];
  /** The devices of the provisioning profile: personal data. Null when the profile is not restricted to devices, and for Android. */
  readonly devices: readonly string[] | null;
  /** Absent for builds that were uploaded before it was recorded. */
  readonly contents?: ArtifactContents;
  /** Absent for builds that were uploaded before they were recorded. */
  readonly capabilities?: AppCapabilities;
}

/** The signing of an .ipa, from its embedded provisioning profile. The ids of its devices are in the details of the artifact. */
export interface IosSigning {
  readonly platform: 'ios';
  readonly distribution: IosDistribution;
  readonly profileName: string | null;
  readonly teamId: string | null;
  readonly teamName: string | null;
  /** `TEAM.bundle.id`, or a pattern that ends in `*`. */
  readonly applicationId: string | null;
  readonly expiresAt: Date | null;
  /** The latest expiry of the profile's signing certificates. */
  readonly certificateExpiresAt: Date | null;
  /** The number of devices in the profile. `null` when the profile is not restricted to devices. */
  readonly deviceCount: number | null;
  readonly pushEnvironment: string | null;
}

/** What was compared of the code signature of an iOS app. Everything else was not checked. Part of the API. */
export type CodeCheck = 'info_plist' | 'code_resources' | 'entitlements' | 'signer' | 'certificate' | 'files';

export type CodeProblemCode =
  | 'unsigned'
  | 'ad_hoc'
  | 'encrypted'
  | 'no_arm_code'
  | 'only_32_bit'
  | 'simulator'
  | 'info_changed'
  | 'code_resources_changed'
  | 'entitlements_changed'
  | 'signature_invalid'
  | 'file_changed'
  | 'file_missing'
  | 'file_added'
  | 'certificate_not_in_profile'
  | 'entitlement_not_granted'
  | 'other_identifier'
  | 'bundle_id_outside_app'
  | 'profile_missing'
  | 'profile_of_app_store'
  | 'profile_of_other_app'
  | 'no_common_device'
  | 'some_other_devices';

/** A problem that devices have with the code signature of an app or of a bundle inside it. */
export interface CodeProblem {
  readonly code: CodeProblemCode;
  /** The bundle inside the app, such as `PlugIns/Share.appex`. `null` for the app itself. */
  readonly bundle: string | null;
  /** The file, entitlement, identifier or number of devices that the problem is about. `null` when the code says all. */
  readonly subject: string | null;
}

/** The times after which a bundle inside an app is rejected, in the format of `Date.toISOString`. */
export interface NestedExpiry {
  readonly bundle: string;
  readonly profile: string | null;
  readonly certificate: string | null;
}

/** The code signatures of an iOS app and of the bundles inside it. */
export interface IosCode {
  readonly checks: readonly CodeCheck[];
  /** In the order of the checks: the app first. */
  readonly problems: readonly CodeProblem[];
  readonly expiries: readonly NestedExpiry[];
  /** The certificate that the app was signed with. `null` when it was not read. */
  readonly certificate: { readonly sha256: string; readonly subject: string | null } | null;
}

export type AndroidScheme = 'v1' | 'v2' | 'v3' | 'v3.1';

/** Why a signature does not verify, or was not checked. Part of the API. */
export const SIGNATURE_PROBLEMS = [
  'content_changed',
  'signature_invalid',
  'malformed',
  'missing',
  'scheme_removed',
  'signers_differ',
  'lineage_invalid',
  'newer_scheme_required',
  'unsupported_archive',
  'algorithm_unknown',
  'algorithm_not_checked',
  'too_large_to_check',
] as const;

export type SignatureProblemCode = (typeof SIGNATURE_PROBLEMS)[number];

/** Whether devices will accept the signatures of a package. */
export interface SignatureVerification {
  /**
   * True when every scheme that devices of the app use verified, false when one of them did not. `null` when one was not checked, or when the
   * package is unsigned.
   */
  readonly verified: boolean | null;
  /** The schemes that verified, in ascending order. Schemes that no device of the app's API levels uses are not checked. */
  readonly verifiedSchemes: readonly AndroidScheme[];
  /** The first problem that was found. Also set when a scheme was not checked. */
  readonly problem: { readonly scheme: AndroidScheme; readonly code: SignatureProblemCode } | null;
}

/** The signing of an Android package. */
export interface AndroidSigning {
  readonly platform: 'android';
  /** In ascending order; empty when the package is unsigned. */
  readonly schemes: readonly AndroidScheme[];
  /** The certificate of the newest scheme that verified, else the one that the newest scheme claims. `null` when none can be read. */
  readonly certificateSha256: string | null;
  readonly certificateSubject: string | null;
  /** Whether the certificate is of a scheme that verified. Absent for builds of earlier releases. */
  readonly certificateVerified?: boolean;
  readonly debugCertificate: boolean;
  /** Absent for builds that were uploaded before signatures were verified. */
  readonly verification?: SignatureVerification;
}

/** The properties of a package for which some devices refuse it. Stored with the artifact. */
export type AndroidFaultCode =
  /** The base of an app that is installed together with its splits. */
  | 'splits_missing'
  /** The resource table is compressed, or not aligned to four bytes. */
  | 'resources_compressed'
  | 'resources_unaligned'
  /** Native libraries that are not unpacked are compressed, or not aligned to pages of 4 KiB. */
  | 'libraries_compressed'
  | 'libraries_unaligned'
  /** A 64-bit library was linked for pages of 4 KiB, or is aligned to them in the package. */
  | 'libraries_of_small_pages'
  | 'libraries_on_small_pages'
  /** A component with an intent filter does not say whether it is exported. */
  | 'exported_missing'
  /** The package is for a preview of Android. */
  | 'preview_sdk';

export interface AndroidFault {
  readonly code: AndroidFaultCode;
  /** The first file or component that has it, or the code name of the preview. `null` when the whole package has it. */
  readonly subject: string | null;
  /** The processor architectures whose libraries have it. Absent for other faults. */
  readonly abis?: readonly string[];
}

export interface InspectedIpa extends AppMetadata {
  readonly kind: 'ipa';
  readonly platform: 'ios';
  readonly target: IosTarget;
  readonly deviceFamilies: readonly DeviceFamily[];
  /** `LC_UUID` of the main executable, one per architecture, in lower case. Absent when unknown, and for builds of earlier releases. */
  readonly executableUuids?: readonly string[];
  readonly signing: IosSigning;
  /** Absent for builds that were uploaded before code signatures were read. */
  readonly code?: IosCode;
  /** Null when the artifact was read from the database. */
  readonly details: ArtifactDetails | null;
}

export interface InspectedAndroid extends AppMetadata {
  readonly kind: 'apk' | 'aab';
  readonly platform: 'android';
  /** API levels. `null` when absent, or when it is the code name of a preview. */
  readonly minSdk: number | null;
  readonly targetSdk: number | null;
  /** The version name that the system reports to the app. `null` without one. Absent for builds of earlier releases. */
  readonly versionName?: string | null;
  readonly abis: readonly string[];
  readonly debuggable: boolean;
  readonly testOnly: boolean;
  /** Absent for app bundles, and for builds of earlier releases. */
  readonly faults?: readonly AndroidFault[];
  readonly signing: AndroidSigning;
  /** Null when the artifact was read from the database. */
  readonly details: ArtifactDetails | null;
}

/** Files for the debugging of an app: debug symbols of Apple's platforms, or the mapping of R8 and ProGuard. */
export type DebugFiles = 'dsym' | 'mapping';

/** A file that is not parsed. The client supplies its version and platform. */
export interface InspectedOther {
  readonly kind: 'other';
  /** Absent when the file seems to contain an app. */
  readonly debugFiles?: DebugFiles;
  readonly platform: null;
  readonly name: null;
  readonly bundleId: null;
  readonly version: null;
  readonly buildNumber: null;
  readonly minOsVersion: null;
  readonly icon: null;
  readonly signing: null;
  readonly details: null;
}

/** The metadata of an artifact. Plain data, so that it can be sent between threads (structured clone). */
export type InspectedArtifact = InspectedIpa | InspectedAndroid | InspectedOther;
