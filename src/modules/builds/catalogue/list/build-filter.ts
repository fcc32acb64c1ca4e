import { type Platform } from '#kernel/builds/platform';
import { type ProjectScope } from '#kernel/context/scope';
import { type ListName } from '#kernel/cursor';
import { type Build } from '../build';

/** Which builds a list shows. Absent conditions are met by every build. */
export interface BuildFilter {
  readonly platform?: Platform | undefined;
  readonly version?: string | undefined;
  readonly branch?: string | undefined;
  /** The commit, or its beginning. */
  readonly commit?: string | undefined;
  /** The hash of the file, in hexadecimal. */
  readonly sha256?: string | undefined;
  /** Text found in version, build number, notes, file name, branch or commit. Case is ignored. */
  readonly q?: string | undefined;
  /** Id of the developer or project access token. */
  readonly uploadedBy?: string | undefined;
  /** Uploaded at this time or later. */
  readonly from?: Date | undefined;
  /** Uploaded before this time. */
  readonly to?: Date | undefined;
  /** Promoted to this channel. */
  readonly channelId?: string | undefined;
  /** Has a warning with this code. */
  readonly warning?: string | undefined;
  readonly installable?: boolean | undefined;
  readonly hasWarnings?: boolean | undefined;
  /** Whether the builds in the trash are listed instead of the others. */
  readonly deleted?: true | undefined;
}

/** The name of the list of a project's builds, in its cursors. */
export const buildsList = ({ projectId }: ProjectScope): ListName => `builds|${projectId}`;

/** The conditions of the newest build. All are about columns. */
export type LatestFilter = Pick<BuildFilter, 'platform' | 'version' | 'branch' | 'commit' | 'channelId'>;

/**
 * The conditions about what is computed from the artifact and the time, so that no column has it.
 * @returns null when the filter has none.
 */
export function computedCondition({
  warning,
  installable,
  hasWarnings,
}: BuildFilter): ((build: Pick<Build, 'warnings' | 'installable'>) => boolean) | null {
  if ([warning, installable, hasWarnings].every((condition) => condition === undefined)) return null;
  return (build) =>
    (warning === undefined || build.warnings.some(({ code }) => code === warning)) &&
    (installable === undefined || build.installable === installable) &&
    (hasWarnings === undefined || build.warnings.length > 0 === hasWarnings);
}
