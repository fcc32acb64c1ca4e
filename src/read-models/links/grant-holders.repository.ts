import { Injectable } from '@nestjs/common';
import { includesRole } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { AccessService } from '#modules/access';
import { type GrantHolder, GrantHolders } from '#modules/install-links';

const STATEMENTS = {
  tester: 'SELECT FROM tester WHERE organization_id = $1 AND project_id = $2 AND id = $3',
  project_access_token: `
    SELECT FROM project_access_token
    WHERE organization_id = $1 AND project_id = $2 AND id = $3 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > app_now())`,
} as const;

/** One statement for each kind of holder. */
@Injectable()
export class GrantHoldersRepository extends GrantHolders {
  constructor(
    private readonly transactions: Transactions,
    private readonly access: AccessService,
  ) {
    super();
  }

  async has(ctx: RequestContext, scope: ProjectScope, { kind, id }: GrantHolder): Promise<boolean> {
    if (kind === 'developer') return includesRole(await this.access.projectRoleOf(ctx, scope, id), 'DOWNLOAD_BUILD');
    const values = [scope.organizationId, scope.projectId, id];
    return (await one(this.transactions.manager(ctx), STATEMENTS[kind], values)) !== null;
  }
}
