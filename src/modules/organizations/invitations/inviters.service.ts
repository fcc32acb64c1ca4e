import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { DevelopersService, labelOf } from '#modules/developers';
import { type InvitationEntity } from './invitations.repository';
import { type InvitationWithInviter } from './invitations.service';

/** Adds to invitations, for responses, the names of the members who sent them. */
@Injectable()
export class InvitersService {
  constructor(private readonly developers: DevelopersService) {}

  async one(ctx: RequestContext, invitation: InvitationEntity): Promise<InvitationWithInviter> {
    const [labelled] = await this.many(ctx, [invitation]);
    return labelled as InvitationWithInviter;
  }

  async many(ctx: RequestContext, invitations: readonly InvitationEntity[]): Promise<InvitationWithInviter[]> {
    const inviters = invitations.flatMap(({ invitedBy }) => invitedBy ?? []);
    const developers = await this.developers.findMany(ctx, [...new Set(inviters)]);
    return invitations.map((invitation) => ({
      invitation,
      invitedByLabel: labelOf(developers.get(invitation.invitedBy ?? '')),
    }));
  }
}
