import { usageError } from '../../output/cli-error';
import { EMPTY_BUILD, type ImportPlan, type PlannedBuild, planOf } from '../plan/import-plan';

/** The name under which lists of releases of App Center's API were saved. */
export const APP_CENTER_RELEASES = 'releases.json';

/** A release as App Center's API returned it, with the fields that are needed here. */
interface AppCenterRelease {
  readonly id?: number;
  /** The build number. */
  readonly version?: string;
  readonly short_version?: string;
  readonly uploaded_at?: string;
  readonly release_notes?: string;
  readonly distribution_groups?: readonly { readonly name?: string }[];
  readonly build?: { readonly branch_name?: string; readonly branch?: string; readonly commit_hash?: string };
}

/** A release and the file that belongs to it. */
type FileOf = (release: {
  readonly id: string;
  readonly version: string;
  readonly build: string;
}) => string | undefined;

/**
 * Reads releases of App Center. Those whose file is not in the folder become remarks.
 * @param files the names of all files in the folder.
 * @throws CliError when the text is not a list of releases.
 */
export function readAppCenterReleases(text: string, files: readonly string[]): ImportPlan {
  const fileOf = fileFinder(files);
  const builds: PlannedBuild[] = [];
  const remarks: string[] = [];
  for (const release of releasesOf(text)) {
    const { id, version = '', short_version = '' } = release;
    const file = fileOf({ id: String(id ?? ''), version: short_version, build: version });
    if (file === undefined) remarks.push(`The folder has no file of release ${id} (${short_version}, ${version}).`);
    else builds.push(buildOf(file, release));
  }
  return { ...planOf(builds), remarks };
}

function releasesOf(text: string): readonly AppCenterRelease[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value as AppCenterRelease[];
  } catch {
    // The message for the whole file fits here, too.
  }
  throw usageError(`${APP_CENTER_RELEASES} must be a list of releases, as App Center's API returned it.`);
}

const buildOf = (file: string, release: AppCenterRelease): PlannedBuild => ({
  ...EMPTY_BUILD,
  file,
  version: release.short_version || null,
  build_number: release.version || null,
  notes: release.release_notes || null,
  branch: release.build?.branch_name ?? release.build?.branch ?? null,
  commit: release.build?.commit_hash ?? null,
  uploaded_at: release.uploaded_at ? new Date(release.uploaded_at).toISOString() : null,
  releases: (release.distribution_groups ?? []).flatMap(({ name }) =>
    name ? [{ channel: name, notes: null, promoted_at: null }] : [],
  ),
});

/** Files are found by the id at the beginning of their name, else by version and build number anywhere in it. */
function fileFinder(files: readonly string[]): FileOf {
  const numbersOf = new Map(files.map((file) => [file, file.split(/[^\d.]+|\.(?=\D)/).filter((part) => part !== '')]));
  const find = (matches: (numbers: readonly string[], file: string) => boolean): string | undefined => {
    const found = files.filter((file) => matches(numbersOf.get(file) ?? [], file));
    return found.length === 1 ? found[0] : undefined;
  };
  return ({ id, version, build }) =>
    find((numbers) => numbers[0] === id) ??
    find((numbers) => numbers.includes(version) && numbers.includes(build)) ??
    find((numbers) => numbers.includes(build) && build !== version);
}
