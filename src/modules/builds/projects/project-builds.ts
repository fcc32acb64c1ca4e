import { PLATFORMS } from '#kernel/builds/platform';
import { DOWNLOAD_DAYS, type ProjectBuild } from '#modules/projects';
import { type ArtifactRecord } from '../catalogue/build';

/** The newest build of a project for a platform, as PostgreSQL reads it. */
export interface LatestBuild extends Pick<ProjectBuild, 'id' | 'platform' | 'version' | 'buildNumber' | 'sizeBytes'> {
  readonly uploadedAt: string;
  readonly artifact: ArtifactRecord;
  readonly hasIcon: boolean;
  /** Null together with the token when the build is being deleted. */
  readonly linkId: string | null;
  /** In hexadecimal. */
  readonly sealedToken: string;
}

/** The columns that `BUILDS_OF_PROJECT` reads. */
export interface ProjectBuilds {
  readonly builds: number;
  readonly lastDownloadAt: string | null;
  /** In the order of the platforms; null in a project without builds. */
  readonly latest: readonly LatestBuild[] | null;
  /** The numbers of downloads by day, where 0 is the first of the `DOWNLOAD_DAYS`; null when there are none. */
  readonly downloads: Readonly<Record<number, number>> | null;
}

/** The id of the newest build with an icon of a project `p`. */
export const ICON_OF_PROJECT =
  '(SELECT id FROM build WHERE project_id = p.id AND icon_media_type IS NOT NULL ORDER BY id DESC LIMIT 1)';

/** The builds and downloads of a project `p`. Reads `invite`, of a lower module. */
export const BUILDS_OF_PROJECT = `jsonb_build_object(
  'builds', (SELECT count(*) FROM build WHERE project_id = p.id),
  'lastDownloadAt', (SELECT max(started_at) FROM build_download WHERE project_id = p.id),
  'latest', (
    SELECT jsonb_agg(jsonb_build_object('id', b.id, 'platform', b.platform, 'version', b.version, 'buildNumber', b.build_number,
      'sizeBytes', b.size_bytes, 'uploadedAt', b.uploaded_at, 'artifact', b.artifact, 'hasIcon', b.icon_media_type IS NOT NULL,
      'linkId', i.id, 'sealedToken', encode(i.sealed_token, 'hex')) ORDER BY f.position)
    FROM unnest(ARRAY['${PLATFORMS.join("', '")}']) WITH ORDINALITY AS f (platform, position)
    CROSS JOIN LATERAL (SELECT * FROM build WHERE project_id = p.id AND platform = f.platform ORDER BY id DESC LIMIT 1) b
    LEFT JOIN invite i ON i.build_id = b.id AND i.tester_id IS NULL),
  'downloads', (
    SELECT jsonb_object_agg(day, count) FROM (
      SELECT floor(extract(epoch FROM d.started_at - first.day) / 86400)::int AS day, count(*) AS count
      FROM (SELECT date_trunc('day', app_now(), 'UTC') - interval '${DOWNLOAD_DAYS - 1} days' AS day) first
      JOIN build_download d ON d.project_id = p.id AND d.started_at >= first.day GROUP BY 1
    ) AS counted))`;
