import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { toPage } from '#infra/http/dto/pagination';
import { ProjectPageQuery, ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { PossiblyHeavyRead } from '#infra/rate-limit/heavy-read';
import { Limit } from '#infra/rate-limit/limits';
import { TesterDownloadPage, toTesterDownloadResponse } from '#modules/builds';
import { TesterActivityService } from './activity/tester-activity.service';
import { ListTestersQuery, toTesterFilter } from './activity/tester-filter.dto';
import { type TesterWithSubscriptions } from './tester';
import { TESTERS_DOCS } from './testers.docs';
import { CreateTesterRequest, TesterPage, TesterResponse, UpdateTesterRequest } from './testers.dto';
import { toTesterResponse } from './testers.mapper';
import { TestersService } from './testers.service';

@ApiTags('Testers')
@Describe(TESTERS_DOCS)
@Controller('testers')
export class TestersController {
  constructor(
    private readonly testers: TestersService,
    private readonly activity: TesterActivityService,
  ) {}

  @Get()
  @Access(ACCESS.project('VIEW_PROJECT', 'testers:read'))
  @Limit('read')
  @PossiblyHeavyRead()
  @Errors('not_found')
  @ApiResult('List the testers of a project', TesterPage)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListTestersQuery): Promise<TesterPage> {
    const page = await this.activity.list(ctx, projectScope(query), toTesterFilter(query), query);
    return toPage(page, toTesterResponse);
  }

  @Post()
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:write'))
  @Limit('write')
  @Idempotent()
  @Errors('already_exists', 'operation_not_allowed', 'quota_exceeded')
  @ApiResult('Add a tester', TesterResponse, 201)
  async create(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @Body() body: CreateTesterRequest,
  ): Promise<TesterResponse> {
    const draft = { email: body.email, name: body.name ?? null };
    return this.show(ctx, await this.testers.create(ctx, projectScope(query), draft));
  }

  @Get(':tester_id')
  @Access(ACCESS.project('VIEW_PROJECT', 'testers:read'))
  @Limit('read')
  @Errors('not_found')
  @ApiResult('Get a tester', TesterResponse)
  async get(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('tester_id') testerId: string,
  ): Promise<TesterResponse> {
    return this.show(ctx, await this.testers.get(ctx, projectScope(query), testerId));
  }

  @Patch(':tester_id')
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:write'))
  @Limit('write')
  @Idempotent()
  @Errors('not_found')
  @ApiResult("Change a tester's name", TesterResponse)
  async update(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('tester_id') testerId: string,
    @Body() { name }: UpdateTesterRequest,
  ): Promise<TesterResponse> {
    return this.show(ctx, await this.testers.update(ctx, projectScope(query), testerId, { name }));
  }

  @Delete(':tester_id')
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:write'))
  @Limit('write')
  @Idempotent()
  @Errors('not_found')
  @ApiNoContent('Erase a tester: their address, subscriptions and links')
  erase(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('tester_id') testerId: string,
  ): Promise<void> {
    return this.testers.erase(ctx, projectScope(query), testerId);
  }

  @Get(':tester_id/downloads')
  @Access(ACCESS.project('MANAGE_TESTERS', 'testers:read'))
  @Limit('read')
  @Errors('not_found')
  @ApiResult('List the downloads of a tester, newest first', TesterDownloadPage)
  async listDownloads(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectPageQuery,
    @IdParam('tester_id') testerId: string,
  ): Promise<TesterDownloadPage> {
    return toPage(
      await this.activity.listDownloads(ctx, projectScope(query), testerId, query),
      toTesterDownloadResponse,
    );
  }

  private async show(ctx: RequestContext, tester: TesterWithSubscriptions): Promise<TesterResponse> {
    return toTesterResponse(await this.activity.addTo(ctx, tester));
  }
}
