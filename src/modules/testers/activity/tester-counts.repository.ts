import { Injectable } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope } from '#kernel/context/scope';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { countOf } from '#infra/row-counts/counted-rows';
import { SUBSCRIBERS_OF_CHANNEL } from '../subscriptions/subscription.entity';
import { UNOPENED_MAILS } from '../tester';

interface Count {
  readonly id: string;
  readonly count: number;
}

/** The testers whom a promotion reaches. */
export interface Audience {
  readonly subscribers: number;
  /** Subscribers who get a mail. The others chose other platforms, got the last mail before they open a link, or cannot be reached. */
  readonly recipients: number;
}

@Injectable()
export class TesterCountsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The subscribers of channels. */
  ofChannels(ctx: RequestContext, channelIds: readonly string[]): Promise<Count[]> {
    return rows(
      this.transactions.manager(ctx),
      `SELECT c.id, ${countOf(SUBSCRIBERS_OF_CHANNEL, 'c.id')} AS count FROM unnest($1::uuid[]) AS c (id)`,
      [channelIds],
    );
  }

  /** The subscribers of a channel, and those of them who get mails about releases of a platform. */
  async audience(
    ctx: RequestContext,
    { organizationId, projectId, channelId }: ChannelScope,
    platform: Platform,
  ): Promise<Audience> {
    const counted = await one<Audience>(
      this.transactions.manager(ctx),
      `SELECT count(*)::int AS subscribers, count(*) FILTER (WHERE
           (t.mail_platforms = '{}' OR $4 = ANY (t.mail_platforms))
           AND (t.opened_at IS NOT NULL OR t.unopened_mails < $5) AND t.bounced_at IS NULL)::int AS recipients
       FROM subscription s JOIN tester t ON t.id = s.tester_id
       WHERE s.organization_id = $1 AND s.project_id = $2 AND s.channel_id = $3`,
      [organizationId, projectId, channelId, platform, UNOPENED_MAILS],
    );
    return counted ?? { subscribers: 0, recipients: 0 };
  }
}
