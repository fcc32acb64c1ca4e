import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type KnownDevice } from './build-devices';

const KNOWN = `
  SELECT d.id, d.tester_id AS "testerId", d.name, d.product,
         EXISTS (SELECT FROM build_device b WHERE b.build_id = $3 AND b.udid_digest = d.udid_digest) AS included
  FROM device d WHERE d.organization_id = $1 AND d.project_id = $2`;

const LISTED = 1000;

@Injectable()
export class BuildDeviceViewsRepository {
  constructor(private readonly transactions: Transactions) {}

  async count(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    buildId: string,
  ): Promise<{ readonly included: number; readonly missing: number }> {
    const counts = await one<{ included: number; missing: number }>(
      this.transactions.manager(ctx),
      `SELECT count(*) FILTER (WHERE included)::int AS included, count(*) FILTER (WHERE NOT included)::int AS missing
       FROM (${KNOWN}) known`,
      [organizationId, projectId, buildId],
    );
    return counts ?? { included: 0, missing: 0 };
  }

  /** The known devices, first those that the build leaves out, each newest first. */
  list(ctx: RequestContext, { organizationId, projectId }: ProjectScope, buildId: string): Promise<KnownDevice[]> {
    return rows<KnownDevice>(
      this.transactions.manager(ctx),
      `SELECT * FROM (${KNOWN}) known ORDER BY included, id DESC LIMIT ${LISTED}`,
      [organizationId, projectId, buildId],
    );
  }
}
