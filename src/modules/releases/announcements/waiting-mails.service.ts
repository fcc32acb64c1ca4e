import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope } from '#kernel/context/scope';
import { MailOutbox, type MailRecipient } from '#infra/mail/mail-outbox';
import { lacksBuild, type ReleaseRecipient, type TakenRecipients } from '#modules/testers';
import { AudienceViews } from '../reminders/audience-views';
import { ANNOUNCE_AFTER_MS } from './release-announce.job';
import { ReleaseMailsRepository, type WaitingMail } from './release-mails.repository';

/** The mails that wait for each tester. */
export type MailsByTester = ReadonlyMap<string, readonly WaitingMail[]>;

/** Decides which of the waiting mails about releases are sent, and records what became of them. */
@Injectable()
export class WaitingMailsService implements OnModuleInit {
  constructor(
    private readonly mails: ReleaseMailsRepository,
    private readonly audience: AudienceViews,
    private readonly outbox: MailOutbox,
  ) {}

  onModuleInit(): void {
    this.outbox.failures.add(async (tx, { recipient: { id, releaseIds } }) => {
      if (releaseIds) await this.mails.markFailed(tx, id, releaseIds);
    });
    this.outbox.sendOnlyWhile('tester', (ctx, recipient) => this.isStillCurrent(ctx, recipient));
  }

  /**
   * The waiting mails of the locked recipients. Drops the mails of `testerIds` about releases that are no longer current or of platforms that
   * the tester did not choose, reminders of builds that the tester does not lack, and all mails of testers who are not among the recipients.
   */
  async take(
    tx: RequestContext,
    channel: ChannelScope,
    testerIds: readonly string[],
    locked: readonly ReleaseRecipient[],
  ): Promise<MailsByTester> {
    const recipients = new Map(locked.map((recipient) => [recipient.id, recipient]));
    const waiting = await this.mails.listWaiting(tx, channel.channelId, testerIds);
    const isNeeded = await this.readNeeds(tx, channel, waiting);
    const isWanted = (mail: WaitingMail): boolean => {
      const chosen = recipients.get(mail.testerId)?.mailPlatforms;
      if (!mail.current || chosen === undefined) return false;
      return (chosen.length === 0 || chosen.includes(mail.platform)) && isNeeded(mail);
    };
    await this.mails.delete(
      tx,
      waiting.filter((mail) => !isWanted(mail)),
    );
    return byTester(waiting.filter(isWanted));
  }

  /** Records which of the mails are sent now, and when the others are tried again. */
  async settle(tx: RequestContext, { now, later }: TakenRecipients, mailsOf: MailsByTester): Promise<void> {
    await this.mails.postpone(
      tx,
      later.flatMap(({ id, dueAt }) => (mailsOf.get(id) ?? []).map((mail) => ({ ...mail, dueAt }))),
    );
    await this.mails.markQueued(
      tx,
      now.flatMap(({ id }) => mailsOf.get(id) ?? []),
    );
  }

  /**
   * A queued mail is not sent once none of its releases is current. It waits again for the minute in which the release that replaced them can
   * be undone. Then it is sent, or dropped. A job that runs again after that does not send the mail that another job sends now.
   */
  private async isStillCurrent(ctx: RequestContext, { id, releaseIds, queuedAt }: MailRecipient): Promise<boolean> {
    if (!releaseIds) return true;
    const mail = { testerId: id, releaseIds, queuedAt: queuedAt ?? null };
    if (await this.mails.areQueuedAndCurrent(ctx, mail)) return true;
    await this.mails.returnToWaiting(ctx, mail, new Date(ctx.clock.now().getTime() + ANNOUNCE_AFTER_MS));
    return false;
  }

  /** Reads whether testers lack the builds of which they are reminded. Mails that are no reminders are needed in any case. */
  private async readNeeds(
    tx: RequestContext,
    channel: ChannelScope,
    waiting: readonly WaitingMail[],
  ): Promise<(mail: WaitingMail) => boolean> {
    const reminders = waiting.filter(({ isReminder }) => isReminder);
    const lacking = new Map<string, ReadonlySet<string>>();
    for (const releaseId of new Set(reminders.map((mail) => mail.releaseId))) {
      const testerIds = reminders.filter((mail) => mail.releaseId === releaseId).map(({ testerId }) => testerId);
      const members = await this.audience.findAmong(tx, channel, releaseId, testerIds);
      lacking.set(releaseId, new Set(members.filter(({ step }) => lacksBuild(step)).map(({ id }) => id)));
    }
    return ({ isReminder, releaseId, testerId }) => !isReminder || lacking.get(releaseId)?.has(testerId) === true;
  }
}

function byTester(mails: readonly WaitingMail[]): MailsByTester {
  const grouped = new Map<string, WaitingMail[]>();
  for (const mail of mails) grouped.set(mail.testerId, [...(grouped.get(mail.testerId) ?? []), mail]);
  return grouped;
}
