import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { OWN_FLAGS } from './developer-data';

/** What speaks of a developer beside their account. */
@Injectable()
export class DeveloperErasureRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Those of the organizations to which somebody does not belong. */
  async findWithoutMember(
    ctx: RequestContext,
    organizationIds: readonly string[],
    developerId: string,
  ): Promise<readonly string[]> {
    const rows: { id: string }[] = await this.transactions.manager(ctx).query(
      `SELECT o.id FROM unnest($1::uuid[]) AS o (id) WHERE NOT EXISTS (
         SELECT FROM membership m WHERE m.organization_id = o.id AND m.developer_id = $2)`,
      [organizationIds, developerId],
    );
    return rows.map(({ id }) => id);
  }

  /** Invitations to their address, and flags of their credentials. */
  async deleteTraces(tx: RequestContext, id: string): Promise<void> {
    const manager = this.transactions.manager(tx);
    await manager.query(
      `DELETE FROM organization_invitation WHERE email_key = (SELECT email_key FROM developer WHERE id = $1)`,
      [id],
    );
    await manager.query(`DELETE FROM account_flag WHERE ${OWN_FLAGS}`, [id]);
  }

  /** Whether the account was there once. */
  async wasErased(ctx: RequestContext, id: string): Promise<boolean> {
    const rows: object[] = await this.transactions.manager(ctx).query(
      `SELECT 1 FROM audit_event WHERE organization_id IS NULL AND type IN ('developer.deleted', 'developer.erased')
         AND payload ->> 'developer_id' = $1::uuid::text LIMIT 1`,
      [id],
    );
    return rows.length === 1;
  }
}
