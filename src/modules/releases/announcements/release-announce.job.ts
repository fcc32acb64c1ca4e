import { type ProjectScope } from '#kernel/context/scope';
import { defineJob } from '#infra/jobs/job-kind';

export interface ReleaseAnnouncement {
  readonly releaseId: string;
  readonly scope: ProjectScope;
  /** The id of the last tester of the previous batch, null for the first batch. */
  readonly after: string | null;
}

/** Mails a batch of a channel's subscribers about a release. Enqueued in the transaction that promotes, and run after its commit. */
export const RELEASE_ANNOUNCE = defineJob<ReleaseAnnouncement>('release.announce', { jobClass: 'mail' });
