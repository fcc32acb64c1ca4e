import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type BuildDownloads, type UncountedTime, type WebhookScope } from '#modules/webhooks';

@Injectable()
export class CountedDownloadsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The downloads of each build after `since` and up to and including `until`, as the log of downloads has them. */
  between(
    ctx: RequestContext,
    { organizationId, projectId }: WebhookScope,
    { since, until }: UncountedTime,
  ): Promise<readonly BuildDownloads[]> {
    return rows<BuildDownloads>(
      this.transactions.manager(ctx),
      `SELECT d.project_id AS "projectId", d.build_id AS "buildId", count(*)::int AS count
       FROM project p JOIN build_download d ON d.project_id = p.id AND d.started_at > $3 AND d.started_at <= $4
       WHERE p.organization_id = $1 AND ($2::uuid IS NULL OR p.id = $2) GROUP BY d.project_id, d.build_id`,
      [organizationId, projectId, since, until],
    );
  }
}
