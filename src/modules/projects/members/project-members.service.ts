import { Injectable } from '@nestjs/common';
import { type ProjectRole } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { OrganizationsService } from '#modules/organizations';
import { ProjectMembersRepository } from './project-members.repository';

/** A developer's own role in a project. Organization roles may imply a higher one. */
export interface ProjectMember {
  readonly developerId: string;
  readonly role: ProjectRole;
}

@Injectable()
export class ProjectMembersService {
  constructor(
    private readonly repository: ProjectMembersRepository,
    private readonly organizations: OrganizationsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  list(ctx: RequestContext, scope: ProjectScope, request: PageRequest): Promise<Page<ProjectMember>> {
    return this.repository.list(ctx, scope, request);
  }

  /** @throws AppError not_found when the developer has no own role in the project. */
  async get(ctx: RequestContext, scope: ProjectScope, developerId: string): Promise<ProjectMember> {
    const role = await this.repository.findRole(ctx, scope, developerId);
    if (!role) throw AppError.notFound('project member');
    return { developerId, role };
  }

  /** @throws AppError not_found when the developer is not a member of the organization. */
  async put(ctx: RequestContext, scope: ProjectScope, developerId: string, role: ProjectRole): Promise<ProjectMember> {
    return this.transactions.run(ctx, async (tx) => {
      if (!(await this.organizations.findRoles(tx, scope.organizationId, developerId)))
        throw AppError.notFound('member');
      await this.repository.put(tx, scope, developerId, role);
      await this.audit.record(tx, {
        type: 'project_member.changed',
        ...scope,
        payload: { developer_id: developerId, role },
      });
      return { developerId, role };
    });
  }

  /** @throws AppError not_found when the developer has no own role in the project. */
  async remove(ctx: RequestContext, scope: ProjectScope, developerId: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      if (!(await this.repository.delete(tx, scope, developerId))) throw AppError.notFound('project member');
      await this.audit.record(tx, { type: 'project_member.removed', ...scope, payload: { developer_id: developerId } });
    });
  }
}
