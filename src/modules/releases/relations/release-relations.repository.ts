import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope, type ProjectScope } from '#kernel/context/scope';
import { type BuildChannel } from '#modules/builds';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

@Injectable()
export class ReleaseRelationsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The channels that builds were promoted to, by build and in the order of the names. */
  listChannels(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    buildIds: readonly string[],
  ): Promise<(BuildChannel & { readonly buildId: string })[]> {
    return rows(
      this.transactions.manager(ctx),
      `SELECT r.build_id AS "buildId", c.id, c.name, bool_or(now.release_id IS NOT NULL) AS current
       FROM release r JOIN channel c ON c.id = r.channel_id LEFT JOIN current_release now ON now.release_id = r.id
       WHERE r.organization_id = $1 AND r.project_id = $2 AND r.build_id = ANY ($3::uuid[])
       GROUP BY r.build_id, c.id, c.name ORDER BY c.name, c.id`,
      [organizationId, projectId, buildIds],
    );
  }

  /** When a build was promoted last in each project. Projects without releases are omitted. */
  findLastPromotions(
    ctx: RequestContext,
    organizationId: string,
    projectIds: readonly string[],
  ): Promise<{ readonly projectId: string; readonly promotedAt: Date }[]> {
    return rows(
      this.transactions.manager(ctx),
      `SELECT p.id AS "projectId", last.promoted_at AS "promotedAt" FROM project p CROSS JOIN LATERAL (
         SELECT promoted_at FROM release WHERE project_id = p.id ORDER BY id DESC LIMIT 1
       ) last WHERE p.organization_id = $1 AND p.id = ANY ($2::uuid[])`,
      [organizationId, projectIds],
    );
  }

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
