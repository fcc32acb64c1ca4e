import { extname } from 'node:path';
import { type Messages } from '#infra/pages/messages/messages';
import { type BuildWarning, type BuildWithUrl, type OldDevices, oldDevicesThatReject } from '#modules/builds';
import { type Channel } from '#modules/channels';
import { type ReachableBuild } from '../../link-resolver.service';
import { type PageOrigin } from '../page-origins';

export type InstallPlatform = 'ios' | 'android' | 'macos' | 'windows' | 'linux';

/** A warning: a code for programs, a sentence for people. */
export interface Notice {
  readonly code: string;
  readonly message: string;
  /** The old devices that alone reject the app, for a broken signature. Absent when current devices reject it, too. */
  readonly devices?: OldDevices;
}

/** How the reader got a build. */
export interface Delivery {
  readonly kind: 'promoted' | 'uploaded';
  readonly at: Date;
  /** The name of a person. Null for a token, and for a person who gave no name. */
  readonly by: string | null;
}

/** A build as the page shows it. Texts are plain: the templates escape them. */
export interface InstallBuild {
  readonly id: string;
  /** The channel that gives the reader this build. `null` without a channel, and on the page of that channel. */
  readonly channelName: string | null;
  readonly platform: InstallPlatform;
  /** The name in the artifact. When `null`, the page shows the project's name. */
  readonly appName: string | null;
  readonly bundleId: string | null;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly notes: string | null;
  readonly sizeBytes: number;
  readonly uploadedAt: Date;
  readonly delivery: Delivery;
  /** In hexadecimal. */
  readonly sha256: string;
  /** The team or certificate that signed it; `null` when it is unknown or its signature was not verified. */
  readonly signer: string | null;
  readonly minimumOsVersion: string | null;
  /** The device families of an iOS app; empty on other platforms. */
  readonly deviceFamilies: readonly string[];
  /** The target API level of an Android app. `null` when it is unknown, and on other platforms. */
  readonly targetSdk: number | null;
  /** Lower case, without the dot. The download link ends in it. Empty when the file has none. */
  readonly fileExtension: string;
  readonly hasIcon: boolean;
  /** How an iOS app is signed; `null` on other platforms. */
  readonly signing: 'development' | 'ad_hoc' | 'enterprise' | 'unknown' | null;
  /** When the provisioning profile of an iOS app expires. The app does not start afterwards. */
  readonly expiresAt: Date | null;
  readonly warnings: readonly Notice[];
  /** Why no device can install it from a link (App Store signing, AAB, …), shown instead of a button. `null` when devices can. */
  readonly notInstallable: Notice | null;
}

/** Translates a notice for testers. A code without a translation keeps its own message. */
export function translateNotice({ code, message, devices }: Notice, { install }: Messages): Notice {
  if (devices) return { code, message: install.signatureBrokenFor[devices] };
  const translations: Readonly<Record<string, string>> = install.warnings;
  return { code, message: Object.hasOwn(translations, code) ? (translations[code] ?? message) : message };
}

/** @param pageChannel the channel of the page, which the build does not name again. */
export function toInstallBuild(
  reachable: ReachableBuild,
  pageChannel: Channel | null,
  { people }: PageOrigin,
): InstallBuild {
  const { build, channel, notes } = reachable;
  const { artifact } = build;
  const signing = artifact.signing?.platform === 'ios' ? artifact.signing : null;
  return {
    id: build.id,
    channelName: channel && channel.id !== pageChannel?.id ? channel.name : null,
    platform: build.platform,
    appName: artifact.name,
    bundleId: artifact.bundleId,
    version: build.version,
    buildNumber: build.buildNumber,
    notes,
    sizeBytes: build.sizeBytes,
    uploadedAt: build.uploadedAt,
    delivery: deliveryOf(reachable, people),
    sha256: build.sha256,
    signer: signerOf(artifact),
    minimumOsVersion: artifact.minOsVersion,
    deviceFamilies: artifact.kind === 'ipa' ? artifact.deviceFamilies : [],
    targetSdk: artifact.platform === 'android' ? artifact.targetSdk : null,
    fileExtension: fileExtensionOf(build),
    hasIcon: build.iconMediaType !== null,
    signing: signing && SIGNINGS[signing.distribution],
    expiresAt: signing?.expiresAt ?? null,
    warnings: build.warnings.filter(isForTesters).map((warning) => noticeOf(warning, artifact)),
    notInstallable: build.notInstallable,
  };
}

const deliveryOf = ({ channel, since, by }: ReachableBuild, people: PageOrigin['people']): Delivery => ({
  kind: channel ? 'promoted' : 'uploaded',
  at: since,
  by: people.get(by.id ?? '') ?? null,
});

/** The name of the team in the profile of an iOS app, or the subject of an Android app's verified certificate. */
function signerOf({ signing }: BuildWithUrl['artifact']): string | null {
  if (signing?.platform === 'ios')
    return [signing.teamName, signing.teamId && `(${signing.teamId})`].filter(Boolean).join(' ') || null;
  return signing?.platform === 'android' && signing.certificateVerified === true ? signing.certificateSubject : null;
}

/** The page says itself whether the device of its reader is missing. */
const isForTesters = ({ code }: BuildWarning): boolean => code !== 'devices_missing';

/** The warning, with the devices of a signature that only old devices use. */
function noticeOf({ code, message }: BuildWarning, { signing }: BuildWithUrl['artifact']): Notice {
  const devices = signing?.platform === 'android' && code === 'signature_broken' ? oldDevicesThatReject(signing) : null;
  return { code, message, ...(devices && { devices }) };
}

/** Lower case, without the dot; empty when the name has no extension. */
export const fileExtensionOf = ({ fileName }: BuildWithUrl): string => extname(fileName).slice(1).toLowerCase();

const SIGNINGS = {
  development: 'development',
  adhoc: 'ad_hoc',
  enterprise: 'enterprise',
  appstore: 'unknown',
  simulator: 'unknown',
  none: 'unknown',
  unknown: 'unknown',
} as const;
