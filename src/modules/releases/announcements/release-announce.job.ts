import { type ProjectScope } from '#kernel/context/scope';
import { defineJob } from '#infra/jobs/job-kind';

export interface ReleaseAnnouncement {
  readonly releaseId: string;
  readonly scope: ProjectScope;
  /** The id of the last tester of the previous batch, null for the first batch. */
  readonly after: string | null;
}

/** The time between a promotion and its mails: a promotion that is corrected within this time sends only the corrected release. */
export const ANNOUNCE_AFTER_MS = 60_000;

/** Mails a batch of a channel's subscribers about a release. Enqueued in the transaction that promotes. */
export const RELEASE_ANNOUNCE = defineJob<ReleaseAnnouncement>('release.announce', { jobClass: 'mail' });
