import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope, scopeOf } from '#kernel/context/scope';
import { type Language } from '#kernel/text/language';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { messagesFor } from '#infra/pages/messages/messages';
import { BuildsService } from '#modules/builds';
import { ChannelsService } from '#modules/channels';
import { InstallLinksService } from '#modules/install-links';
import {
  type AppVersion,
  InstallMailsService,
  type MailNames,
  type ReleaseRecipient,
  ReleaseRecipientsService,
} from '#modules/testers';
import { type ReleaseWithBuild } from '../release';
import { ReleasesRepository } from '../releases.repository';
import { ReleasesService } from '../releases.service';
import { changesLine } from './changes-line';
import { RELEASE_MAIL } from './release-mail';
import { ReleaseMailsRepository, type WaitingMail } from './release-mails.repository';

/** Sends waiting mails about the releases of a channel: one mail to each tester, with all releases that wait for them. */
@Injectable()
export class ReleaseMailingService implements OnModuleInit {
  constructor(
    private readonly mails: ReleaseMailsRepository,
    private readonly recipients: ReleaseRecipientsService,
    private readonly releases: ReleasesService,
    private readonly promoted: ReleasesRepository,
    private readonly installLinks: InstallLinksService,
    private readonly channels: ChannelsService,
    private readonly installMails: InstallMailsService,
    private readonly builds: BuildsService,
    private readonly outbox: MailOutbox,
  ) {}

  onModuleInit(): void {
    this.outbox.failures.add(async (tx, { recipient: { id, releaseIds } }) => {
      if (releaseIds) await this.mails.markFailed(tx, id, releaseIds);
    });
  }

  /**
   * Mails the locked recipients, as far as the limits allow, in the transaction that locked them, and postpones the others. Drops the
   * mails of `testerIds` about releases that are no longer current or of platforms that the tester did not choose, and all mails of
   * testers who are not among the recipients.
   */
  async send(
    tx: RequestContext,
    channel: ChannelScope,
    testerIds: readonly string[],
    locked: readonly ReleaseRecipient[],
  ): Promise<void> {
    const recipients = new Map(locked.map((recipient) => [recipient.id, recipient]));
    const isWanted = ({ testerId, platform, current }: WaitingMail): boolean => {
      const chosen = recipients.get(testerId)?.mailPlatforms;
      return current && chosen !== undefined && (chosen.length === 0 || chosen.includes(platform));
    };
    const waiting = await this.mails.listWaiting(tx, channel.channelId, testerIds);
    await this.mails.delete(
      tx,
      waiting.filter((mail) => !isWanted(mail)),
    );
    const mailsOf = byTester(waiting.filter(isWanted));
    const taken = await this.recipients.take(
      tx,
      channel,
      locked.filter(({ id }) => mailsOf.has(id)),
    );
    await this.mails.postpone(
      tx,
      taken.later.flatMap(({ id, dueAt }) => (mailsOf.get(id) ?? []).map((mail) => ({ ...mail, dueAt }))),
    );
    await this.mails.markQueued(
      tx,
      taken.now.flatMap(({ id }) => mailsOf.get(id) ?? []),
    );
    await this.queue(tx, channel, taken.now, mailsOf);
  }

  private async queue(
    tx: RequestContext,
    channel: ChannelScope,
    recipients: readonly ReleaseRecipient[],
    mailsOf: ReadonlyMap<string, readonly WaitingMail[]>,
  ): Promise<void> {
    if (recipients.length === 0) return;
    const current = await this.releases.currentOf(tx, channel);
    const names = await this.installMails.names(tx, channel);
    const { name: channelName } = await this.channels.get(tx, channel, channel.channelId);
    const ids = recipients.map(({ id }) => id);
    const urls = await this.installLinks.createForTesters(tx, scopeOf(channel), ids, { channelId: channel.channelId });
    const versions = new Map<string, AppVersion>();
    for (const release of current) versions.set(release.id, await this.readVersion(tx, release, names));
    for (const [index, tester] of recipients.entries()) {
      const url = urls[index] as string;
      const wanted = new Set(mailsOf.get(tester.id)?.map(({ releaseId }) => releaseId));
      // At least one of the taken mails is about a current release.
      const apps = [...versions].filter(([id]) => wanted.has(id)).map(([, version]) => version);
      const draft = await this.installMails.compose(
        RELEASE_MAIL,
        { url, unsubscribe: url },
        { names, apps, tester, channel: channelName },
      );
      const { channelId } = channel;
      const recipient = { kind: 'tester', id: tester.id, channelId, releaseIds: [...wanted] } as const;
      await this.outbox.queue(tx, draft, { bulk: true, recipient });
    }
  }

  private async readVersion(tx: RequestContext, release: ReleaseWithBuild, names: MailNames): Promise<AppVersion> {
    const { build, notes } = release;
    const { notInstallable } = build;
    const reasons: Readonly<Record<string, string>> = messagesFor(names.language).install.warnings;
    return this.installMails.app(tx, build, names, {
      notes: notes ?? build.notes,
      problem: notInstallable && (reasons[notInstallable.code] ?? notInstallable.message),
      changes: await this.readChanges(tx, release, names.language),
    });
  }

  private async readChanges(tx: RequestContext, release: ReleaseWithBuild, language: Language): Promise<string | null> {
    const previous = await this.promoted.findPrevious(tx, release);
    if (!previous) return null;
    const diff = await this.builds.compare(tx, release, release.buildId, previous.buildId);
    const { platform, version, buildNumber } = release.build;
    const since = {
      platform,
      version: diff.version?.from ?? version,
      buildNumber: diff.buildNumber ? diff.buildNumber.from : buildNumber,
    };
    return changesLine(diff, since, language);
  }
}

function byTester(mails: readonly WaitingMail[]): ReadonlyMap<string, readonly WaitingMail[]> {
  const grouped = new Map<string, WaitingMail[]>();
  for (const mail of mails) grouped.set(mail.testerId, [...(grouped.get(mail.testerId) ?? []), mail]);
  return grouped;
}
