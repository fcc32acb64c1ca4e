import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { columnsOf, one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type BuildEntity, buildFromRow, type LinkedBuild, LinkedBuilds, LIVE } from '#modules/builds';
import { type RuledToken } from '#modules/install-links';

interface RuledRow extends Omit<RuledToken, 'id'> {
  readonly linkId: string | null;
}

@Injectable()
export class LinkedBuildsRepository extends LinkedBuilds {
  constructor(private readonly transactions: Transactions) {
    super();
  }

  async find(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    id: string,
  ): Promise<LinkedBuild | null> {
    const manager = this.transactions.manager(ctx);
    const row = await one<BuildEntity & RuledRow>(
      manager,
      `SELECT b.*, i.id AS "linkId", i.sealed_token AS "sealedToken", i.rule_version AS "ruleVersion" FROM (
         SELECT ${columnsOf(manager.connection.getMetadata('build'))} FROM build WHERE id = $1 AND organization_id = $2 AND project_id = $3 AND ${LIVE}
       ) b LEFT JOIN invite i ON i.build_id = b.id AND i.tester_id IS NULL AND i.is_default`,
      [id, organizationId, projectId],
    );
    if (!row) return null;
    const { linkId, sealedToken, ruleVersion } = row;
    const link = linkId === null ? null : { id: linkId, sealedToken, ruleVersion };
    return { build: buildFromRow(row, ctx.clock.now()), link };
  }
}
