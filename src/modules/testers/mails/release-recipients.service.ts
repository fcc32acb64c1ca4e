import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope } from '#kernel/context/scope';
import { SuppressionsRepository } from '../suppressions/suppressions.repository';
import { hasEnoughUnopened, type ReleaseRecipient } from '../tester';
import { MailBudgetService } from './mail-budget.service';
import { type RecipientRow, ReleaseRecipientsRepository } from './release-recipients.repository';

/** A tester gets at most this many mails within an hour about the releases of one channel. */
const MAILS_PER_HOUR = 6;
const HOUR_MS = 3_600_000;
/** The mails of an organization that are sent before its next ones wait for those of other organizations. */
const MAILS_PER_TURN = 500;

/** The recipients of a batch, divided into those who are mailed now and those who are mailed later. */
export interface TakenRecipients {
  readonly now: readonly ReleaseRecipient[];
  /** The recipients who are mailed later, each with the earliest time. */
  readonly later: readonly (ReleaseRecipient & { readonly dueAt: Date })[];
  /** See `MailOutbox.queueAll`. It rises with the mails that the organization has queued today. */
  readonly turn: number;
}

/** Decides which subscribers of a channel are mailed about its releases now. */
@Injectable()
export class ReleaseRecipientsService {
  constructor(
    private readonly repository: ReleaseRecipientsRepository,
    private readonly budget: MailBudgetService,
    private readonly suppressions: SuppressionsRepository,
  ) {}

  /** The ids of the next subscribers of a channel, in the order of the ids. */
  listIds(
    ctx: RequestContext,
    channelId: string,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly string[]> {
    return this.repository.listIds(ctx, channelId, page);
  }

  /**
   * Locks the testers until the transaction ends. Left out are testers who unsubscribed, who cannot be reached, and who got the
   * last mail that they may get before they open a link.
   */
  async lock(
    tx: RequestContext,
    channelId: string,
    testerIds: readonly string[],
  ): Promise<readonly ReleaseRecipient[]> {
    const locked = await this.repository.lock(tx, channelId, testerIds);
    return locked.filter((row) => !hasEnoughUnopened(row)).map((row) => recipientFromRow(row, tx.clock.now()));
  }

  /** Keeps testers from being erased until the transaction ends. @returns those who exist. */
  keep(tx: RequestContext, testerIds: readonly string[]): Promise<readonly string[]> {
    return this.repository.keep(tx, testerIds);
  }

  /** The testers among `testerIds` who unsubscribed from the channel or the project. */
  findLeft(ctx: RequestContext, channel: ChannelScope, testerIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.suppressions.findLeft(ctx, channel, testerIds);
  }

  /**
   * Counts one mail to as many of the locked recipients as the limits allow: per tester and channel within an hour, and per organization
   * within a day. The caller mails these in the same transaction, and keeps the others.
   */
  async take(
    tx: RequestContext,
    { organizationId, channelId }: ChannelScope,
    recipients: readonly ReleaseRecipient[],
  ): Promise<TakenRecipients> {
    const nextHour = new Date(tx.clock.now().getTime() + HOUR_MS);
    const free = recipients.filter(({ dueAt }) => dueAt === null);
    const { granted, before } = await this.budget.take(tx, organizationId, free.length);
    const now = free.slice(0, granted);
    const since = new Date(tx.clock.now().getTime() - HOUR_MS);
    if (granted > 0) {
      const ids = now.map(({ id }) => id);
      await this.repository.countMails(tx, channelId, ids, since);
    }
    const waiting = [...free.slice(granted), ...recipients.filter(({ dueAt }) => dueAt !== null)];
    return {
      now,
      later: waiting.map((recipient) => ({ ...recipient, dueAt: recipient.dueAt ?? nextHour })),
      turn: Math.floor(before / MAILS_PER_TURN),
    };
  }
}

function recipientFromRow({ id, email, name, mailPlatforms, recentMails }: RecipientRow, now: Date): ReleaseRecipient {
  const recent = recentMails.map((mailed) => mailed.getTime()).filter((mailed) => mailed > now.getTime() - HOUR_MS);
  const oldest = recent.sort((a, b) => a - b).at(-MAILS_PER_HOUR);
  return { id, email, name, mailPlatforms, dueAt: oldest === undefined ? null : new Date(oldest + HOUR_MS) };
}
