import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type OrganizationRole } from '#kernel/access/roles';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { Hook } from '#kernel/hook';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { renderMail } from '#infra/mail/render-mail';
import { DevelopersService } from '#modules/developers';
import { InvitationsRepository } from '../invitations/invitations.repository';
import { OrganizationsRepository } from '../organizations.repository';
import { type LeftToken, MEMBER_REMOVAL_MAIL, type MemberRemoval } from './member-removal';
import { type MembershipEntity, MembersRepository } from './members.repository';
import { OrganizationContactsService } from './organization-contacts.service';

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
  /**
   * Runs when a membership has been deleted, in the same transaction. Returns the valid project access tokens that the member created or
   * rotated last, also when the removal revoked them.
   */
  readonly removal = new Hook<[tx: RequestContext, removal: MemberRemoval], readonly LeftToken[]>();

  constructor(
    private readonly repository: MembersRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly invitations: InvitationsRepository,
    private readonly contacts: OrganizationContactsService,
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

  /**
   * A member who is no longer ADMIN loses their open invitations.
   * @throws AppError operation_not_allowed when no member would be ADMIN; not_found for a developer who is not a member.
   */
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
      if (!roles.includes('ADMIN')) await this.withdrawInvitations(tx, organizationId, developerId);
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

  /**
   * An ADMIN can remove every member and revoke their project access tokens; other members can only leave. Project roles, personal access
   * tokens and open invitations of the member are deleted too.
   * @returns the project access tokens that the member created or rotated last: still valid, or revoked by this call.
   */
  async remove(ctx: RequestContext, removal: MemberRemoval): Promise<readonly LeftToken[]> {
    const { organizationId, developerId, revokeTokens } = removal;
    const caller = developerOf(ctx).developerId;
    return this.transactions.run(ctx, async (tx) => {
      await this.repository.advisoryLock(tx, organizationId);
      const own = await this.repository.find(tx, organizationId, caller);
      if ((caller !== developerId || revokeTokens) && !own?.roles.includes('ADMIN')) {
        throw new AppError('insufficient_role', { details: { required_role: 'ADMIN' } });
      }
      await this.require(tx, organizationId, developerId);
      return this.drop(tx, removal);
    });
  }

  /** Members of the organization by id. Ids of other developers are skipped. */
  async findMany(
    ctx: RequestContext,
    organizationId: string,
    developerIds: readonly string[],
  ): Promise<ReadonlyMap<string, Member>> {
    const memberships = await this.repository.findMany(ctx, organizationId, developerIds);
    return new Map((await this.withDevelopers(ctx, memberships)).map((member) => [member.developerId, member]));
  }

  /** The developers of the list who are members of the organization. */
  findMembersAmong(
    ctx: RequestContext,
    organizationId: string,
    developerIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    return this.repository.findMembersAmong(ctx, organizationId, developerIds);
  }

  /**
   * Keeps a membership from being deleted until the transaction ends, so that nothing is created for a member who is being removed.
   * False when the developer is not a member.
   */
  hold(tx: RequestContext, organizationId: string, developerId: string): Promise<boolean> {
    return this.repository.hold(tx, organizationId, developerId);
  }

  /** Waits for requests that add a membership: the deletion of the account would delete it without any of the steps of `drop`. */
  private async leaveAll(tx: RequestContext, developerId: string): Promise<void> {
    await this.organizations.lockMembershipsOf(tx, developerId);
    for (const organizationId of await this.repository.findOrganizationsOf(tx, developerId)) {
      await this.repository.advisoryLock(tx, organizationId);
      await this.drop(tx, { organizationId, developerId, revokeTokens: false });
    }
  }

  private async drop(tx: RequestContext, removal: MemberRemoval): Promise<readonly LeftToken[]> {
    const { organizationId, developerId } = removal;
    await this.repository.delete(tx, organizationId, developerId);
    await this.requireAdmin(tx, organizationId);
    await this.audit.record(tx, { type: 'member.removed', organizationId, payload: { developer_id: developerId } });
    await this.withdrawInvitations(tx, organizationId, developerId);
    const tokens = (await this.removal.run(tx, removal)).flat();
    if (tokens.length > 0) await this.mailAdmins(tx, removal, tokens);
    return tokens;
  }

  private async mailAdmins(
    tx: RequestContext,
    { organizationId, developerId, revokeTokens: revoked }: MemberRemoval,
    tokens: readonly LeftToken[],
  ): Promise<void> {
    const member = (await this.developers.findMany(tx, [developerId])).get(developerId)?.email ?? developerId;
    await this.contacts.mail(tx, organizationId, ['ADMIN'], (organization, language) =>
      renderMail(MEMBER_REMOVAL_MAIL[language], { organization, member, revoked, tokens }),
    );
  }

  /** Otherwise a removed ADMIN could become ADMIN again through an invitation to another address of theirs. */
  private async withdrawInvitations(tx: RequestContext, organizationId: string, invitedBy: string): Promise<void> {
    const withdrawn = await this.invitations.deleteOfInviter(tx, organizationId, invitedBy);
    await this.audit.recordAll(
      tx,
      withdrawn.map((id) => ({
        type: 'invitation.withdrawn',
        organizationId,
        payload: { invitation_id: id, invited_by: invitedBy },
      })),
    );
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
