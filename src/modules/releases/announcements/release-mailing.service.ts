import { join } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
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
import { ReleaseMailsRepository, type WaitingMail } from './release-mails.repository';

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
}

const nameOf = ({ version, buildNumber }: ReleaseMailVersion): string =>
  buildNumber === null ? version : `${version} (${buildNumber})`;

const RELEASE_MAIL = loadTranslatedMail<ReleaseMailData & InstallMailData>(join(__dirname, 'release-mail'), {
  en: ({ project, channel, versions: [first, ...others] }) =>
    others.length > 0
      ? `${project}: ${others.length + 1} new versions in ${channel}`
      : `${project} ${nameOf(first)} is ready: ${channel}`,
  de: ({ project, channel, versions: [first, ...others] }) =>
    others.length > 0
      ? `${project}: ${others.length + 1} neue Versionen in ${channel}`
      : `${project} ${nameOf(first)} ist bereit: ${channel}`,
});

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
    private readonly projects: ProjectsService,
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
    const { language, ...names } = await this.readNames(tx, channel);
    const ids = recipients.map(({ id }) => id);
    const urls = await this.installLinks.createForTesters(tx, scopeOf(channel), ids, { channelId: channel.channelId });
    const described = new Map<string, ReleaseMailVersion>();
    for (const release of current) described.set(release.id, await this.readVersion(tx, release, language));
    for (const [index, tester] of recipients.entries()) {
      const url = urls[index] as string;
      const wanted = new Set(mailsOf.get(tester.id)?.map(({ releaseId }) => releaseId));
      // At least one of the taken mails is about a current release.
      const versions = [...described]
        .filter(([id]) => wanted.has(id))
        .map(([, version]) => version) as unknown as ReleaseMailData['versions'];
      const draft = await installMail(
        RELEASE_MAIL[language],
        { url, unsubscribe: url },
        { ...names, versions, tester },
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

function byTester(mails: readonly WaitingMail[]): ReadonlyMap<string, readonly WaitingMail[]> {
  const grouped = new Map<string, WaitingMail[]>();
  for (const mail of mails) grouped.set(mail.testerId, [...(grouped.get(mail.testerId) ?? []), mail]);
  return grouped;
}
