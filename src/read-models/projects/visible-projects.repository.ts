import { Injectable } from '@nestjs/common';
import { higherRole, impliedProjectRole, type OrganizationRole, ROLES_IN_EVERY_PROJECT } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { escapeLike, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type ProjectFilter, type VisibleProject } from '#modules/projects';

/** A project with the developer's own role in it, and their roles in the organization. */
interface ProjectRow extends VisibleProject {
  readonly organizationRoles: readonly OrganizationRole[];
}

/** The projects in which a developer has a role, own or implied by the organization, the newest first. */
@Injectable()
export class VisibleProjectsRepository {
  constructor(private readonly transactions: Transactions) {}

  async list(
    ctx: RequestContext,
    organizationId: string,
    { q, bundleId, developerId }: ProjectFilter & { readonly developerId: string },
    { limit, cursor }: PageRequest,
  ): Promise<Page<VisibleProject>> {
    const list: ListName = `projects|${organizationId}`;
    const pattern = q ? `%${escapeLike(q)}%` : null;
    const found = await rows<ProjectRow>(
      this.transactions.manager(ctx),
      `SELECT p.id, p.organization_id AS "organizationId", p.name, p.allow_any_bundle_id AS "allowAnyBundleId", p.language,
              p.signing_expiry_mails AS "signingExpiryMails", p.branch_channels AS "branchChannels", p.created_at AS "createdAt", m.roles AS "organizationRoles", pm.role
       FROM membership m JOIN project p ON p.organization_id = m.organization_id
       LEFT JOIN project_membership pm ON pm.project_id = p.id AND pm.developer_id = m.developer_id
       WHERE m.organization_id = $1 AND m.developer_id = $2 AND (m.roles && $3::text[] OR pm.role IS NOT NULL)
         AND ($4::uuid IS NULL OR p.id < $4) AND ($5::text IS NULL OR p.name ILIKE $5)
         AND ($6::text IS NULL OR EXISTS (
           SELECT FROM pinned_bundle_id i WHERE i.project_id = p.id AND i.bundle_id = $6))
       ORDER BY p.id DESC LIMIT $7`,
      [
        organizationId,
        developerId,
        ROLES_IN_EVERY_PROJECT,
        decodeCursor(cursor, list),
        pattern,
        bundleId || null,
        limit + 1,
      ],
    );
    const visible = found.map(({ organizationRoles, role, ...project }) => ({
      ...project,
      role: higherRole(role, impliedProjectRole(organizationRoles)),
    }));
    return pageOf(visible, limit, list);
  }
}
