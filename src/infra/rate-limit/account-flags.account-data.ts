import { Injectable } from '@nestjs/common';
import { type AccountErasure, type ExportedFile, type ExportedFiles, exportedTable } from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** The flags that `where` selects by `$1`. */
export const accountFlagsFile = (describe: string, where: string): ExportedFile =>
  exportedTable('account_flags', describe, {
    from: 'account_flag',
    columns: 'id, principal, reason, hits, first_seen_at, last_seen_at',
    where,
  });

export const ACCOUNT_FLAGS_FILES: ExportedFiles = {
  organization: [
    accountFlagsFile(
      'Rate limit flags of its credentials, for requests that ignored 429 responses.',
      'organization_id = $1',
    ),
  ],
};

@Injectable()
export class AccountFlagsErasure implements AccountErasure {
  constructor(private readonly transactions: Transactions) {}

  async eraseRest(tx: RequestContext, organizationId: string): Promise<void> {
    const sql = `DELETE FROM account_flag WHERE organization_id = $1`;
    await rows(this.transactions.manager(tx), sql, [organizationId]);
  }

  /** @param principals names of credentials, such as `pat:<id>`. */
  async eraseOf(tx: RequestContext, principals: readonly string[]): Promise<void> {
    await rows(this.transactions.manager(tx), `DELETE FROM account_flag WHERE principal = ANY ($1)`, [principals]);
  }
}
