import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { toPage } from '#infra/http/dto/pagination';
import { OrganizationQuery } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Idempotently, type IdempotentWork } from '#infra/idempotency/idempotent-work';
import { Limit } from '#infra/rate-limit/limits';
import { PROJECTS_DOCS } from './projects.docs';
import {
  CreateProjectRequest,
  ListProjectsQuery,
  ProjectPage,
  ProjectResponse,
  UpdateProjectRequest,
} from './projects.dto';
import {
  toListedProjectResponse,
  toProjectChange,
  toProjectDraft,
  toProjectResponse,
  toSummaryResponse,
} from './projects.mapper';
import { ProjectsService } from './projects.service';
import { ProjectSummaryResponse } from './summary/project-summary.dto';
import { ProjectViews } from './summary/project-views';

@ApiTags('Projects')
@Describe(PROJECTS_DOCS)
@Controller('projects')
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly views: ProjectViews,
  ) {}

  @Get()
  @Access(ACCESS.developer('projects:read', { organization: 'member' }))
  @Limit('read')
  @ApiResult('List the projects that you may see', ProjectPage)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListProjectsQuery): Promise<ProjectPage> {
    const filter = { q: query.q, bundleId: query.bundle_id, summaries: query.include === 'summary' };
    const page = await this.views.list(ctx, query.organization_id, filter, query);
    return toPage(page, (project) => toListedProjectResponse(ctx, project));
  }

  @Post()
  @Access(ACCESS.developer('projects:write', { organization: ['MANAGER'] }))
  @Limit('write')
  @Idempotent()
  @Errors('already_exists', 'quota_exceeded')
  @ApiResult('Create a project', ProjectResponse, 201)
  async create(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @Body() body: CreateProjectRequest,
  ): Promise<ProjectResponse> {
    const project = await this.projects.create(ctx, query.organization_id, toProjectDraft(body));
    return toProjectResponse(await this.views.one(ctx, project));
  }

  @Get(':project_id')
  @Access(ACCESS.project('VIEW_PROJECT', 'projects:read'))
  @Limit('read')
  @ApiResult('Get a project', ProjectResponse)
  async get(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('project_id') projectId: string,
  ): Promise<ProjectResponse> {
    const scope = { organizationId: query.organization_id, projectId };
    return toProjectResponse(await this.views.one(ctx, await this.projects.get(ctx, scope)));
  }

  @Get(':project_id/summary')
  @Access(ACCESS.project('VIEW_PROJECT', 'projects:read'))
  @Limit('read')
  @ApiResult('Summarize the state of a project', ProjectSummaryResponse)
  async summary(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('project_id') projectId: string,
  ): Promise<ProjectSummaryResponse> {
    const scope = { organizationId: query.organization_id, projectId };
    return toSummaryResponse(ctx, await this.views.summary(ctx, await this.projects.get(ctx, scope)));
  }

  @Patch(':project_id')
  @Access(ACCESS.developer('projects:write', { project: 'MANAGE_PROJECT' }))
  @Limit('write')
  @Idempotent()
  @Errors('already_exists')
  @ApiResult('Change a project', ProjectResponse)
  async update(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('project_id') projectId: string,
    @Body() body: UpdateProjectRequest,
  ): Promise<ProjectResponse> {
    const scope = { organizationId: query.organization_id, projectId };
    const project = await this.projects.update(ctx, scope, toProjectChange(body));
    return toProjectResponse(await this.views.one(ctx, project));
  }

  @Delete(':project_id')
  @Access(ACCESS.developer('projects:write', { organization: ['MANAGER'], project: 'VIEW_PROJECT' }))
  @Limit('write')
  @Idempotent({ streams: true })
  @Errors('dependency_exists')
  @ApiNoContent('Delete a project that has no builds')
  async delete(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('project_id') projectId: string,
    @Idempotently() work: IdempotentWork,
  ): Promise<void> {
    const scope = { organizationId: query.organization_id, projectId };
    await this.projects.clear(ctx, scope);
    await work.commit((tx) => this.projects.delete(tx, scope));
  }
}
