import { Body, Controller, Delete, Get, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { toPage } from '#infra/http/dto/pagination';
import { OrganizationPageQuery, OrganizationQuery } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiNoContent, ApiResult } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { PROJECT_MEMBERS_DOCS } from '../projects.docs';
import { toProjectMemberResponse } from '../projects.mapper';
import { ProjectMemberPage, ProjectMemberResponse, PutProjectMemberRequest } from './project-members.dto';
import { ProjectMembersService } from './project-members.service';

@ApiTags('Projects')
@Describe(PROJECT_MEMBERS_DOCS)
@Controller('projects/:project_id/members')
export class ProjectMembersController {
  constructor(private readonly members: ProjectMembersService) {}

  @Get()
  @Access(ACCESS.developer('projects:read', { project: 'VIEW_PROJECT' }))
  @Limit('read')
  @ApiResult('List the members who have a role of their own in the project', ProjectMemberPage)
  async list(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationPageQuery,
    @IdParam('project_id') projectId: string,
  ): Promise<ProjectMemberPage> {
    const scope = { organizationId: query.organization_id, projectId };
    return toPage(await this.members.list(ctx, scope, query), toProjectMemberResponse);
  }

  @Get(':developer_id')
  @Access(ACCESS.developer('projects:read', { project: 'VIEW_PROJECT' }))
  @Limit('read')
  @ApiResult('Get the role that a member has in the project', ProjectMemberResponse)
  async get(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('project_id') projectId: string,
    @IdParam('developer_id', 'member') developerId: string,
  ): Promise<ProjectMemberResponse> {
    const scope = { organizationId: query.organization_id, projectId };
    return toProjectMemberResponse(await this.members.get(ctx, scope, developerId));
  }

  @Put(':developer_id')
  @Access(ACCESS.developer('projects:write', { project: 'MANAGE_PROJECT' }))
  @Limit('write')
  @Idempotent()
  @ApiResult('Set the role of a member in the project', ProjectMemberResponse)
  async put(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('project_id') projectId: string,
    @IdParam('developer_id', 'member') developerId: string,
    @Body() body: PutProjectMemberRequest,
  ): Promise<ProjectMemberResponse> {
    const scope = { organizationId: query.organization_id, projectId };
    return toProjectMemberResponse(await this.members.put(ctx, scope, developerId, body.role));
  }

  @Delete(':developer_id')
  @Access(ACCESS.developer('projects:write', { project: 'MANAGE_PROJECT' }))
  @Limit('write')
  @Idempotent()
  @ApiNoContent('Remove the role of a member in the project')
  remove(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('project_id') projectId: string,
    @IdParam('developer_id', 'member') developerId: string,
  ): Promise<void> {
    return this.members.remove(ctx, { organizationId: query.organization_id, projectId }, developerId);
  }
}
