import { createHash } from 'node:crypto';
import { type InspectedAndroid, type InspectedIpa } from '#infra/artifact-inspection/inspected-artifact';
import { artifactFromJson, installability } from '#modules/builds';
import { itmsServicesUrl } from '#modules/install';
import { MAX_INT, type OpenedBuild, releaseNumberOf } from '../../current/current-build';

/** The release as the App Center SDKs parse it. Their parsers fail on a field that is absent or `null`, except where noted. */
export interface AppCenterRelease {
  readonly id: number;
  /** A number for Android, a string for iOS. */
  readonly version: number | string;
  readonly short_version: string;
  readonly size: number;
  /** May be null. */
  readonly release_notes: string | null;
  /** May be null. */
  readonly release_notes_url: string | null;
  readonly min_os: string;
  readonly android_min_api_level: number;
  readonly fileExtension: 'apk' | 'ipa';
  readonly download_url: string;
  readonly install_url: string;
  readonly mandatory_update: boolean;
  /** Not empty. The SDKs compare them with the hash of the installed app. */
  readonly package_hashes: readonly string[];
  readonly distribution_group_id: string;
  readonly status: 'available';
}

interface AppCenterRequest {
  /** The hash of the installed app, as the SDK sends it. */
  readonly releaseHash: string | undefined;
  readonly packageUrl: string;
  /** The page of the current build below the key. */
  readonly installPage: string;
  readonly now: Date;
}

/** Every system counts as new enough. The SDKs reject a release without a minimum. */
const ANY_OS = '1.0';
const ANY_API_LEVEL = 1;

/** The release for an SDK. Null when no SDK can install it: another platform, no installable artifact, a version code above 31 bits. */
export function appCenterRelease(opened: OpenedBuild, request: AppCenterRequest): AppCenterRelease | null {
  const artifact = artifactFromJson(opened.build.artifact);
  if (!installability(artifact, request.now).installable) return null;
  if (artifact.kind === 'apk') return androidRelease(opened, artifact, request);
  return artifact.kind === 'ipa' ? iosRelease(opened, artifact, request) : null;
}

function androidRelease(
  opened: OpenedBuild,
  artifact: InspectedAndroid,
  { packageUrl }: AppCenterRequest,
): AppCenterRelease | null {
  const versionCode = Number(artifact.buildNumber);
  if (!Number.isInteger(versionCode) || versionCode > MAX_INT) return null;
  const { bundleId, versionName = artifact.version } = artifact;
  return {
    ...releaseOf(opened),
    version: versionCode,
    min_os: artifact.minOsVersion ?? ANY_OS,
    android_min_api_level: artifact.minSdk ?? ANY_API_LEVEL,
    fileExtension: 'apk',
    download_url: packageUrl,
    install_url: packageUrl,
    // An app without a version name has the text "null" in the hash of the SDK, which joins texts in Java.
    package_hashes: [sha256Of(`${bundleId}:${versionName ?? 'null'}:${versionCode}`)],
  };
}

/**
 * The SDK for iOS hashes the UUID of the app's executable. When the UUIDs of the build are unknown, the response repeats the hash that the
 * SDK sent, so that the SDK decides by version and build number alone. With another hash it would offer the installed app again at every
 * start.
 */
function iosRelease(
  opened: OpenedBuild,
  artifact: InspectedIpa,
  { releaseHash, packageUrl, installPage }: AppCenterRequest,
): AppCenterRelease {
  const { executableUuids = [], version, buildNumber } = artifact;
  const hashes = executableUuids.map((uuid) => sha256Of(`${uuid}:${version ?? ''}:${buildNumber ?? ''}`));
  return {
    ...releaseOf(opened),
    version: buildNumber ?? '',
    min_os: artifact.minOsVersion ?? ANY_OS,
    android_min_api_level: ANY_API_LEVEL,
    fileExtension: 'ipa',
    download_url: packageUrl,
    install_url: itmsServicesUrl(`${installPage}/manifest.plist`),
    package_hashes: hashes.length > 0 ? hashes : [isHash(releaseHash) ? releaseHash : opened.build.sha256],
  };
}

const releaseOf = (opened: OpenedBuild) => ({
  id: releaseNumberOf(opened),
  short_version: opened.build.version,
  size: opened.build.sizeBytes,
  release_notes: opened.build.notes,
  release_notes_url: null,
  mandatory_update: opened.build.mandatory,
  distribution_group_id: opened.channelId ?? opened.projectId,
  status: 'available' as const,
});

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

const isHash = (value: string | undefined): value is string => value !== undefined && /^[0-9a-f]{64}$/.test(value);
