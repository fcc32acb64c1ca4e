import { join } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { installMail, type InstallMailData, type Recipient, SubscriptionsService } from '#modules/testers';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { loadMailTemplate } from '#infra/mail/render-mail';
import { type ReleaseWithBuild } from '../release';
import { RELEASE_ANNOUNCE, type ReleaseAnnouncement } from './release-announce.job';
import { ReleaseMailContentService, type ReleaseMailData } from './release-mail-content.service';
import { ReleaseMailsRepository } from './release-mails.repository';
import { ReleasesService } from '../releases.service';

const RELEASE_MAIL = loadMailTemplate<ReleaseMailData & InstallMailData>(
  join(__dirname, 'release-mail'),
  ({ project, channel, version, buildNumber }) =>
    `${project} ${version}${buildNumber === null ? '' : ` (${buildNumber})`} is ready: ${channel}`,
);

/** Keeps each transaction well below a second, and ten thousand subscribers at fifty batches. */
const BATCH_SIZE = 200;

/**
 * Mails the subscribers of a channel about a release, in batches. One transaction per batch writes who was mailed, their links, their
 * mails and the job of the next batch. A job that is retried after a crash finds its batch either undone or done, so each subscriber
 * gets exactly one mail. Testers who unsubscribed or chose other platforms get none. The job stops when the release was withdrawn or
 * is no longer current.
 */
@Injectable()
export class ReleaseAnnouncementsService implements OnModuleInit {
  constructor(
    private readonly releases: ReleasesService,
    private readonly mails: ReleaseMailsRepository,
    private readonly subscriptions: SubscriptionsService,
    private readonly content: ReleaseMailContentService,
    private readonly outbox: MailOutbox,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.jobs.register(RELEASE_ANNOUNCE, (ctx, announcement) => this.announceBatch(ctx, announcement));
  }

  announceBatch(ctx: RequestContext, { releaseId, scope, after }: ReleaseAnnouncement): Promise<void> {
    return this.transactions.run(ctx, async (tx) => {
      const release = await this.releases.find(tx, scope, releaseId);
      if (!release?.current) return;
      const page = { after, limit: BATCH_SIZE };
      const batch = await this.subscriptions.listRecipients(tx, release.channelId, release.platform, page);
      const ids = batch.map(({ id }) => id);
      const claimed = await this.mails.claim(tx, release, ids);
      const recipients = batch.filter(({ id }) => claimed.has(id));
      if (recipients.length > 0) await this.mail(tx, release, recipients);
      const last = batch.at(-1);
      if (batch.length < BATCH_SIZE || !last) return;
      const next = { releaseId, scope, after: last.id };
      await this.jobs.enqueue(tx, RELEASE_ANNOUNCE, next, { key: `${releaseId}:${last.id}`, bulk: true });
    });
  }

  private async mail(tx: RequestContext, release: ReleaseWithBuild, recipients: readonly Recipient[]): Promise<void> {
    const data = await this.content.read(tx, release);
    const ids = recipients.map(({ id }) => id);
    const urls = await this.content.createLinks(tx, release, ids);
    for (const [index, tester] of recipients.entries()) {
      const url = urls[index] as string;
      const draft = await installMail(RELEASE_MAIL, { url, unsubscribe: url }, { ...data, tester });
      await this.outbox.queue(tx, draft, { bulk: true, recipient: { kind: 'tester', id: tester.id } });
    }
  }
}
