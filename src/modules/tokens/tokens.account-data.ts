import { Injectable } from '@nestjs/common';
import { type AccountErasure, type ExportedFiles, exportedTable } from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { AccountFlagsErasure, accountFlagsFile } from '#infra/rate-limit/account-flags.account-data';

const OWN = 'organization_id = $1';
const TOKEN = 'id, organization_id, name, last4, created_at, expires_at, revoked_at, last_used_at';

/** The names under which the rate limits flag a developer (`$1`) and their personal access tokens. */
const CREDENTIALS = `SELECT 'developer:' || $1 AS principal
  UNION ALL SELECT 'pat:' || id FROM personal_access_token WHERE developer_id = $1::uuid`;

export const TOKENS_FILES: ExportedFiles = {
  organization: [
    exportedTable('project_access_tokens', 'Project access tokens, without their values.', {
      from: 'project_access_token',
      columns: `${TOKEN}, project_id, role, created_by, rotated_by`,
      where: OWN,
    }),
    exportedTable('personal_access_tokens', 'Personal access tokens for this organization, without their values.', {
      from: 'personal_access_token',
      columns: `${TOKEN}, developer_id, scopes`,
      where: OWN,
    }),
  ],
  developer: [
    exportedTable('personal_access_tokens', 'Personal access tokens, without their values.', {
      from: 'personal_access_token',
      columns: 'id, organization_id, name, scopes, last4, created_at, expires_at, revoked_at, last_used_at',
      where: 'developer_id = $1',
    }),
    exportedTable(
      'project_access_tokens_made',
      'Project access tokens that they created or rotated last, without their values.',
      {
        from: 'project_access_token',
        columns: 'id, organization_id, project_id, name, created_at',
        where: 'created_by = $1 OR rotated_by = $1',
      },
    ),
    accountFlagsFile(
      'Rate limit flags of the developer and their tokens, for requests that ignored 429 responses.',
      `principal IN (${CREDENTIALS})`,
    ),
  ],
};

@Injectable()
export class TokensErasure implements AccountErasure {
  constructor(
    private readonly transactions: Transactions,
    private readonly flags: AccountFlagsErasure,
  ) {}

  async endAccess(tx: RequestContext, organizationId: string): Promise<void> {
    await rows(this.transactions.manager(tx), `DELETE FROM project_access_token WHERE ${OWN}`, [organizationId]);
  }

  /** Deletes the flags of their credentials. Foreign keys delete the tokens together with the account. */
  async eraseDeveloper(tx: RequestContext, developerId: string): Promise<void> {
    const found = await rows<{ principal: string }>(this.transactions.manager(tx), CREDENTIALS, [developerId]);
    await this.flags.eraseOf(
      tx,
      found.map(({ principal }) => principal),
    );
  }
}
