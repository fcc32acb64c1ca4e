import { Injectable } from '@nestjs/common';
import { type AccountErasure, type ExportedFiles, exportedTable, type OrganizationSize } from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { emailKeyOf } from '#kernel/text/email-address';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { DevelopersService } from '#modules/developers';

const OWN = 'organization_id = $1';

export const ORGANIZATIONS_FILES: ExportedFiles = {
  organization: [
    exportedTable('organization', 'The organization.', {
      from: 'organization',
      columns: 'id, name, branding, created_at',
      where: 'id = $1',
    }),
    exportedTable('organization_logo', 'The logo, a PNG in base64.', {
      from: 'organization_logo',
      columns: `organization_id, encode(png, 'base64') AS png`,
      where: OWN,
      key: ['organization_id'],
    }),
    exportedTable('invitations', 'Invitations that are not yet accepted.', {
      from: 'organization_invitation',
      columns: 'id, email, roles, invited_by, created_at, expires_at',
      where: OWN,
    }),
  ],
  developer: [
    {
      name: 'memberships',
      describe: 'The organizations they belong to, with their roles.',
      tables: ['membership', 'organization'],
      sql: `SELECT organization_id, o.name, roles, m.created_at FROM membership m JOIN organization o ON o.id = organization_id
        WHERE developer_id = $1`,
      key: ['organization_id'],
    },
    exportedTable('invitations_sent', 'Invitations to an organization that they sent.', {
      from: 'organization_invitation',
      columns: 'id, organization_id, email, created_at',
      where: 'invited_by = $1',
    }),
  ],
};

@Injectable()
export class OrganizationsErasure implements AccountErasure {
  constructor(
    private readonly transactions: Transactions,
    private readonly developers: DevelopersService,
  ) {}

  async measure(ctx: RequestContext, organizationId: string): Promise<Partial<OrganizationSize>> {
    const sql = `SELECT count(*)::int AS members FROM membership WHERE ${OWN}`;
    return (await one<{ members: number }>(this.transactions.manager(ctx), sql, [organizationId])) ?? {};
  }

  /** Foreign keys delete project roles and personal access tokens together with the membership. */
  async endAccess(tx: RequestContext, organizationId: string): Promise<void> {
    for (const table of ['organization_invitation', 'membership']) {
      await rows(this.transactions.manager(tx), `DELETE FROM ${table} WHERE ${OWN}`, [organizationId]);
    }
  }

  async eraseRest(tx: RequestContext, organizationId: string): Promise<void> {
    await rows(this.transactions.manager(tx), `DELETE FROM organization WHERE id = $1`, [organizationId]);
  }

  /** Deletes the invitations to their address. */
  async eraseDeveloper(tx: RequestContext, developerId: string): Promise<void> {
    const { email } = await this.developers.get(tx, developerId);
    const sql = `DELETE FROM organization_invitation WHERE email_key = $1`;
    await rows(this.transactions.manager(tx), sql, [emailKeyOf(email)]);
  }
}
