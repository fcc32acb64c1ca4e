import { compareVersions } from '#modules/builds';
import { type InspectedArtifact } from '#infra/artifact-inspection/inspected-artifact';

/** The lowest system that an artifact runs on; null when it is unknown. */
export interface OsRequirement {
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
 * Whether the device can run the artifact. Unknown is yes.
 * @param osVersion as the app sends it: on Android the API level.
 */
export function runsOn({ minOsVersion, minSdk }: OsRequirement, osVersion: string | undefined): boolean {
  if (osVersion === undefined) return true;
  const required = minSdk === null ? minOsVersion : String(minSdk);
  return required === null || compareVersions(required, osVersion) <= 0;
}
