import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/**
 * The number of testers at each step from the mail about a build to its download, and the number of apps that run it. The testers of each
 * step are among those of the step before.
 */
export interface BuildFunnel {
  readonly mailed: number;
  readonly opened: number;
  readonly downloaded: number;
  /** Installations that reported to run the build, of any person. */
  readonly running: number;
  /** Downloads through one link, of any person. Null when no link was named. */
  readonly linkDownloads: number | null;
}

/**
 * `OFFSET 0` makes PostgreSQL read the mails of each release by their index: where few releases have most of the mails, it would scan those of
 * all organizations.
 */
@Injectable()
export class BuildFunnelRepository {
  constructor(private readonly transactions: Transactions) {}

  async count(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    buildId: string,
    linkId: string | null,
  ): Promise<BuildFunnel> {
    const counts = await one<BuildFunnel>(
      this.transactions.manager(ctx),
      `WITH mail AS (
         SELECT m.tester_id, m.mailed_at FROM release r
         CROSS JOIN LATERAL (
           SELECT tester_id, queued_at AS mailed_at FROM release_mail
           WHERE release_id = r.id AND queued_at IS NOT NULL OFFSET 0) AS m
         WHERE r.organization_id = $1 AND r.project_id = $2 AND r.build_id = $3
         UNION ALL
         SELECT i.tester_id, i.created_at FROM invite i
         WHERE i.organization_id = $1 AND i.project_id = $2 AND i.build_id = $3 AND i.tester_id IS NOT NULL
       ), mailed AS (
         SELECT tester_id, min(mailed_at) AS mailed_at FROM mail GROUP BY tester_id
       ), step AS (
         SELECT EXISTS (SELECT FROM build_download d WHERE d.build_id = $3 AND d.tester_id = m.tester_id) AS downloaded,
                EXISTS (SELECT FROM invite i WHERE i.tester_id = m.tester_id AND i.last_opened_at >= m.mailed_at) AS opened
         FROM mailed m
       )
       SELECT count(*)::int AS mailed, count(*) FILTER (WHERE opened OR downloaded)::int AS opened,
              count(*) FILTER (WHERE downloaded)::int AS downloaded,
              (SELECT count(*)::int FROM build_installation n
               WHERE n.organization_id = $1 AND n.project_id = $2 AND n.build_id = $3) AS running,
              CASE WHEN $4::uuid IS NOT NULL THEN (SELECT count(*)::int FROM build_download d
               WHERE d.organization_id = $1 AND d.project_id = $2 AND d.build_id = $3 AND d.link_id = $4) END AS "linkDownloads"
       FROM step`,
      [organizationId, projectId, buildId, linkId],
    );
    return counts ?? { mailed: 0, opened: 0, downloaded: 0, running: 0, linkDownloads: null };
  }
}
