import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { SERVER_VERSION } from '#infra/database/server-version';
import { one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { isLive } from '#modules/builds';
import { PageVersions } from '#modules/install';

@Injectable()
export class PageVersionsRepository extends PageVersions {
  constructor(private readonly transactions: Transactions) {
    super();
  }

  async findOfBuildLink(ctx: RequestContext, digest: Buffer): Promise<string | null> {
    const found = await one<{ version: string }>(
      this.transactions.manager(ctx),
      `SELECT concat(i.xmin, i.ctid, b.xmin, b.ctid, p.xmin, p.ctid, o.xmin, o.ctid, ${SERVER_VERSION}, ' ', d.name) AS version
       FROM invite i JOIN build b ON b.id = i.build_id AND ${isLive('b')} JOIN project p ON p.id = b.project_id
       JOIN organization o ON o.id = p.organization_id
       LEFT JOIN developer d ON d.id = b.uploaded_by_id AND b.uploaded_by_kind = 'developer'
       WHERE i.digest = $1 AND i.tester_id IS NULL AND i.rule_version IS NULL`,
      [digest],
    );
    return found?.version ?? null;
  }
}
