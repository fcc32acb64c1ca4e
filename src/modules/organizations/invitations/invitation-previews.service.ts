import { Injectable } from '@nestjs/common';
import { type OrganizationRole } from '#kernel/access/roles';
import { type RequestContext } from '#kernel/context/request-context';
import { DevelopersService, SignUpPolicyService } from '#modules/developers';
import { OrganizationsService } from '../organizations.service';
import { InvitationsService } from './invitations.service';
import { InvitersService } from './inviters.service';

/** An invitation as the holder of its mailed link sees it. */
export interface InvitationPreview {
  readonly organizationId: string;
  readonly organizationName: string;
  /** The name of the member who sent it, or else their e-mail address. */
  readonly invitedByLabel: string;
  readonly email: string;
  readonly roles: readonly OrganizationRole[];
  readonly expiresAt: Date;
  /** Whether a verified or suspended account has the address: then its owner logs in, otherwise they sign up. */
  readonly hasAccount: boolean;
  readonly maySignUp: boolean;
}

/**
 * Shows an invitation to the holder of its token, who may have no account. The token was mailed to the invited address and nowhere else, so
 * its holder has proved that address ([decision 82](../../../../docs/decisions/0082-joining-by-the-mailed-link.md)).
 */
@Injectable()
export class InvitationPreviewsService {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly inviters: InvitersService,
    private readonly organizations: OrganizationsService,
    private readonly developers: DevelopersService,
    private readonly policy: SignUpPolicyService,
  ) {}

  /** @throws AppError invalid_input when the invitation cannot be accepted, without the reason. */
  async find(ctx: RequestContext, token: string): Promise<InvitationPreview> {
    const invitation = await this.invitations.findUsable(ctx, token);
    const { organizationId, email, roles, expiresAt } = invitation;
    const { invitedByLabel } = await this.inviters.one(ctx, invitation);
    return {
      organizationId,
      organizationName: (await this.organizations.findName(ctx, organizationId)) ?? '',
      invitedByLabel: invitedByLabel ?? '',
      email,
      roles,
      expiresAt,
      hasAccount: await this.developers.hasLasting(ctx, email),
      maySignUp: await this.policy.admits(ctx, email),
    };
  }
}
