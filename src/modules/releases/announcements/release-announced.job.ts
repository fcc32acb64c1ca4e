import { type ProjectScope } from '#kernel/context/scope';
import { defineJob } from '#infra/jobs/job-kind';

export interface AnnouncedRelease {
  readonly releaseId: string;
  readonly scope: ProjectScope;
  /** The last tester of the batch before; null for the first. */
  readonly after: string | null;
}

/** Tells a channel's subscribers of a release: part of the transaction that promotes, done after its commit. */
export const RELEASE_ANNOUNCE = defineJob<AnnouncedRelease>('release.announce');
