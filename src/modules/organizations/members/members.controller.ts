import { Body, Controller, Delete, Get, Patch, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { PageQuery, toPage } from '#infra/http/dto/pagination';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult, ApiResultOrNoContent, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { MEMBERS_DOCS } from '../organizations.docs';
import { toMemberRemovalResponse, toMemberResponse } from '../organizations.mapper';
import {
  MemberPage,
  MemberRemovalResponse,
  MemberResponse,
  RemoveMemberQuery,
  UpdateMemberRequest,
} from './members.dto';
import { MembersService } from './members.service';

@ApiTags('Organizations')
@Describe(MEMBERS_DOCS)
@Controller('organizations/:organization_id/members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Get()
  @Access(ACCESS.developer('organization:read', { organization: 'member' }))
  @Limit('read')
  @ApiResult('List the members of an organization', MemberPage)
  async list(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @Query() query: PageQuery,
  ): Promise<MemberPage> {
    return toPage(await this.members.list(ctx, id, query), toMemberResponse);
  }

  @Patch(':developer_id')
  @Access(ACCESS.login({ organization: ['ADMIN'] }))
  @Limit('write')
  @Idempotent()
  @Errors('operation_not_allowed')
  @ApiResult('Change the roles of a member', MemberResponse)
  async update(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @IdParam('developer_id', 'member') developerId: string,
    @Body() body: UpdateMemberRequest,
  ): Promise<MemberResponse> {
    return toMemberResponse(await this.members.changeRoles(ctx, id, developerId, body.roles));
  }

  @Delete(':developer_id')
  @Access(ACCESS.login({ organization: 'member' }))
  @Limit('write')
  @Idempotent()
  @Errors('operation_not_allowed')
  @ApiResultOrNoContent(
    'Remove a member: an ADMIN can remove every member, other members only themselves',
    MemberRemovalResponse,
    'Done. The member knows the values of the listed project access tokens.',
  )
  async remove(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @IdParam('developer_id', 'member') developerId: string,
    @Query() query: RemoveMemberQuery,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MemberRemovalResponse | undefined> {
    const revokeTokens = query.revoke_tokens ?? false;
    const tokens = await this.members.remove(ctx, { organizationId: id, developerId, revokeTokens });
    if (tokens.length === 0) return undefined;
    response.status(200);
    return toMemberRemovalResponse(tokens, revokeTokens);
  }
}
