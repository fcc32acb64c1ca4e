import { Injectable } from '@nestjs/common';
import { type AccountErasure, type ExportedFiles, exportedTable, type OrganizationSize } from '#kernel/account-data';
import { type RequestContext } from '#kernel/context/request-context';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

const OWN = 'organization_id = $1';

export const PROJECTS_FILES: ExportedFiles = {
  organization: [
    exportedTable('projects', 'The projects.', {
      from: 'project',
      columns:
        'id, organization_id, name, allow_any_bundle_id, language, signing_expiry_mails, branch_channels, created_at',
      where: OWN,
    }),
    exportedTable('project_members', 'The roles of members in projects.', {
      from: 'project_membership',
      columns: 'project_id, developer_id, role',
      where: OWN,
      key: ['project_id', 'developer_id'],
    }),
  ],
  developer: [
    exportedTable('project_memberships', 'The projects in which they have a role.', {
      from: 'project_membership',
      columns: 'organization_id, project_id, role',
      where: 'developer_id = $1',
      key: ['project_id'],
    }),
  ],
};

@Injectable()
export class ProjectsErasure implements AccountErasure {
  constructor(private readonly transactions: Transactions) {}

  async measure(ctx: RequestContext, organizationId: string): Promise<Partial<OrganizationSize>> {
    const sql = `SELECT count(*)::int AS projects FROM project WHERE ${OWN}`;
    return (await one<{ projects: number }>(this.transactions.manager(ctx), sql, [organizationId])) ?? {};
  }

  async eraseRest(tx: RequestContext, organizationId: string): Promise<void> {
    await rows(this.transactions.manager(tx), `DELETE FROM project WHERE ${OWN}`, [organizationId]);
  }
}
