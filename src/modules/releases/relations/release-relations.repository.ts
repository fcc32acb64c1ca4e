import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope } from '#kernel/context/scope';
import { type ArtifactRecord } from '#modules/builds';
import { type ProjectCurrentBuild } from '#modules/projects';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** The columns that `RELEASES_OF_PROJECT` reads. */
export interface ProjectReleases {
  /** When a build was promoted last, as text; null in a project without releases. */
  readonly lastReleaseAt: string | null;
  /** The builds that are current in the channels, by the names of the channels; null when there are none. */
  readonly current: readonly CurrentRow[] | null;
}

/** A build that is current in a channel, with its metadata as stored. */
type CurrentRow = Omit<ProjectCurrentBuild, 'signingExpiresAt' | 'installable' | 'promotedAt'> & {
  readonly promotedAt: string;
  readonly artifact: ArtifactRecord;
};

/** The releases of a project `p`. */
export const RELEASES_OF_PROJECT = `jsonb_build_object(
  'lastReleaseAt', (SELECT promoted_at FROM release WHERE project_id = p.id ORDER BY id DESC LIMIT 1),
  'current', (
    SELECT jsonb_agg(jsonb_build_object('channelId', c.id, 'channelName', c.name, 'promotedAt', r.promoted_at, 'platform', r.platform,
      'buildId', r.build_id, 'version', b.version, 'buildNumber', b.build_number, 'artifact', b.artifact)
      ORDER BY c.name, c.id, r.platform)
    FROM channel c JOIN current_release now ON now.channel_id = c.id JOIN release r ON r.id = now.release_id
    JOIN build b ON b.id = r.build_id WHERE c.project_id = p.id))`;

/** Reads also `channel` and `build`, of lower modules. */
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
