import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope } from '#kernel/context/scope';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

@Injectable()
export class ReleaseRelationsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The ids of the builds that were promoted to a channel. */
  listBuilds(ctx: RequestContext, channel: ChannelScope): Promise<readonly string[]> {
    const query = `SELECT DISTINCT build_id AS id FROM release WHERE organization_id = $1 AND project_id = $2 AND channel_id = $3`;
    return this.ids(ctx, query, channel);
  }

  /** The ids of the builds that are current in a channel, at most one per platform, the one that was promoted last first. */
  listCurrentBuilds(ctx: RequestContext, channel: ChannelScope): Promise<readonly string[]> {
    const query = `SELECT r.build_id AS id FROM current_release now JOIN release r ON r.id = now.release_id
                   WHERE r.organization_id = $1 AND r.project_id = $2 AND now.channel_id = $3 ORDER BY r.sequence DESC`;
    return this.ids(ctx, query, channel);
  }

  private async ids(
    ctx: RequestContext,
    query: string,
    { organizationId, projectId, channelId }: ChannelScope,
  ): Promise<readonly string[]> {
    const parameters = [organizationId, projectId, channelId];
    const found = await rows<{ id: string }>(this.transactions.manager(ctx), query, parameters);
    return found.map(({ id }) => id);
  }
}
