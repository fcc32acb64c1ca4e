import { join } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { scopeOf } from '#kernel/context/scope';
import { ChannelsService } from '#modules/channels';
import { InstallLinksService } from '#modules/install-links';
import { ProjectsService } from '#modules/projects';
import { type InstallMailData, installMail, type Recipient, SubscriptionsService } from '#modules/testers';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { loadMailTemplate } from '#infra/mail/render-mail';
import { type ReleaseWithBuild } from '../release';
import { type AnnouncedRelease, RELEASE_ANNOUNCE } from './release-announced.job';
import { ReleaseMailsRepository } from './release-mails.repository';
import { ReleasesService } from '../releases.service';

interface ReleaseMailData {
  readonly channel: string;
  readonly appName: string | null;
  readonly version: string;
  readonly buildNumber: string | null;
  /** What the promoter says, or else what the build says. */
  readonly notes: string | null;
  /** Why it cannot be installed from a link; null when it can. */
  readonly notInstallable: string | null;
}

const RELEASED = loadMailTemplate<ReleaseMailData & InstallMailData>(
  join(__dirname, 'release-mail'),
  ({ project, channel, version, buildNumber }) =>
    `${project} ${version}${buildNumber === null ? '' : ` (${buildNumber})`} is ready: ${channel}`,
);

/** What a release mail says, and where it leads. */
@Injectable()
export class ReleaseLinks {
  constructor(
    private readonly invites: InstallLinksService,
    private readonly channels: ChannelsService,
    private readonly projects: ProjectsService,
  ) {}

  /** A fresh link of the channel for each tester, in their order. */
  create(tx: RequestContext, release: ReleaseWithBuild, testerIds: readonly string[]): Promise<readonly string[]> {
    return this.invites.createForTesters(tx, scopeOf(release), testerIds, { channelId: release.channelId });
  }

  async describe(
    tx: RequestContext,
    release: ReleaseWithBuild,
  ): Promise<ReleaseMailData & { readonly project: string }> {
    const { name: project } = await this.projects.get(tx, scopeOf(release));
    const { name: channel } = await this.channels.get(tx, scopeOf(release), release.channelId);
    const { artifact, version, buildNumber, notes, notInstallable } = release.build;
    return {
      project,
      channel,
      appName: artifact.name,
      version,
      buildNumber,
      notes: release.notes ?? notes,
      notInstallable: notInstallable?.message ?? null,
    };
  }
}

/** Small enough for a transaction of a fraction of a second, large enough that ten thousand are fifty of them. */
const BATCH = 200;

/**
 * Tells the subscribers of a channel of a release, a batch at a time. Each batch is one transaction: who was told, their links,
 * their mails, and the job of the next batch. A worker that dies repeats a batch or finds it done; either way each subscriber
 * is mailed once, and nobody is skipped. Those who left, or have only ever used other platforms, are not told; and nobody more
 * is, once the release is withdrawn or no longer current.
 */
@Injectable()
export class ReleaseAnnouncementsService implements OnModuleInit {
  constructor(
    private readonly releases: ReleasesService,
    private readonly mails: ReleaseMailsRepository,
    private readonly subscriptions: SubscriptionsService,
    private readonly links: ReleaseLinks,
    private readonly outbox: MailOutbox,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.jobs.register(RELEASE_ANNOUNCE, (ctx, announced) => this.announce(ctx, announced));
  }

  /** Does the next batch. */
  announce(ctx: RequestContext, { releaseId, scope, after }: AnnouncedRelease): Promise<void> {
    return this.transactions.run(ctx, async (tx) => {
      const release = await this.releases.find(tx, scope, releaseId);
      if (!release?.current) return;
      const page = { after, limit: BATCH };
      const batch = await this.subscriptions.recipients(tx, release.channelId, release.platform, page);
      const untold = await this.mails.claim(
        tx,
        release,
        batch.map(({ id }) => id),
      );
      const recipients = batch.filter(({ id }) => untold.has(id));
      if (recipients.length > 0) await this.mail(tx, release, recipients);
      const last = batch.at(-1);
      if (batch.length < BATCH || !last) return;
      const next = { releaseId, scope, after: last.id };
      await this.jobs.enqueue(tx, RELEASE_ANNOUNCE, next, { key: `${releaseId}:${last.id}`, bulk: true });
    });
  }

  private async mail(tx: RequestContext, release: ReleaseWithBuild, recipients: readonly Recipient[]): Promise<void> {
    const data = await this.links.describe(tx, release);
    const urls = await this.links.create(
      tx,
      release,
      recipients.map(({ id }) => id),
    );
    for (const [index, tester] of recipients.entries()) {
      const url = urls[index] as string;
      const draft = await installMail(RELEASED, { url, unsubscribe: url }, { ...data, tester });
      await this.outbox.queue(tx, draft, { bulk: true, recipient: { kind: 'tester', id: tester.id } });
    }
  }
}
