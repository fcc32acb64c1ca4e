import { type Platform } from '#kernel/builds/platform';
import { type BuildChannel } from '../build';

/** `pinned`, `current`: the build stays, because it is pinned or the current release of a channel. */
export const BUILD_DELETION_OUTCOMES = ['deleted', 'current', 'pinned', 'not_found'] as const;
export type BuildDeletionOutcome = (typeof BUILD_DELETION_OUTCOMES)[number];

export interface BuildDeletion {
  readonly buildId: string;
  readonly outcome: BuildDeletionOutcome;
  /** The channels that keep the build. Empty when it was deleted. */
  readonly channels: readonly BuildChannel[];
  /** When its file is deleted. Null when nothing was moved to the trash. */
  readonly freesBytesAt: Date | null;
}

/** How builds are deleted. */
export interface DeletionOptions {
  /** Deletes builds immediately, also those in the trash, instead of moving them to the trash. */
  readonly permanently: boolean;
  /** Leaves builds that are not in the trash, for example because another person has restored them. */
  readonly onlyDeleted?: boolean;
}

/** `not_deleted`: the build was not in the trash. */
export const BUILD_RESTORATION_OUTCOMES = ['restored', 'not_deleted', 'not_found'] as const;
export type BuildRestorationOutcome = (typeof BUILD_RESTORATION_OUTCOMES)[number];

export interface BuildRestoration {
  readonly buildId: string;
  readonly outcome: BuildRestorationOutcome;
}

/** A locked build with what its audit event names. */
export interface LockedBuild {
  readonly id: string;
  readonly platform: Platform;
  readonly version: string;
  readonly buildNumber: string | null;
  readonly pinned: boolean;
  /** Null when it is not in the trash. */
  readonly deletedAt: Date | null;
}

/** The time for which a deleted build can be restored. */
export const TRASH_DAYS = 7;

/** When the file of a build in the trash is deleted. */
export const freesBytesAt = (deletedAt: Date): Date => new Date(deletedAt.getTime() + TRASH_DAYS * 86_400_000);
