import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope } from '#kernel/context/scope';
import { installMail, type InstallMailData, type ReleaseRecipient, ReleaseRecipientsService } from '#modules/testers';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { loadTranslatedMail } from '#infra/mail/render-mail';
import { ReleasesService } from '../releases.service';
import {
  ReleaseMailContentService,
  type ReleaseMailData,
  type ReleaseMailVersion,
} from './release-mail-content.service';
import { ReleaseMailsRepository, type WaitingMail } from './release-mails.repository';

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
export class ReleaseMailingService {
  constructor(
    private readonly mails: ReleaseMailsRepository,
    private readonly recipients: ReleaseRecipientsService,
    private readonly releases: ReleasesService,
    private readonly content: ReleaseMailContentService,
    private readonly outbox: MailOutbox,
  ) {}

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
    const { language, ...names } = await this.content.readNames(tx, channel);
    const ids = recipients.map(({ id }) => id);
    const urls = await this.content.createLinks(tx, channel, ids);
    const described = new Map<string, ReleaseMailVersion>();
    for (const release of current) described.set(release.id, await this.content.readVersion(tx, release, language));
    for (const [index, tester] of recipients.entries()) {
      const url = urls[index] as string;
      const wanted = new Set(mailsOf.get(tester.id)?.map(({ releaseId }) => releaseId));
      // The mails that were taken are about current releases, at least one.
      const versions = [...described]
        .filter(([id]) => wanted.has(id))
        .map(([, version]) => version) as unknown as ReleaseMailData['versions'];
      const draft = await installMail(
        RELEASE_MAIL[language],
        { url, unsubscribe: url },
        { ...names, versions, tester },
      );
      await this.outbox.queue(tx, draft, { bulk: true, recipient: { kind: 'tester', id: tester.id } });
    }
  }
}

function byTester(mails: readonly WaitingMail[]): ReadonlyMap<string, readonly WaitingMail[]> {
  const grouped = new Map<string, WaitingMail[]>();
  for (const mail of mails) grouped.set(mail.testerId, [...(grouped.get(mail.testerId) ?? []), mail]);
  return grouped;
}
