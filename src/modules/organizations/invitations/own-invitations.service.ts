import { Injectable } from '@nestjs/common';
import { type OrganizationRole } from '#kernel/access/roles';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { emailKeyOf } from '#kernel/text/email-address';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { DevelopersService, labelOf } from '#modules/developers';
import { InvitationsRepository } from './invitations.repository';

/** An invitation as the invited person sees it. */
export interface OwnInvitation {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly roles: readonly OrganizationRole[];
  /** The member who sent it, with their name or else their e-mail address. */
  readonly invitedBy: { readonly id: string; readonly label: string };
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Shows developers the invitations to their address. `InvitationsService` accepts them. */
@Injectable()
export class OwnInvitationsService {
  constructor(
    private readonly repository: InvitationsRepository,
    private readonly developers: DevelopersService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** Newest first. Empty while the address is not verified, because the account may have another person's address. */
  async list(ctx: RequestContext, request: PageRequest): Promise<Page<OwnInvitation>> {
    const { email, emailVerified } = developerOf(ctx);
    if (!emailVerified) return { items: [], nextCursor: null };
    const { items, nextCursor } = await this.repository.listFor(ctx, emailKeyOf(email), request);
    const inviters = await this.developers.findMany(
      ctx,
      items.map(({ invitedBy }) => invitedBy),
    );
    return {
      items: items.map(({ invitedBy: id, ...invitation }) => ({
        ...invitation,
        invitedBy: { id, label: labelOf(inviters.get(id)) ?? '' },
      })),
      nextCursor,
    };
  }

  /** @throws AppError not_found when the invitation is for another address, was used or withdrawn, or has expired. */
  async decline(ctx: RequestContext, id: string): Promise<void> {
    const { developerId, email } = developerOf(ctx);
    await this.transactions.run(ctx, async (tx) => {
      const invitation = await this.repository.findValid(tx, { id, emailKey: emailKeyOf(email) });
      if (!invitation || !(await this.repository.delete(tx, { id }))) throw AppError.notFound('invitation');
      const { organizationId } = invitation;
      const payload = { invitation_id: id, developer_id: developerId };
      await this.audit.record(tx, { type: 'invitation.declined', organizationId, payload });
    });
  }
}
