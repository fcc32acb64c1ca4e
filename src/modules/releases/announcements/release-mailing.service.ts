import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope, channelScopeOf, scopeOf } from '#kernel/context/scope';
import { type Language } from '#kernel/text/language';
import { type MailDraft } from '#infra/mail/mail-message';
import { MailOutbox, type MassMail } from '#infra/mail/mail-outbox';
import { messagesFor } from '#infra/pages/messages/messages';
import { BuildsService } from '#modules/builds';
import { ChannelsService } from '#modules/channels';
import { InstallLinksService } from '#modules/install-links';
import {
  type AppVersion,
  InstallMailsService,
  type MailNames,
  type Recipient,
  type ReleaseRecipient,
  ReleaseRecipientsService,
} from '#modules/testers';
import { inOrderOfPlatforms, type ReleaseWithBuild } from '../release';
import { ReleasesRepository } from '../releases.repository';
import { ReleasesService } from '../releases.service';
import { changesLine } from './changes-line';
import { RELEASE_MAIL, type ReleaseMailData } from './release-mail';
import { type MailsByTester, WaitingMailsService } from './waiting-mails.service';

/** How long mails show what was read for an earlier one: the notes of a build, or the name of a project, may have changed since. */
const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 100;

const KIND = 'release';

/** What a queued mail about releases contains. The link and the releases do not change between attempts; all else is read. */
interface ReleaseMailContent {
  readonly channel: ChannelScope;
  readonly releaseIds: readonly string[];
  readonly isReminder: boolean;
  readonly tester: Recipient;
  readonly url: string;
}

/** What the mails about the same releases have in common. */
type SharedContent = Pick<ReleaseMailData, 'names' | 'apps' | 'channel'>;

/** Sends waiting mails about the releases of a channel: one mail to each tester, with all releases that wait for them. */
@Injectable()
export class ReleaseMailingService implements OnModuleInit {
  private readonly shared = new LRUCache<string, SharedContent, { ctx: RequestContext; content: ReleaseMailContent }>({
    max: MAX_REMEMBERED,
    fetchMethod: (_key, _stale, { context: { ctx, content } }) => this.readShared(ctx, content),
  });

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

  onModuleInit(): void {
    this.outbox.composeWhenSent<ReleaseMailContent>(KIND, (ctx, content) => this.compose(ctx, content));
  }

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
    await this.outbox.queueAll(tx, KIND, await this.mailsTo(tx, channel, taken.now, mailsOf), taken.turn);
  }

  private async mailsTo(
    tx: RequestContext,
    channel: ChannelScope,
    recipients: readonly ReleaseRecipient[],
    mailsOf: MailsByTester,
  ): Promise<readonly MassMail<ReleaseMailContent>[]> {
    if (recipients.length === 0) return [];
    const ids = recipients.map(({ id }) => id);
    const scope = channelScopeOf(channel);
    const { channelId } = scope;
    const urls = await this.installLinks.createForTesters(tx, scopeOf(channel), ids, { channelId });
    const queuedAt = tx.clock.now().toISOString();
    return recipients.map(({ id, email, name }, index) => {
      const mails = mailsOf.get(id) ?? [];
      const releaseIds = [...new Set(mails.map(({ releaseId }) => releaseId))].sort();
      const isReminder = mails.every((mail) => mail.isReminder);
      const content = {
        channel: scope,
        releaseIds,
        isReminder,
        tester: { id, email, name },
        url: urls[index] as string,
      };
      return { content, recipient: { kind: 'tester', id, channelId, releaseIds, queuedAt } };
    });
  }

  private async compose(ctx: RequestContext, content: ReleaseMailContent): Promise<MailDraft | null> {
    const { channel, releaseIds, tester, url, isReminder } = content;
    const span = Math.floor(ctx.clock.now().getTime() / REMEMBERED_MS);
    const key = [span, channel.channelId, ...releaseIds].join(' ');
    const shared = await this.shared.forceFetch(key, { context: { ctx, content } });
    if (shared.apps.length === 0) return null;
    return this.installMails.compose(RELEASE_MAIL, { url, unsubscribe: url }, { ...shared, tester, isReminder });
  }

  /** Releases that were withdrawn, or whose builds were deleted, since the mail was queued are left out. */
  private async readShared(ctx: RequestContext, { channel, releaseIds }: ReleaseMailContent): Promise<SharedContent> {
    const names = await this.installMails.names(ctx, channel);
    const { name } = await this.channels.get(ctx, channel, channel.channelId);
    const found = await Promise.all(releaseIds.map((id) => this.releases.find(ctx, channel, id)));
    const releases = inOrderOfPlatforms(found.filter((release) => release !== null));
    const apps = await Promise.all(releases.map((release) => this.readVersion(ctx, release, names)));
    return { names, apps, channel: name };
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
