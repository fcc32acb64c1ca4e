import { Injectable } from '@nestjs/common';
import { PLATFORMS } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { ONE_PLAN } from '#infra/database/pool/statement-names';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { countOf } from '#infra/row-counts/counted-rows';
import { type ArtifactRecord, BUILDS_OF_PROJECT, isLive, LIVE } from '#modules/builds';
import { hasRecentLink } from '#modules/install-links';
import { DOWNLOAD_DAYS, type ProjectBuild, type ProjectChannel, type ProjectCurrentBuild } from '#modules/projects';
import { TESTERS_OF_PROJECT } from '#modules/testers';

/** The newest build of a project for a platform, as PostgreSQL reads it. */
export interface LatestBuild extends Pick<ProjectBuild, 'id' | 'platform' | 'version' | 'buildNumber' | 'sizeBytes'> {
  readonly uploadedAt: string;
  readonly artifact: ArtifactRecord;
  readonly hasIcon: boolean;
  /** Null together with the token when the build is being deleted. */
  readonly linkId: string | null;
  /** In hexadecimal. */
  readonly sealedToken: string;
  /** Whether a link of the last days shows it. */
  readonly hasRecentLink: boolean;
}

/** A build that is current in a channel, with its metadata as stored. */
export type CurrentRow = Omit<ProjectCurrentBuild, 'signingExpiresAt' | 'installable' | 'promotedAt'> & {
  readonly promotedAt: string;
  readonly artifact: ArtifactRecord;
};

export interface IconRow {
  readonly id: string;
  /** The newest build with an icon. */
  readonly iconBuildId: string | null;
}

/** The row of a summary. Lists are null when they are empty, and times are text. */
export interface FactsRow extends IconRow {
  readonly builds: number;
  readonly testers: number;
  readonly openUploads: number;
  /** In the order of the platforms. */
  readonly latest: readonly LatestBuild[] | null;
  /** By name. */
  readonly channels: readonly ProjectChannel[] | null;
  /** By the names of the channels. */
  readonly current: readonly CurrentRow[] | null;
  /** The numbers of downloads by day, where 0 is the first of the `DOWNLOAD_DAYS`. */
  readonly downloads: Readonly<Record<number, number>> | null;
  readonly lastReleaseAt: Date | null;
  readonly lastDownloadAt: Date | null;
}

/**
 * The project, or the platform, is compared by its order and is part of the order, so that only the index that begins with it has the order.
 * Otherwise PostgreSQL may read all rows, the newest first, to find that a project or platform has none.
 */
const OF_PROJECT = 'project_id BETWEEN p.id AND p.id';
const NEWEST = 'ORDER BY project_id DESC, id DESC LIMIT 1';

const ICON = `(
  SELECT id FROM build WHERE ${OF_PROJECT} AND icon_media_type IS NOT NULL AND ${LIVE} ${NEWEST}) AS "iconBuildId"`;

const LATEST = `(
  SELECT jsonb_agg(jsonb_build_object('id', b.id, 'platform', b.platform, 'version', b.version, 'buildNumber', b.build_number,
    'sizeBytes', b.size_bytes, 'uploadedAt', b.uploaded_at, 'artifact', b.artifact, 'hasIcon', b.icon_media_type IS NOT NULL,
    'linkId', i.id, 'sealedToken', encode(i.sealed_token, 'hex'), 'hasRecentLink', ${hasRecentLink('b.id')}) ORDER BY f.position)
  FROM unnest(ARRAY['${PLATFORMS.join("', '")}']) WITH ORDINALITY AS f (platform, position)
  CROSS JOIN LATERAL (
    SELECT * FROM build WHERE project_id = p.id AND platform BETWEEN f.platform AND f.platform AND ${LIVE}
    ORDER BY platform DESC, id DESC LIMIT 1) b
  LEFT JOIN invite i ON i.build_id = b.id AND i.tester_id IS NULL AND i.is_default) AS latest`;

/** Each day is a range of an index that alone is read. The days have 24 hours, because they are in UTC. */
const DOWNLOADS = `(
  SELECT jsonb_object_agg(n, (
    SELECT count(*) FROM build_download d WHERE d.project_id = p.id
      AND d.started_at >= first.day + n * interval '24 hours' AND d.started_at < first.day + (n + 1) * interval '24 hours'))
  FROM (SELECT date_trunc('day', app_now(), 'UTC') - interval '${(DOWNLOAD_DAYS - 1) * 24} hours' AS day OFFSET 0) first,
    generate_series(0, ${DOWNLOAD_DAYS - 1}) AS n) AS downloads`;

const CURRENT = `(
  SELECT jsonb_agg(jsonb_build_object('channelId', c.id, 'channelName', c.name, 'promotedAt', r.promoted_at, 'platform', r.platform,
    'buildId', r.build_id, 'version', b.version, 'buildNumber', b.build_number, 'artifact', b.artifact)
    ORDER BY c.name, c.id, r.platform)
  FROM channel c JOIN current_release now ON now.channel_id = c.id JOIN release r ON r.id = now.release_id
  JOIN build b ON b.id = r.build_id AND ${isLive('b')} WHERE c.project_id = p.id) AS current`;

/** An upload is open while its intent row is pending and leased. */
const OPEN_UPLOADS = `(
  SELECT count(*)::int FROM resumable_upload r
  JOIN artifact_upload u ON u.id = r.id AND u.state = 'pending' AND u.leased_until > app_now()
  WHERE r.project_id = p.id) AS "openUploads"`;

const FACTS = `${ICON}, ${LATEST}, ${DOWNLOADS}, ${CURRENT}, ${OPEN_UPLOADS},
  ${countOf(BUILDS_OF_PROJECT, 'p.id')} AS builds, ${countOf(TESTERS_OF_PROJECT, 'p.id')} AS testers,
  (SELECT jsonb_agg(jsonb_build_object('id', id, 'name', name) ORDER BY name, id) FROM channel WHERE project_id = p.id) AS channels,
  (SELECT promoted_at FROM release WHERE ${OF_PROJECT} AND deleted_at IS NULL ${NEWEST}) AS "lastReleaseAt",
  (SELECT max(started_at) FROM build_download WHERE project_id = p.id) AS "lastDownloadAt"`;

/**
 * Reads the data of all modules about projects. Each method is one statement, because the round trip of a statement takes longer than its
 * execution. Missing ids are skipped.
 */
@Injectable()
export class ProjectFactsRepository {
  constructor(private readonly transactions: Transactions) {}

  icons(ctx: RequestContext, organizationId: string, projectIds: readonly string[]): Promise<IconRow[]> {
    return this.read(ctx, ICON, organizationId, projectIds);
  }

  facts(ctx: RequestContext, organizationId: string, projectIds: readonly string[]): Promise<FactsRow[]> {
    return this.read(ctx, FACTS, organizationId, projectIds);
  }

  private async read<Row extends IconRow>(
    ctx: RequestContext,
    columns: string,
    organizationId: string,
    projectIds: readonly string[],
  ): Promise<Row[]> {
    if (projectIds.length === 0) return [];
    return rows<Row>(
      this.transactions.manager(ctx),
      `SELECT p.id, ${columns} FROM project p
       WHERE p.organization_id = $1 AND p.id = ANY ($2::uuid[]) ${ONE_PLAN}`,
      [organizationId, projectIds],
    );
  }
}
