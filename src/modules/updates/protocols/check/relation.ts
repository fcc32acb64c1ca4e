import { type Platform } from '#kernel/builds/platform';
import { type InspectedArtifact } from '#infra/artifact-inspection/inspected-artifact';
import { compareVersions } from '#modules/builds';

/** The relation of the current build to the installed app. `older` after a rollback. */
export const RELATIONS = ['newer', 'same', 'older'] as const;
export type Relation = (typeof RELATIONS)[number];

/** The data that an installed app sends about itself. */
export interface InstalledApp {
  readonly version?: string | undefined;
  readonly buildNumber?: string | undefined;
}

interface VersionedBuild {
  readonly version: string;
  readonly buildNumber: string | null;
}

/**
 * Compares a build with the installed app; numbers are compared by value. Android decides by the build number (`versionCode`), the other
 * platforms by the version and then by the build number. A number that one of the two lacks is not compared.
 * @returns null when nothing can be compared.
 */
export function relationOf(platform: Platform, build: VersionedBuild, installed: InstalledApp): Relation | null {
  const versions = differenceOf(build.version, installed.version);
  const numbers = differenceOf(build.buildNumber, installed.buildNumber);
  const differences = platform === 'android' ? [numbers, versions] : [versions, numbers];
  const known = differences.filter((difference) => difference !== null);
  if (known.length === 0) return null;
  const decisive = known.find((difference) => difference !== 0) ?? 0;
  if (decisive === 0) return 'same';
  return decisive > 0 ? 'newer' : 'older';
}

/**
 * Whether the project still supports the installed app. A version that cannot be compared counts as supported.
 * @param minSupported on Android a build number, on other platforms a version.
 */
export function isSupported(platform: Platform, installed: InstalledApp, minSupported: string | null): boolean {
  const compared = platform === 'android' ? installed.buildNumber : installed.version;
  return (differenceOf(minSupported, compared) ?? 0) <= 0;
}

const differenceOf = (built: string | null, installed: string | undefined): number | null =>
  built === null || installed === undefined ? null : compareVersions(built, installed);

/** The lowest system that an artifact runs on. Fields are null when they are unknown, or belong to another platform. */
interface OsRequirement {
  /** In the vendor's notation: `13.1`, `5.0`. */
  readonly minOsVersion: string | null;
  /** The API level of Android. */
  readonly minSdk: number | null;
}

export const osRequirementOf = (artifact: InspectedArtifact): OsRequirement => ({
  minOsVersion: artifact.minOsVersion,
  minSdk: artifact.platform === 'android' ? artifact.minSdk : null,
});

/**
 * Whether the device can run the artifact. True when this is unknown.
 * @param osVersion as the app sends it: on Android the API level.
 */
export function runsOn({ minOsVersion, minSdk }: OsRequirement, osVersion: string | undefined): boolean {
  if (osVersion === undefined) return true;
  const required = minSdk === null ? minOsVersion : String(minSdk);
  return required === null || compareVersions(required, osVersion) <= 0;
}
