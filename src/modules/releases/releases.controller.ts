import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { toPage } from '#infra/http/dto/pagination';
import { ChannelQuery, channelScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { HeavyRead } from '#infra/rate-limit/heavy-read';
import { Limit } from '#infra/rate-limit/limits';
import { ReleaseAudienceService } from './announcements/release-audience.service';
import { ReleaseUndoService } from './announcements/release-undo.service';
import { ReleaseLabelsService } from './relations/release-labels.service';
import { RELEASES_DOCS } from './releases.docs';
import {
  CreateReleaseRequest,
  ListReleasesQuery,
  RecipientsQuery,
  RecipientsResponse,
  ReleasePage,
  ReleaseResponse,
  UndoneReleaseResponse,
} from './releases.dto';
import { toReleaseResponse } from './releases.mapper';
import { ReleasesService } from './releases.service';

@ApiTags('Releases')
@Describe(RELEASES_DOCS)
@Controller('releases')
export class ReleasesController {
  constructor(
    private readonly releases: ReleasesService,
    private readonly labels: ReleaseLabelsService,
    private readonly audience: ReleaseAudienceService,
    private readonly undoing: ReleaseUndoService,
  ) {}

  @Get()
  @Access(ACCESS.project('VIEW_PROJECT', 'releases:read'))
  @Limit('read')
  @Errors('not_found')
  @ApiResult('List the releases of a channel, newest first', ReleasePage)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListReleasesQuery): Promise<ReleasePage> {
    const channel = channelScope(query);
    const page = await this.labels.page(ctx, channel, await this.releases.list(ctx, channel, query, query));
    return toPage(page, (release) => toReleaseResponse(ctx, release));
  }

  @Post()
  @Access(ACCESS.project('MANAGE_RELEASES', 'releases:write'))
  @Limit('write')
  @Idempotent()
  @Errors('not_found', 'already_exists', 'operation_not_allowed')
  @ApiResult(
    'Promote a build to a channel; its subscribers are mailed unless the request says otherwise',
    ReleaseResponse,
    201,
  )
  async promote(
    @Ctx() ctx: RequestContext,
    @Query() query: ChannelQuery,
    @Body() body: CreateReleaseRequest,
  ): Promise<ReleaseResponse> {
    const promotion = { buildId: body.build_id, notes: body.notes, notify: body.notify, mandatory: body.mandatory };
    return toReleaseResponse(
      ctx,
      await this.labels.one(ctx, await this.releases.promote(ctx, channelScope(query), promotion)),
    );
  }

  @Get('current/all')
  @Access(ACCESS.project('VIEW_PROJECT', 'releases:read'))
  @Limit('read')
  @Errors('not_found')
  @ApiResult('List the current releases of a channel: at most one per platform', [ReleaseResponse])
  async current(@Ctx() ctx: RequestContext, @Query() query: ChannelQuery): Promise<ReleaseResponse[]> {
    const channel = channelScope(query);
    const current = await this.labels.many(ctx, channel, await this.releases.currentOf(ctx, channel));
    return current.map((release) => toReleaseResponse(ctx, release));
  }

  @Get('recipients')
  @Access(ACCESS.project('VIEW_PROJECT', 'releases:read'))
  @Limit('read')
  @HeavyRead()
  @Errors('not_found')
  @ApiResult('Count the testers whom a promotion would mail', RecipientsResponse)
  async recipients(@Ctx() ctx: RequestContext, @Query() query: RecipientsQuery): Promise<RecipientsResponse> {
    return this.audience.count(ctx, channelScope(query), query.build_id);
  }

  @Get(':release_id')
  @Access(ACCESS.project('VIEW_PROJECT', 'releases:read'))
  @Limit('read')
  @ApiResult('Get a release', ReleaseResponse)
  async get(
    @Ctx() ctx: RequestContext,
    @Query() query: ChannelQuery,
    @IdParam('release_id') id: string,
  ): Promise<ReleaseResponse> {
    return toReleaseResponse(ctx, await this.labels.one(ctx, await this.releases.get(ctx, channelScope(query), id)));
  }

  @Post(':release_id/undo')
  @Access(ACCESS.project('MANAGE_RELEASES', 'releases:write'))
  @Limit('write')
  @Idempotent()
  @Errors('operation_not_allowed')
  @ApiResult('Undo a promotion within a minute, before its mails go out', UndoneReleaseResponse)
  async undo(
    @Ctx() ctx: RequestContext,
    @Query() query: ChannelQuery,
    @IdParam('release_id') id: string,
  ): Promise<UndoneReleaseResponse> {
    const current = await this.undoing.undo(ctx, channelScope(query), id);
    return { current: current && toReleaseResponse(ctx, await this.labels.one(ctx, current)) };
  }

  @Delete(':release_id')
  @Access(ACCESS.project('MANAGE_RELEASES', 'releases:write'))
  @Limit('write')
  @Idempotent()
  @ApiNoContent('Withdraw a release; if it was current, the previous release becomes current again')
  withdraw(@Ctx() ctx: RequestContext, @Query() query: ChannelQuery, @IdParam('release_id') id: string): Promise<void> {
    return this.releases.withdraw(ctx, channelScope(query), id);
  }
}
