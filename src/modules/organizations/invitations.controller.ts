import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { Answers, AnswersNothing } from '#platform/http/answers';
import { Ctx } from '#platform/http/context';
import { Errors } from '#platform/http/errors';
import { IdParam } from '#platform/http/id-param';
import { PageQuery } from '#platform/http/page-query';
import { toPage } from '#platform/http/page-response';
import { Idempotent } from '#platform/idempotency/idempotent';
import { Limit } from '#platform/rate-limit/limits';
import { Access } from '#platform/security/access';
import { InviteMemberRequest } from './dto/member.requests';
import { InvitationPage, InvitationResponse } from './dto/member.response';
import { InvitationsService } from './invitations.service';
import { toInvitationResponse } from './organizations.mapper';

@ApiTags('Organizations')
@Controller('organizations/:organization_id/invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Get()
  @Access({ by: ['jwt'], organization: ['ADMIN'] })
  @Limit('read')
  @Answers('List open invitations', InvitationPage)
  async list(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @Query() query: PageQuery,
  ): Promise<InvitationPage> {
    return toPage(await this.invitations.page(ctx, id, query), toInvitationResponse);
  }

  @Post()
  @Access({ by: ['jwt'], organization: ['ADMIN'] })
  @Limit('invite')
  @Idempotent()
  @Errors('already_exists')
  @Answers('Invite somebody by mail; it replaces an earlier invitation to the same address', InvitationResponse, 201)
  async invite(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @Body() body: InviteMemberRequest,
  ): Promise<InvitationResponse> {
    return toInvitationResponse(await this.invitations.invite(ctx, id, body));
  }

  @Delete(':invitation_id')
  @Access({ by: ['jwt'], organization: ['ADMIN'] })
  @Limit('write')
  @Idempotent()
  @AnswersNothing('Withdraw an invitation: its link stops working')
  withdraw(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @IdParam('invitation_id') invitationId: string,
  ): Promise<void> {
    return this.invitations.withdraw(ctx, id, invitationId);
  }
}
