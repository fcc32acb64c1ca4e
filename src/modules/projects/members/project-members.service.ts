import { Injectable } from '@nestjs/common';
import { impliedProjectRole, type ProjectRole } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { MembersService, OrganizationsService } from '#modules/organizations';
import { ProjectMembersRepository } from './project-members.repository';

/** A developer's own role in a project. Organization roles may imply a higher one. */
export interface ProjectMember {
  readonly developerId: string;
  readonly role: ProjectRole;
  readonly email: string;
  readonly name: string | null;
  /** The role that the organization roles imply; null when they imply none. */
  readonly inheritedRole: ProjectRole | null;
}

type OwnRole = Pick<ProjectMember, 'developerId' | 'role'>;

@Injectable()
export class ProjectMembersService {
  constructor(
    private readonly repository: ProjectMembersRepository,
    private readonly organizations: OrganizationsService,
    private readonly members: MembersService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  async list(ctx: RequestContext, scope: ProjectScope, request: PageRequest): Promise<Page<ProjectMember>> {
    const { items, nextCursor } = await this.repository.list(ctx, scope, request);
    return { items: await this.describe(ctx, scope, items), nextCursor };
  }

  /** @throws AppError not_found when the developer has no own role in the project. */
  async get(ctx: RequestContext, scope: ProjectScope, developerId: string): Promise<ProjectMember> {
    const role = await this.repository.findRole(ctx, scope, developerId);
    if (!role) throw AppError.notFound('project member');
    return this.describeOne(ctx, scope, { developerId, role });
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
      return this.describeOne(tx, scope, { developerId, role });
    });
  }

  /** @throws AppError not_found when the developer has no own role in the project. */
  async remove(ctx: RequestContext, scope: ProjectScope, developerId: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      if (!(await this.repository.delete(tx, scope, developerId))) throw AppError.notFound('project member');
      await this.audit.record(tx, { type: 'project_member.removed', ...scope, payload: { developer_id: developerId } });
    });
  }

  private async describeOne(ctx: RequestContext, scope: ProjectScope, own: OwnRole): Promise<ProjectMember> {
    const [member] = await this.describe(ctx, scope, [own]);
    if (!member) throw AppError.notFound('project member');
    return member;
  }

  private async describe(
    ctx: RequestContext,
    { organizationId }: ProjectScope,
    own: readonly OwnRole[],
  ): Promise<ProjectMember[]> {
    const ids = own.map(({ developerId }) => developerId);
    const members = await this.members.findMany(ctx, organizationId, ids);
    return own.flatMap(({ developerId, role }) => {
      const member = members.get(developerId);
      if (!member) return [];
      const { email, name, roles } = member;
      return [{ developerId, role, email, name, inheritedRole: impliedProjectRole(roles) }];
    });
  }
}
