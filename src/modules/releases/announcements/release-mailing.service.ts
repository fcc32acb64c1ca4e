import { setImmediate as nextLoopTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope, scopeOf } from '#kernel/context/scope';
import { type Language } from '#kernel/text/language';
import { MailOutbox, type MassMail } from '#infra/mail/mail-outbox';
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
import { type MailsByTester, WaitingMailsService } from './waiting-mails.service';

const MAILS_AT_ONCE = 10;

/** Sends waiting mails about the releases of a channel: one mail to each tester, with all releases that wait for them. */
@Injectable()
export class ReleaseMailingService {
  constructor(
    private readonly waiting: WaitingMailsService,
    private readonly recipients: ReleaseRecipientsService,
    private readonly releases: ReleasesService,
    private readonly promoted: ReleasesRepository,
    private readonly installLinks: InstallLinksService,
    private readonly channels: ChannelsService,
    private readonly installMails: InstallMailsService,
    private readonly builds: BuildsService,
    private readonly outbox: MailOutbox,
  ) {}

  /** Mails the locked recipients, as far as the limits allow, in the transaction that locked them, and postpones the others. */
  async send(
    tx: RequestContext,
    channel: ChannelScope,
    testerIds: readonly string[],
    locked: readonly ReleaseRecipient[],
  ): Promise<void> {
    const mailsOf = await this.waiting.take(tx, channel, testerIds, locked);
    const taken = await this.recipients.take(
      tx,
      channel,
      locked.filter(({ id }) => mailsOf.has(id)),
    );
    await this.waiting.settle(tx, taken, mailsOf);
    await this.outbox.queueAll(tx, await this.compose(tx, channel, taken.now, mailsOf), taken.turn);
  }

  private async compose(
    tx: RequestContext,
    channel: ChannelScope,
    recipients: readonly ReleaseRecipient[],
    mailsOf: MailsByTester,
  ): Promise<readonly MassMail[]> {
    if (recipients.length === 0) return [];
    const current = await this.releases.currentOf(tx, channel);
    const names = await this.installMails.names(tx, channel);
    const { name: channelName } = await this.channels.get(tx, channel, channel.channelId);
    const ids = recipients.map(({ id }) => id);
    const urls = await this.installLinks.createForTesters(tx, scopeOf(channel), ids, { channelId: channel.channelId });
    const versions = new Map<string, AppVersion>();
    for (const release of current) versions.set(release.id, await this.readVersion(tx, release, names));
    const queuedAt = tx.clock.now().toISOString();
    const composed: MassMail[] = [];
    for (const [index, tester] of recipients.entries()) {
      // Requests to the same process are handled between the mails, each of which is a millisecond of work.
      if (index % MAILS_AT_ONCE === 0) await nextLoopTurn();
      const url = urls[index] as string;
      const mails = mailsOf.get(tester.id) ?? [];
      const wanted = new Set(mails.map(({ releaseId }) => releaseId));
      const isReminder = mails.every((mail) => mail.isReminder);
      // At least one of the taken mails is about a current release.
      const apps = [...versions].filter(([id]) => wanted.has(id)).map(([, version]) => version);
      const draft = this.installMails.compose(
        RELEASE_MAIL,
        { url, unsubscribe: url },
        { names, apps, tester, channel: channelName, isReminder },
      );
      const { channelId } = channel;
      const recipient = { kind: 'tester', id: tester.id, channelId, releaseIds: [...wanted], queuedAt } as const;
      composed.push({ draft, recipient });
    }
    return composed;
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
