import { Controller, Get, Post, Query } from '@nestjs/common';
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
import { OwnInvitationPage } from '../members/members.dto';
import { OWN_INVITATIONS_DOCS } from '../organizations.docs';
import { OrganizationResponse } from '../organizations.dto';
import { toOrganizationResponse, toOwnInvitationResponse } from '../organizations.mapper';
import { InvitationsService } from './invitations.service';
import { OwnInvitationsService } from './own-invitations.service';

@ApiTags('Organizations')
@Describe(OWN_INVITATIONS_DOCS)
@Controller('developers/me/invitations')
export class OwnInvitationsController {
  constructor(
    private readonly own: OwnInvitationsService,
    private readonly invitations: InvitationsService,
  ) {}

  @Get()
  @Access(ACCESS.login())
  @Limit('read')
  @ApiResult('List the invitations to you', OwnInvitationPage)
  async list(@Ctx() ctx: RequestContext, @Query() query: PageQuery): Promise<OwnInvitationPage> {
    return toPage(await this.own.list(ctx, query), toOwnInvitationResponse);
  }

  @Post(':invitation_id/accept')
  @Access(ACCESS.login())
  @Limit('write')
  @Idempotent()
  @Errors('already_exists', 'quota_exceeded')
  @ApiResult('Accept an invitation to you', OrganizationResponse)
  async accept(@Ctx() ctx: RequestContext, @IdParam('invitation_id') id: string): Promise<OrganizationResponse> {
    return toOrganizationResponse(await this.invitations.acceptOwn(ctx, id));
  }

  @Post(':invitation_id/decline')
  @Access(ACCESS.login())
  @Limit('write')
  @Idempotent()
  @ApiNoContent('Decline an invitation to you; its link stops working')
  decline(@Ctx() ctx: RequestContext, @IdParam('invitation_id') id: string): Promise<void> {
    return this.own.decline(ctx, id);
  }
}
