import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { type JobRun } from '#infra/jobs/job-kind';
import { Jobs } from '#infra/jobs/jobs';
import { ReleaseRecipientsService } from '#modules/testers';
import { type ReleaseWithBuild } from '../release';
import { ReleasesService } from '../releases.service';
import { ANNOUNCE_AFTER_MS, RELEASE_ANNOUNCE, type ReleaseAnnouncement } from './release-announce.job';
import { ReleaseMailingService } from './release-mailing.service';
import { ReleaseMailsRepository } from './release-mails.repository';

/** The transaction of such a batch takes about a second. Fifty thousand subscribers take a hundred batches. */
const BATCH_SIZE = 500;

/**
 * Mails the subscribers of a channel about its current releases, a minute after a promotion, in batches. A promotion that another one
 * replaced within the minute sends nothing. Releases of several platforms that were promoted together share a mail.
 *
 * One transaction per batch writes the recipients, their links, their mails and the job of the next batch. A job that is retried after a
 * crash finds its batch either undone or done, so each subscriber gets a release in exactly one mail. The next batch runs before the mails
 * of this one, so all are queued while the first are sent. Mails above a limit wait as rows without `queued_at`; a schedule sends them
 * (docs/decisions/0031-limits-of-mails-to-testers.md, 0086-large-operations-in-steps.md).
 */
@Injectable()
export class ReleaseAnnouncementsService implements OnModuleInit {
  constructor(
    private readonly releases: ReleasesService,
    private readonly mails: ReleaseMailsRepository,
    private readonly recipients: ReleaseRecipientsService,
    private readonly mailing: ReleaseMailingService,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.jobs.register(RELEASE_ANNOUNCE, (ctx, announcement) => this.announceBatch(ctx, announcement));
    this.jobs.schedule('release.prune-mails', '51 3 * * *', (ctx) => this.mails.prune(ctx));
    this.jobs.schedule('release.send-waiting', '* * * * *', (ctx, run) => this.sendWaiting(ctx, run));
  }

  private announceBatch(ctx: RequestContext, { releaseId, scope, after }: ReleaseAnnouncement): Promise<void> {
    return this.transactions.run(ctx, async (tx) => {
      const release = await this.releases.find(tx, scope, releaseId);
      if (!release?.current) return;
      const releases = await this.promotedWith(tx, release);
      const testerIds = await this.recipients.listIds(tx, release.channelId, { after, limit: BATCH_SIZE });
      const locked = await this.recipients.lock(tx, release.channelId, testerIds);
      await this.mails.add(tx, idsOf(releases), idsOf(locked));
      await this.mailing.send(tx, release, testerIds, locked);
      const last = testerIds.at(-1);
      if (testerIds.length < BATCH_SIZE || last === undefined) return;
      const next = { releaseId, scope, after: last };
      await this.jobs.enqueue(tx, RELEASE_ANNOUNCE, next, { key: `${releaseId}:${last}` });
    });
  }

  /**
   * The current releases that this announcement covers: those with mails that were promoted within its minute. Earlier releases have an
   * earlier announcement.
   */
  private async promotedWith(tx: RequestContext, release: ReleaseWithBuild): Promise<readonly ReleaseWithBuild[]> {
    const current = await this.releases.currentOfMany(tx, release, [release.channelId]);
    const since = release.promotedAt.getTime() - ANNOUNCE_AFTER_MS;
    return current.filter(({ promotedAt, notify }) => notify && promotedAt.getTime() >= since);
  }

  /** Sends the mails that waited for a limit and are due. Each batch is sent, postponed or dropped, so the loop ends. */
  private async sendWaiting(ctx: RequestContext, { signal }: JobRun): Promise<void> {
    while (!signal.aborted) {
      const due = await this.mails.nextDue(ctx);
      if (!due) return;
      const { channel, testerIds } = due;
      await this.transactions.run(ctx, async (tx) => {
        const locked = await this.recipients.lock(tx, channel.channelId, testerIds);
        await this.mailing.send(tx, channel, testerIds, locked);
      });
    }
  }
}

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);
