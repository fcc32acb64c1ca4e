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
import { ChannelViews } from './channel-views';
import { CHANNELS_DOCS } from './channels.docs';
import {
  ChannelPage,
  ChannelResponse,
  CreateChannelRequest,
  ListChannelsQuery,
  UpdateChannelRequest,
} from './channels.dto';
import { toChannelResponse } from './channels.mapper';
import { ChannelsService } from './channels.service';

@ApiTags('Channels')
@Describe(CHANNELS_DOCS)
@Controller('channels')
export class ChannelsController {
  constructor(
    private readonly channels: ChannelsService,
    private readonly views: ChannelViews,
  ) {}

  @Get()
  @Access(ACCESS.project('VIEW_PROJECT', 'channels:read'))
  @Limit('read')
  @ApiResult('List channels, newest first', ChannelPage)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListChannelsQuery): Promise<ChannelPage> {
    const scope = projectScope(query);
    const page = await this.views.page(ctx, scope, await this.channels.list(ctx, scope, { name: query.name }, query));
    return toPage(page, (channel) => toChannelResponse(ctx, channel));
  }

  @Post()
  @Access(ACCESS.project('MANAGE_RELEASES', 'channels:write'))
  @Limit('write')
  @Idempotent()
  @Errors('already_exists', 'operation_not_allowed', 'quota_exceeded')
  @ApiResult('Create a channel', ChannelResponse, 201)
  async create(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @Body() body: CreateChannelRequest,
  ): Promise<ChannelResponse> {
    return toChannelResponse(
      ctx,
      await this.views.one(ctx, await this.channels.create(ctx, projectScope(query), body.name)),
    );
  }

  @Get(':channel_id')
  @Access(ACCESS.project('VIEW_PROJECT', 'channels:read'))
  @Limit('read')
  @ApiResult('Get a channel', ChannelResponse)
  async get(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('channel_id') id: string,
  ): Promise<ChannelResponse> {
    return toChannelResponse(ctx, await this.views.one(ctx, await this.channels.get(ctx, projectScope(query), id)));
  }

  @Patch(':channel_id')
  @Access(ACCESS.project('MANAGE_RELEASES', 'channels:write'))
  @Limit('write')
  @Idempotent()
  @Errors('already_exists')
  @ApiResult('Rename a channel', ChannelResponse)
  async update(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('channel_id') id: string,
    @Body() body: UpdateChannelRequest,
  ): Promise<ChannelResponse> {
    return toChannelResponse(
      ctx,
      await this.views.one(ctx, await this.channels.rename(ctx, projectScope(query), id, body.name)),
    );
  }

  @Post(':channel_id/rotate-link')
  @Access(ACCESS.project('MANAGE_RELEASES', 'channels:write'))
  @Limit('write')
  @Idempotent()
  @ApiResult('Replace the install link of a channel; the old link stops working immediately', ChannelResponse)
  async rotateLink(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('channel_id') id: string,
  ): Promise<ChannelResponse> {
    return toChannelResponse(
      ctx,
      await this.views.one(ctx, await this.channels.rotateLink(ctx, projectScope(query), id)),
    );
  }

  @Delete(':channel_id')
  @Access(ACCESS.project('MANAGE_RELEASES', 'channels:write'))
  @Limit('write')
  @Idempotent()
  @Errors('dependency_exists')
  @ApiNoContent('Delete a channel without releases and subscribers; its install link stops working')
  delete(@Ctx() ctx: RequestContext, @Query() query: ProjectQuery, @IdParam('channel_id') id: string): Promise<void> {
    return this.channels.delete(ctx, projectScope(query), id);
  }
}
