import { Injectable } from '@nestjs/common';
import { signingEndOf, type TimeRange } from '#kernel/builds/signing-end';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import {
  artifactFromJson,
  type ArtifactRecord,
  type EndingBuild,
  EndingBuilds,
  isLive,
  LIVE,
  MAX_OF_LINKS,
  SIGNING_ENDS_AT,
} from '#modules/builds';
import { hasRecentLink } from '#modules/install-links';

type EndingRow = Omit<EndingBuild, 'end'> & { readonly artifact: ArtifactRecord };

/** The number of builds of a project, the newest, whose links are read in one run. */
const MAX_READ = 5_000;

const IN_RANGES = `EXISTS (
  SELECT FROM unnest($3::text[], $4::text[]) AS r (after, through)
  WHERE ${SIGNING_ENDS_AT} > r.after AND ${SIGNING_ENDS_AT} <= r.through)`;

const OF_CHANNELS = `
  SELECT r.build_id AS id, array_agg(c.name ORDER BY c.name) AS channels
  FROM channel c JOIN current_release now ON now.channel_id = c.id JOIN release r ON r.id = now.release_id
  WHERE c.organization_id = $1 AND c.project_id = $2 GROUP BY r.build_id`;

/**
 * Each range is read by itself, in the order of the index, because a join would read all builds of the project. The links are read one build at a time, from
 * the newest build on, until there are enough.
 */
const OF_LINKS = `
  SELECT id FROM (
    SELECT DISTINCT b.id FROM unnest($3::text[], $4::text[]) AS r (after, through) CROSS JOIN LATERAL (
      SELECT id FROM build WHERE organization_id = $1 AND project_id = $2 AND ${LIVE}
        AND ${SIGNING_ENDS_AT} > r.after AND ${SIGNING_ENDS_AT} <= r.through ORDER BY ${SIGNING_ENDS_AT} OFFSET 0) b
    ORDER BY b.id DESC LIMIT ${MAX_READ}) ending
  WHERE NOT EXISTS (SELECT FROM of_channels c WHERE c.id = ending.id) AND (SELECT ${hasRecentLink('ending.id')} OFFSET 0)
  ORDER BY id DESC LIMIT ${MAX_OF_LINKS}`;

@Injectable()
export class EndingBuildsRepository extends EndingBuilds {
  constructor(private readonly transactions: Transactions) {
    super();
  }

  async find(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    ends: readonly TimeRange[],
  ): Promise<readonly EndingBuild[]> {
    const found = await rows<EndingRow>(
      this.transactions.manager(ctx),
      `WITH of_channels AS (${OF_CHANNELS}), of_links AS (${OF_LINKS})
       SELECT b.id, platform, version, build_number AS "buildNumber", artifact, shown.channels
       FROM (SELECT id, channels FROM of_channels UNION ALL SELECT id, '{}' FROM of_links) shown JOIN build b ON b.id = shown.id AND ${isLive('b')}
       WHERE ${IN_RANGES} ORDER BY cardinality(shown.channels) = 0, b.id DESC`,
      [organizationId, projectId, ends.map(({ after }) => after), ends.map(({ through }) => through)],
    );
    return found.flatMap(({ artifact, ...build }) => {
      const end = signingEndOf(artifactFromJson(artifact).signing);
      return end ? [{ ...build, end }] : [];
    });
  }
}
