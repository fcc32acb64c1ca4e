import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { PageQuery, toPage } from '#infra/http/dto/pagination';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { InvitationPage, InvitationResponse, InviteMemberRequest } from '../members/members.dto';
import { INVITATIONS_DOCS } from '../organizations.docs';
import { toInvitationResponse } from '../organizations.mapper';
import { InvitationsService } from './invitations.service';
import { InvitersService } from './inviters.service';

@ApiTags('Organizations')
@Describe(INVITATIONS_DOCS)
@Controller('organizations/:organization_id/invitations')
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly inviters: InvitersService,
  ) {}

  @Get()
  @Access(ACCESS.login({ organization: ['ADMIN'] }))
  @Limit('read')
  @ApiResult('List open invitations', InvitationPage)
  async list(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @Query() query: PageQuery,
  ): Promise<InvitationPage> {
    const page = await this.invitations.list(ctx, id, query);
    return toPage({ ...page, items: await this.inviters.many(ctx, page.items) }, toInvitationResponse);
  }

  @Post()
  @Access(ACCESS.login({ organization: ['ADMIN'] }))
  @Limit('invite')
  @Idempotent()
  @Errors('already_exists')
  @ApiResult('Invite a person by mail; replaces an earlier invitation to the same address', InvitationResponse, 201)
  async invite(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @Body() body: InviteMemberRequest,
  ): Promise<InvitationResponse> {
    return toInvitationResponse(await this.inviters.one(ctx, await this.invitations.invite(ctx, id, body)));
  }

  @Delete(':invitation_id')
  @Access(ACCESS.login({ organization: ['ADMIN'] }))
  @Limit('write')
  @Idempotent()
  @ApiNoContent('Withdraw an invitation; its link stops working')
  withdraw(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @IdParam('invitation_id') invitationId: string,
  ): Promise<void> {
    return this.invitations.withdraw(ctx, id, invitationId);
  }
}
