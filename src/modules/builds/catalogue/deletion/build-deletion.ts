import { type BuildChannel } from '../build';

/** `current`: the build stays, because it is the current release of a channel. */
export const BUILD_DELETION_OUTCOMES = ['deleted', 'current', 'not_found'] as const;
export type BuildDeletionOutcome = (typeof BUILD_DELETION_OUTCOMES)[number];

export interface BuildDeletion {
  readonly buildId: string;
  readonly outcome: BuildDeletionOutcome;
  /** The channels that keep the build. Empty when it was deleted. */
  readonly channels: readonly BuildChannel[];
}

/** A locked build with what its audit event names. */
export interface LockedBuild {
  readonly id: string;
  readonly version: string;
  readonly buildNumber: string | null;
}
