import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type Page } from '#kernel/cursor';
import { DevelopersService } from '#modules/developers';
import { type InvitationPage, type InvitationResponse } from '../dto/member.response';
import { toInvitationResponse } from '../organizations.mapper';
import { type InvitationEntity } from './invitation.entity';

/** Invitations as the API shows them: with the name of the inviter. */
@Injectable()
export class InvitationResponsesService {
  constructor(private readonly developers: DevelopersService) {}

  async page(ctx: RequestContext, { items, nextCursor }: Page<InvitationEntity>): Promise<InvitationPage> {
    return { items: await this.many(ctx, items), next_cursor: nextCursor };
  }

  async one(ctx: RequestContext, invitation: InvitationEntity): Promise<InvitationResponse> {
    const [response] = await this.many(ctx, [invitation]);
    return response as InvitationResponse;
  }

  private async many(ctx: RequestContext, invitations: readonly InvitationEntity[]): Promise<InvitationResponse[]> {
    const inviters = invitations.flatMap(({ invitedBy }) => invitedBy ?? []);
    const developers = await this.developers.findMany(ctx, [...new Set(inviters)]);
    return invitations.map((invitation) => {
      const inviter = developers.get(invitation.invitedBy ?? '');
      return toInvitationResponse(invitation, inviter?.name ?? inviter?.email ?? null);
    });
  }
}
