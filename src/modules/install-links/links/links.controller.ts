import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { toPage } from '#infra/http/dto/pagination';
import { ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { LINKS_DOCS } from './links.docs';
import {
  CreateLinkRequest,
  LinkGrantResponse,
  LinkPage,
  LinkResponse,
  ListLinksQuery,
  UpdateLinkRequest,
} from './links.dto';
import { toLinkResponse, toRulesDraft } from './links.mapper';
import { LinksService } from './links.service';

@ApiTags('Links')
@Describe(LINKS_DOCS)
@Controller('links')
export class LinksController {
  constructor(private readonly links: LinksService) {}

  @Get()
  @Access(ACCESS.project('VIEW_PROJECT', 'builds:read'))
  @Limit('read')
  @ApiResult('List the links of builds and channels, newest first', LinkPage)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListLinksQuery): Promise<LinkPage> {
    const filter = { buildId: query.build_id, channelId: query.channel_id };
    return toPage(await this.links.list(ctx, projectScope(query), filter, query), (link) => toLinkResponse(ctx, link));
  }

  @Post()
  @Access(ACCESS.project('MANAGE_RELEASES', 'builds:write'))
  @Limit('write')
  @Idempotent()
  @Errors('invalid_input', 'not_found', 'quota_exceeded')
  @ApiResult('Create a link of a build or channel', LinkResponse, 201)
  async create(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @Body() body: CreateLinkRequest,
  ): Promise<LinkResponse> {
    const draft = { ...toRulesDraft(body), name: body.name, buildId: body.build_id, channelId: body.channel_id };
    return toLinkResponse(ctx, await this.links.create(ctx, projectScope(query), draft));
  }

  @Get(':link_id')
  @Access(ACCESS.project('VIEW_PROJECT', 'builds:read'))
  @Limit('read')
  @ApiResult('Get a link', LinkResponse)
  async get(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('link_id') id: string,
  ): Promise<LinkResponse> {
    return toLinkResponse(ctx, await this.links.get(ctx, projectScope(query), id));
  }

  @Patch(':link_id')
  @Access(ACCESS.project('MANAGE_RELEASES', 'builds:write'))
  @Limit('write')
  @Idempotent()
  @Errors('invalid_input')
  @ApiResult('Rename a link or change its rules', LinkResponse)
  async update(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('link_id') id: string,
    @Body() body: UpdateLinkRequest,
  ): Promise<LinkResponse> {
    const change = { ...toRulesDraft(body), name: body.name };
    return toLinkResponse(ctx, await this.links.update(ctx, projectScope(query), id, change));
  }

  @Post(':link_id/rotate')
  @Access(ACCESS.project('MANAGE_RELEASES', 'builds:write'))
  @Limit('write')
  @Idempotent()
  @ApiResult('Replace the address of a link; the old address stops working immediately', LinkResponse)
  async rotate(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('link_id') id: string,
  ): Promise<LinkResponse> {
    return toLinkResponse(ctx, await this.links.rotate(ctx, projectScope(query), id));
  }

  @Post(':link_id/grant')
  @Access(ACCESS.project('DOWNLOAD_BUILD', 'builds:download'))
  @Limit('write')
  @Errors('operation_not_allowed')
  @ApiResult('Get an address that opens a link for half an hour', LinkGrantResponse, 201)
  async grant(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('link_id') id: string,
  ): Promise<LinkGrantResponse> {
    const { url, expiresAt } = await this.links.grant(ctx, projectScope(query), id);
    return { url, expires_at: expiresAt.toISOString() };
  }

  @Delete(':link_id')
  @Access(ACCESS.project('MANAGE_RELEASES', 'builds:write'))
  @Limit('write')
  @Idempotent()
  @Errors('operation_not_allowed')
  @ApiNoContent('Delete a link; its address stops working immediately')
  delete(@Ctx() ctx: RequestContext, @Query() query: ProjectQuery, @IdParam('link_id') id: string): Promise<void> {
    return this.links.delete(ctx, projectScope(query), id);
  }
}
