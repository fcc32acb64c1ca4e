import { Injectable } from '@nestjs/common';
import { type OrganizationRole } from '#kernel/access/roles';
import { digestOf, newLinkToken } from '#kernel/access/token-format';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { type QuotaUse, requireRoom } from '#kernel/quota';
import { emailKeyOf } from '#kernel/text/email-address';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { QuotaConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { MembersRepository } from '../members/members.repository';
import { type Organization, OrganizationsService } from '../organizations.service';
import { InvitationMailService } from './invitation-mail.service';
import { type InvitationEntity, InvitationsRepository } from './invitations.repository';

interface InvitationDraft {
  readonly email: string;
  readonly roles: readonly OrganizationRole[];
}

const LIFETIME_MS = 7 * 86_400_000;

/** Invitations to join an organization, sent by mail. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly repository: InvitationsRepository,
    private readonly members: MembersRepository,
    private readonly organizations: OrganizationsService,
    private readonly mail: InvitationMailService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly quotas: QuotaConfig,
  ) {}

  list(ctx: RequestContext, organizationId: string, request: PageRequest): Promise<Page<InvitationEntity>> {
    return this.repository.list(ctx, organizationId, request);
  }

  /**
   * Replaces an earlier invitation to the same address; the earlier link stops working.
   * @throws AppError already_exists when the address belongs to a member.
   */
  async invite(
    ctx: RequestContext,
    organizationId: string,
    { email, roles }: InvitationDraft,
  ): Promise<InvitationEntity> {
    const token = newLinkToken();
    const now = ctx.clock.now();
    return this.transactions.run(ctx, async (tx) => {
      await this.members.advisoryLock(tx, organizationId);
      if (await this.organizations.hasMember(tx, organizationId, email)) throw isMember();
      const emailKey = emailKeyOf(email);
      await this.repository.delete(tx, { organizationId, emailKey });
      const invitation: InvitationEntity = {
        id: newId(),
        organizationId,
        email,
        emailKey,
        roles: [...roles],
        digest: digestOf(token),
        invitedBy: developerOf(tx).developerId,
        createdAt: now,
        expiresAt: new Date(now.getTime() + LIFETIME_MS),
      };
      await this.repository.insert(tx, invitation);
      const { name } = await this.organizations.get(tx, organizationId);
      await this.mail.send(tx, email, { id: invitation.id, organization: name, roles, token });
      const payload = { invitation_id: invitation.id, roles };
      await this.audit.record(tx, { type: 'member.invited', organizationId, payload });
      return invitation;
    });
  }

  async withdraw(ctx: RequestContext, organizationId: string, id: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      if (!(await this.repository.delete(tx, { organizationId, id }))) throw AppError.notFound('invitation');
      await this.audit.record(tx, { type: 'invitation.withdrawn', organizationId, payload: { invitation_id: id } });
    });
  }

  /**
   * Adds the developer to the organization. The invitation must be for their own e-mail address; the route requires that it is verified.
   * Its inviter must still be ADMIN.
   * @throws AppError invalid_input when the token is used, expired, unknown, for another address or of an inviter who could not invite
   * now, with the same error in all cases; already_exists for a member; their roles do not change.
   */
  accept(ctx: RequestContext, token: string): Promise<Organization> {
    return this.join(ctx, (tx) => this.repository.findValid(tx, { digest: digestOf(token) }), unusable);
  }

  /** The invitation of a token that can be accepted now. @throws AppError invalid_input, as `accept` does. */
  async findUsable(ctx: RequestContext, token: string): Promise<InvitationEntity> {
    const invitation = await this.repository.findValid(ctx, { digest: digestOf(token) });
    if (!invitation || !(await this.mayInvite(ctx, invitation))) throw unusable();
    return invitation;
  }

  /** Accepts like `accept`, by the id. @throws AppError not_found instead of invalid_input. */
  acceptOwn(ctx: RequestContext, id: string): Promise<Organization> {
    const emailKey = emailKeyOf(developerOf(ctx).email);
    return this.join(
      ctx,
      (tx) => this.repository.findValid(tx, { id, emailKey }),
      () => AppError.notFound('invitation'),
    );
  }

  /** @param refusal the error when the invitation cannot be accepted, without the reason. */
  private async join(
    ctx: RequestContext,
    find: (tx: RequestContext) => Promise<InvitationEntity | null>,
    refusal: () => AppError,
  ): Promise<Organization> {
    const { developerId, email } = developerOf(ctx);
    return this.transactions.run(ctx, async (tx) => {
      const invitation = await find(tx);
      if (invitation?.emailKey !== emailKeyOf(email)) throw refusal();
      const { organizationId, roles, id } = invitation;
      await this.members.advisoryLock(tx, organizationId);
      if (!(await this.mayInvite(tx, invitation))) throw refusal();
      if (!(await this.repository.delete(tx, { organizationId, id }))) throw refusal();
      if (await this.members.find(tx, organizationId, developerId)) throw alreadyJoined();
      await this.requireRoom(tx, organizationId);
      await this.members.insert(tx, { organizationId, developerId, roles, createdAt: tx.clock.now() });
      await this.audit.record(tx, {
        type: 'member.joined',
        organizationId,
        payload: { invitation_id: id, developer_id: developerId, roles },
      });
      return this.organizations.get(tx, organizationId);
    });
  }

  private async mayInvite(tx: RequestContext, { organizationId, invitedBy }: InvitationEntity): Promise<boolean> {
    const inviter = invitedBy && (await this.members.find(tx, organizationId, invitedBy));
    return inviter ? inviter.roles.includes('ADMIN') : false;
  }

  /** The organization's number of members and its limit. Open invitations do not count. */
  async memberQuota(ctx: RequestContext, organizationId: string): Promise<QuotaUse> {
    const limit = this.quotas.membersPerOrganization;
    return { name: 'members_per_organization', limit, used: await this.members.count(ctx, organizationId) };
  }

  private async requireRoom(ctx: RequestContext, organizationId: string): Promise<void> {
    const quota = await this.memberQuota(ctx, organizationId);
    requireRoom(
      quota,
      quota.used,
      `The organization has ${quota.limit} members, which is the limit. Remove a member first.`,
    );
    await this.organizations.requireRoomFor(ctx, developerOf(ctx).developerId);
  }
}

/** May reveal the membership, because an ADMIN can list the members anyway. */
const isMember = (): AppError =>
  new AppError('already_exists', {
    message: 'This address belongs to a member. Change the roles of the member instead.',
  });

const alreadyJoined = (): AppError =>
  new AppError('already_exists', { message: 'You are already a member of this organization.' });

const unusable = (): AppError =>
  AppError.invalidInput(
    'invitation_unusable',
    'This invitation is for another address, was used or withdrawn, or has expired. Request a new one.',
  );

/** An invitation with the name of the member who sent it. */
export interface InvitationWithInviter {
  readonly invitation: InvitationEntity;
  /** Null after the account was deleted. */
  readonly invitedByLabel: string | null;
}
