import { Injectable } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type BundleIdRule, BundleIds } from '#modules/builds';

@Injectable()
export class BundleIdsRepository extends BundleIds {
  constructor(private readonly transactions: Transactions) {
    super();
  }

  find(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    platform: Platform,
  ): Promise<BundleIdRule | null> {
    return one<BundleIdRule>(
      this.transactions.manager(ctx),
      `SELECT p.allow_any_bundle_id AS "allowsAny", i.bundle_id AS pinned
       FROM project p LEFT JOIN pinned_bundle_id i ON i.project_id = p.id AND i.platform = $3
       WHERE p.organization_id = $1 AND p.id = $2`,
      [organizationId, projectId, platform],
    );
  }
}
