import { Injectable } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { changed, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

export interface RecipientRow {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly mailPlatforms: readonly Platform[];
  readonly isUnopened: boolean;
  readonly unopenedMails: number;
  readonly recentMails: readonly Date[];
}

/** The subscribers of a channel as recipients of mails about its releases. */
@Injectable()
export class ReleaseRecipientsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The ids of the next subscribers of a channel, in the order of the ids. */
  async listIds(
    ctx: RequestContext,
    channelId: string,
    { after, limit }: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly string[]> {
    const found = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      `SELECT tester_id AS id FROM subscription WHERE channel_id = $1 AND ($2::uuid IS NULL OR tester_id > $2)
       ORDER BY tester_id LIMIT $3`,
      [channelId, after, limit],
    );
    return found.map(({ id }) => id);
  }

  /**
   * Locks the testers who are still subscribed, and can be reached, until the transaction ends. Concurrent transactions then see each
   * other's mails, so that limits are exact.
   */
  async lock(ctx: RequestContext, channelId: string, testerIds: readonly string[]): Promise<readonly RecipientRow[]> {
    return rows<RecipientRow>(
      this.transactions.manager(ctx),
      `SELECT t.id, t.email, t.name, t.mail_platforms AS "mailPlatforms", t.opened_at IS NULL AS "isUnopened",
              t.unopened_mails AS "unopenedMails", s.recent_mails AS "recentMails"
       FROM tester t JOIN subscription s ON s.tester_id = t.id AND s.channel_id = $1
       WHERE t.id = ANY ($2::uuid[]) AND t.bounced_at IS NULL ORDER BY t.id FOR NO KEY UPDATE`,
      [channelId, testerIds],
    );
  }

  /** Keeps testers from being erased until the transaction ends. @returns those who exist. */
  async keep(ctx: RequestContext, testerIds: readonly string[]): Promise<readonly string[]> {
    const kept = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      'SELECT id FROM tester WHERE id = ANY ($1::uuid[]) ORDER BY id FOR KEY SHARE',
      [testerIds],
    );
    return kept.map(({ id }) => id);
  }

  /** Counts one mail about releases of the channel to each tester. The caller has locked them. */
  async countMails(ctx: RequestContext, channelId: string, testerIds: readonly string[], since: Date): Promise<void> {
    const manager = this.transactions.manager(ctx);
    await changed(
      manager,
      `UPDATE subscription SET recent_mails =
         array(SELECT mailed FROM unnest(recent_mails) AS mailed WHERE mailed > $3) || $4::timestamptz
       WHERE channel_id = $1 AND tester_id = ANY ($2::uuid[])`,
      [channelId, testerIds, since, ctx.clock.now()],
    );
    await this.countMail(ctx, testerIds);
  }

  /** Records one mail with an install link to each of the testers. Counts it for those who never opened a link. */
  async countMail(ctx: RequestContext, testerIds: readonly string[]): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
      `UPDATE tester SET invited_at = $2,
         unopened_mails = unopened_mails + CASE WHEN opened_at IS NULL THEN 1 ELSE 0 END
       WHERE id = ANY ($1::uuid[])`,
      [testerIds, ctx.clock.now()],
    );
  }

  /** Records an invitation whose link opens the channel; null: all channels of the tester. The caller has locked the tester. */
  async recordInvitation(ctx: RequestContext, testerId: string, channelId: string | null): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
      'UPDATE subscription SET invited_at = $3 WHERE tester_id = $1 AND ($2::uuid IS NULL OR channel_id = $2)',
      [testerId, channelId, ctx.clock.now()],
    );
  }
}
