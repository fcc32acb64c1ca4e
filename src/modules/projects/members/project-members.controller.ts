import { Body, Controller, Delete, Get, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ApiResult, ApiNoContent } from '#infra/http/response/api-responses';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { toPage } from '#infra/http/dto/pagination';
import { OrganizationPageQuery, OrganizationQuery } from '#infra/http/dto/scope-query';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { Access } from '#infra/http/access';
import { ProjectMemberPage, ProjectMemberResponse, PutProjectMemberRequest } from './dto/project-member.response';
import { ProjectMembersService } from './project-members.service';
import { toProjectMemberResponse } from '../projects.mapper';

@ApiTags('Projects')
@Controller('projects/:project_id/members')
export class ProjectMembersController {
  constructor(private readonly members: ProjectMembersService) {}

  @Get()
  @Access({ by: ['jwt', 'pat'], scope: 'projects:read', project: 'VIEW_PROJECT' })
  @Limit('read')
  @ApiResult('List those who have a role of their own in the project', ProjectMemberPage)
  async list(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationPageQuery,
    @IdParam('project_id') projectId: string,
  ): Promise<ProjectMemberPage> {
    const scope = { organizationId: query.organization_id, projectId };
    return toPage(await this.members.page(ctx, scope, query), toProjectMemberResponse);
  }

  @Get(':developer_id')
  @Access({ by: ['jwt', 'pat'], scope: 'projects:read', project: 'VIEW_PROJECT' })
  @Limit('read')
  @ApiResult('Get the role that somebody has of their own in the project', ProjectMemberResponse)
  async get(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('project_id') projectId: string,
    @IdParam('developer_id') developerId: string,
  ): Promise<ProjectMemberResponse> {
    const scope = { organizationId: query.organization_id, projectId };
    return toProjectMemberResponse(await this.members.get(ctx, scope, developerId));
  }

  @Put(':developer_id')
  @Access({ by: ['jwt', 'pat'], scope: 'projects:write', project: 'MANAGE_PROJECT' })
  @Limit('write')
  @Idempotent()
  @ApiResult('Give somebody a role of their own in the project', ProjectMemberResponse)
  async put(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('project_id') projectId: string,
    @IdParam('developer_id') developerId: string,
    @Body() body: PutProjectMemberRequest,
  ): Promise<ProjectMemberResponse> {
    const scope = { organizationId: query.organization_id, projectId };
    return toProjectMemberResponse(await this.members.put(ctx, scope, developerId, body.role));
  }

  @Delete(':developer_id')
  @Access({ by: ['jwt', 'pat'], scope: 'projects:write', project: 'MANAGE_PROJECT' })
  @Limit('write')
  @Idempotent()
  @ApiNoContent('Take away the role that somebody has in the project')
  remove(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('project_id') projectId: string,
    @IdParam('developer_id') developerId: string,
  ): Promise<void> {
    return this.members.remove(ctx, { organizationId: query.organization_id, projectId }, developerId);
  }
}
