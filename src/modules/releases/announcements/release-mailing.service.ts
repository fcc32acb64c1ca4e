import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope, scopeOf } from '#kernel/context/scope';
import { type Language } from '#kernel/text/language';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { loadTranslatedMail } from '#infra/mail/render-mail';
import { messagesFor } from '#infra/pages/messages/messages';
import { BuildsService } from '#modules/builds';
import { ChannelsService } from '#modules/channels';
import { InstallLinksService } from '#modules/install-links';
import { ProjectsService } from '#modules/projects';
import { installMail, type InstallMailData, type ReleaseRecipient, ReleaseRecipientsService } from '#modules/testers';
import { type ReleaseWithBuild } from '../release';
import { ReleasesRepository } from '../releases.repository';
import { ReleasesService } from '../releases.service';
import { changesLine } from './changes-line';
import { type MailsByTester, WaitingMailsService } from './waiting-mails.service';

interface ReleaseMailVersion {
  readonly appName: string | null;
  readonly version: string;
  readonly buildNumber: string | null;
  /** The notes of the release, else those of the build. */
  readonly notes: string | null;
  /** Why devices cannot install the build from a link, null when they can. */
  readonly notInstallable: string | null;
  /** The changes since the previous current build. Null when testers would notice none. */
  readonly changes: string | null;
}

interface ReleaseMailData {
  readonly channel: string;
  /** Several when releases of several platforms share the mail. */
  readonly versions: readonly [ReleaseMailVersion, ...ReleaseMailVersion[]];
  /** Whether the tester was mailed about all of the versions before. */
  readonly isReminder: boolean;
}

const nameOf = ({ version, buildNumber }: ReleaseMailVersion): string =>
  buildNumber === null ? version : `${version} (${buildNumber})`;

const RELEASE_MAIL = loadTranslatedMail<ReleaseMailData & InstallMailData>(join(__dirname, 'release-mail'), {
  en: ({ project, channel, versions: [first, ...others], isReminder }) =>
    (isReminder ? 'Reminder: ' : '') +
    (others.length > 0
      ? `${project}: ${others.length + 1} new versions in ${channel}`
      : `${project} ${nameOf(first)} is ready: ${channel}`),
  de: ({ project, channel, versions: [first, ...others], isReminder }) =>
    (isReminder ? 'Erinnerung: ' : '') +
    (others.length > 0
      ? `${project}: ${others.length + 1} neue Versionen in ${channel}`
      : `${project} ${nameOf(first)} ist bereit: ${channel}`),
});

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
    private readonly projects: ProjectsService,
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
    await this.queue(tx, channel, taken.now, mailsOf);
  }

  private async queue(
    tx: RequestContext,
    channel: ChannelScope,
    recipients: readonly ReleaseRecipient[],
    mailsOf: MailsByTester,
  ): Promise<void> {
    if (recipients.length === 0) return;
    const current = await this.releases.currentOf(tx, channel);
    const { language, ...names } = await this.readNames(tx, channel);
    const ids = recipients.map(({ id }) => id);
    const urls = await this.installLinks.createForTesters(tx, scopeOf(channel), ids, { channelId: channel.channelId });
    const described = new Map<string, ReleaseMailVersion>();
    for (const release of current) described.set(release.id, await this.readVersion(tx, release, language));
    for (const [index, tester] of recipients.entries()) {
      const url = urls[index] as string;
      const mails = mailsOf.get(tester.id) ?? [];
      const wanted = new Set(mails.map(({ releaseId }) => releaseId));
      const isReminder = mails.every((mail) => mail.isReminder);
      // At least one of the taken mails is about a current release.
      const versions = [...described]
        .filter(([id]) => wanted.has(id))
        .map(([, version]) => version) as unknown as ReleaseMailData['versions'];
      const draft = await installMail(
        RELEASE_MAIL[language],
        { url, unsubscribe: url },
        { ...names, versions, isReminder, tester },
      );
      const { channelId } = channel;
      const recipient = { kind: 'tester', id: tester.id, channelId, releaseIds: [...wanted] } as const;
      await this.outbox.queue(tx, draft, { bulk: true, recipient });
    }
  }

  private async readNames(
    tx: RequestContext,
    scope: ChannelScope,
  ): Promise<Pick<ReleaseMailData, 'channel'> & { readonly project: string; readonly language: Language }> {
    const { name: project, language } = await this.projects.get(tx, scope);
    const { name: channel } = await this.channels.get(tx, scope, scope.channelId);
    return { project, language, channel };
  }

  private async readVersion(
    tx: RequestContext,
    release: ReleaseWithBuild,
    language: Language,
  ): Promise<ReleaseMailVersion> {
    const { build, notes } = release;
    const { artifact, version, buildNumber, notInstallable } = build;
    const reasons: Readonly<Record<string, string>> = messagesFor(language).install.warnings;
    return {
      appName: artifact.name,
      version,
      buildNumber,
      notes: notes ?? build.notes,
      notInstallable: notInstallable && (reasons[notInstallable.code] ?? notInstallable.message),
      changes: await this.readChanges(tx, release, language),
    };
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
