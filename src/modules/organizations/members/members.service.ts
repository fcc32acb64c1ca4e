import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type OrganizationRole } from '#kernel/access/roles';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { type Page, type PageRequest } from '#kernel/cursor';
import { DevelopersService } from '#modules/developers';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { type MembershipEntity } from './membership.entity';
import { MembersRepository } from './members.repository';

/** A developer as a member of an organization. */
export interface Member {
  readonly developerId: string;
  readonly email: string;
  readonly name: string | null;
  readonly roles: readonly OrganizationRole[];
  readonly createdAt: Date;
}

/** Members of organizations and their roles. An organization always has at least one ADMIN. */
@Injectable()
export class MembersService implements OnModuleInit {
  constructor(
    private readonly repository: MembersRepository,
    private readonly developers: DevelopersService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** The deletion of an account removes its memberships, and fails when an organization would have no ADMIN. */
  onModuleInit(): void {
    this.developers.deletion.add((ctx, developerId) => this.leaveAll(ctx, developerId));
  }

  async list(ctx: RequestContext, organizationId: string, request: PageRequest): Promise<Page<Member>> {
    const { items, nextCursor } = await this.repository.list(ctx, organizationId, request);
    return { items: await this.withDevelopers(ctx, items), nextCursor };
  }

  /** @throws AppError operation_not_allowed when no member would be ADMIN; not_found for a developer who is not a member. */
  async changeRoles(
    ctx: RequestContext,
    organizationId: string,
    developerId: string,
    roles: readonly OrganizationRole[],
  ): Promise<Member> {
    return this.transactions.run(ctx, async (tx) => {
      await this.repository.advisoryLock(tx, organizationId);
      const membership = await this.require(tx, organizationId, developerId);
      await this.repository.updateRoles(tx, organizationId, developerId, [...roles]);
      await this.requireAdmin(tx, organizationId);
      const payload = { developer_id: developerId, roles, previous_roles: membership.roles };
      await this.audit.record(tx, { type: 'member.roles_changed', organizationId, payload });
      const [member] = await this.withDevelopers(tx, [{ ...membership, roles: [...roles] }]);
      if (!member) throw AppError.notFound('member');
      return member;
    });
  }

  /** The organizations in which the developer is the only ADMIN. */
  findOnlyAdministered(ctx: RequestContext, developerId: string): Promise<readonly string[]> {
    return this.repository.findOnlyAdministered(ctx, developerId);
  }

  /** The given organizations of which the developer is not a member. */
  findWithoutMember(
    ctx: RequestContext,
    organizationIds: readonly string[],
    developerId: string,
  ): Promise<readonly string[]> {
    return this.repository.findWithoutMember(ctx, organizationIds, developerId);
  }

  /** Adds ADMIN to a member's roles. @throws AppError not_found for a developer who is not a member. */
  async makeAdmin(ctx: RequestContext, organizationId: string, developerId: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const { roles } = await this.require(tx, organizationId, developerId);
      await this.changeRoles(tx, organizationId, developerId, [...new Set<OrganizationRole>([...roles, 'ADMIN'])]);
    });
  }

  /** An ADMIN can remove every member, other members only themselves. Project roles and personal access tokens are deleted too. */
  async remove(ctx: RequestContext, organizationId: string, developerId: string): Promise<void> {
    const caller = developerOf(ctx).developerId;
    await this.transactions.run(ctx, async (tx) => {
      await this.repository.advisoryLock(tx, organizationId);
      const own = await this.repository.find(tx, organizationId, caller);
      if (caller !== developerId && !own?.roles.includes('ADMIN')) {
        throw new AppError('insufficient_role', { details: { required_role: 'ADMIN' } });
      }
      await this.require(tx, organizationId, developerId);
      await this.drop(tx, organizationId, developerId);
    });
  }

  private async leaveAll(tx: RequestContext, developerId: string): Promise<void> {
    for (const organizationId of await this.repository.findOrganizationsOf(tx, developerId)) {
      await this.repository.advisoryLock(tx, organizationId);
      await this.drop(tx, organizationId, developerId);
    }
  }

  private async drop(tx: RequestContext, organizationId: string, developerId: string): Promise<void> {
    await this.repository.delete(tx, organizationId, developerId);
    await this.requireAdmin(tx, organizationId);
    await this.audit.record(tx, { type: 'member.removed', organizationId, payload: { developer_id: developerId } });
  }

  private async require(ctx: RequestContext, organizationId: string, developerId: string): Promise<MembershipEntity> {
    const membership = await this.repository.find(ctx, organizationId, developerId);
    if (!membership) throw AppError.notFound('member');
    return membership;
  }

  private async requireAdmin(ctx: RequestContext, organizationId: string): Promise<void> {
    if ((await this.repository.countAdmins(ctx, organizationId)) > 0) return;
    throw new AppError('operation_not_allowed', {
      message: 'An organization needs an ADMIN. Make another member ADMIN first, or delete the organization.',
      details: { reason: 'last_admin', organization_id: organizationId },
    });
  }

  private async withDevelopers(ctx: RequestContext, memberships: readonly MembershipEntity[]): Promise<Member[]> {
    const developers = await this.developers.findMany(
      ctx,
      memberships.map(({ developerId }) => developerId),
    );
    return memberships.flatMap(({ developerId, roles, createdAt }) => {
      const developer = developers.get(developerId);
      return developer ? [{ developerId, email: developer.email, name: developer.name, roles, createdAt }] : [];
    });
  }
}
