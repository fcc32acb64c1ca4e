import { Body, Controller, Get, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { OrganizationQuery } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { MIN_SUPPORTED_DOCS } from '../updates.docs';
import { ChangeMinSupportedRequest, MinSupportedResponse } from './min-supported-versions.dto';
import { MinSupportedVersionsService } from './min-supported-versions.service';

@ApiTags('Updates')
@Describe(MIN_SUPPORTED_DOCS)
@Controller('projects/:project_id/min-supported-versions')
export class MinSupportedVersionsController {
  constructor(private readonly versions: MinSupportedVersionsService) {}

  @Get()
  @Access(ACCESS.project('VIEW_PROJECT', 'releases:read'))
  @Limit('read')
  @ApiResult('Get the lowest supported versions of a project', MinSupportedResponse)
  get(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('project_id') projectId: string,
  ): Promise<MinSupportedResponse> {
    return this.versions.get(ctx, { organizationId: query.organization_id, projectId });
  }

  @Patch()
  @Access(ACCESS.project('MANAGE_RELEASES', 'releases:write'))
  @Limit('write')
  @Idempotent()
  @ApiResult('Change the lowest supported versions of a project', MinSupportedResponse)
  change(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('project_id') projectId: string,
    @Body() body: ChangeMinSupportedRequest,
  ): Promise<MinSupportedResponse> {
    return this.versions.change(ctx, { organizationId: query.organization_id, projectId }, body);
  }
}
