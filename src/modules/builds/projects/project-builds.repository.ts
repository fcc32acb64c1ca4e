import { Injectable } from '@nestjs/common';
import { PLATFORMS } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { columnsOf, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type Build } from '../catalogue/build';
import { BuildEntity } from '../catalogue/build.entity';
import { buildFromRow } from '../catalogue/build-from-row';

/** The builds and downloads of a project in numbers. */
export interface BuildNumbers {
  readonly projectId: string;
  readonly builds: number;
  readonly lastUploadAt: Date | null;
  readonly lastDownloadAt: Date | null;
}

/** The downloads of a project on a day. */
interface DownloadsOfDay {
  readonly projectId: string;
  /** 0 for the first day. */
  readonly day: number;
  readonly count: number;
}

const PROJECTS = 'FROM project p WHERE p.organization_id = $1 AND p.id = ANY ($2::uuid[])';

/** Reads about several projects of an organization at once. Each statement reads a few index entries per project. */
@Injectable()
export class ProjectBuildsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The newest build with an icon of each project. */
  findIcons(
    ctx: RequestContext,
    organizationId: string,
    projectIds: readonly string[],
  ): Promise<{ readonly projectId: string; readonly buildId: string | null }[]> {
    return rows(
      this.transactions.manager(ctx),
      `SELECT p.id AS "projectId", (SELECT b.id FROM build b WHERE b.project_id = p.id AND b.icon_media_type IS NOT NULL
                                    ORDER BY b.id DESC LIMIT 1) AS "buildId" ${PROJECTS}`,
      [organizationId, projectIds],
    );
  }

  /** The newest build of each project and platform, in the order of the platforms. */
  async findLatest(ctx: RequestContext, organizationId: string, projectIds: readonly string[]): Promise<Build[]> {
    const manager = this.transactions.manager(ctx);
    const found = await rows<BuildEntity>(
      manager,
      `SELECT latest.* FROM (SELECT p.id ${PROJECTS}) p
       CROSS JOIN unnest($3::text[]) WITH ORDINALITY AS f (platform, position)
       CROSS JOIN LATERAL (
         SELECT ${columnsOf(manager.getRepository(BuildEntity).metadata)} FROM build
         WHERE project_id = p.id AND platform = f.platform ORDER BY id DESC LIMIT 1
       ) latest ORDER BY f.position`,
      [organizationId, projectIds, PLATFORMS],
    );
    const now = ctx.clock.now();
    return found.map((row) => buildFromRow(row, now));
  }

  count(ctx: RequestContext, organizationId: string, projectIds: readonly string[]): Promise<BuildNumbers[]> {
    return rows(
      this.transactions.manager(ctx),
      `SELECT p.id AS "projectId", (SELECT count(*) FROM build b WHERE b.project_id = p.id)::int AS builds,
              (SELECT b.uploaded_at FROM build b WHERE b.project_id = p.id ORDER BY b.id DESC LIMIT 1) AS "lastUploadAt",
              (SELECT max(d.started_at) FROM build_download d WHERE d.project_id = p.id) AS "lastDownloadAt" ${PROJECTS}`,
      [organizationId, projectIds],
    );
  }

  /** The downloads since a time, by days of 24 hours. Days without downloads are omitted. */
  countDownloads(
    ctx: RequestContext,
    organizationId: string,
    projectIds: readonly string[],
    since: Date,
  ): Promise<DownloadsOfDay[]> {
    return rows(
      this.transactions.manager(ctx),
      `SELECT d.project_id AS "projectId", floor(extract(epoch FROM d.started_at - $3) / 86400)::int AS day, count(*)::int AS count
       FROM build_download d WHERE d.organization_id = $1 AND d.project_id = ANY ($2::uuid[]) AND d.started_at >= $3
       GROUP BY d.project_id, day`,
      [organizationId, projectIds, since],
    );
  }
}
