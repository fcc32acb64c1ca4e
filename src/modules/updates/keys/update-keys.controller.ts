import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
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
import { UpdateAddresses } from '../protocols/polling/update-addresses';
import { UPDATE_KEYS_DOCS } from '../updates.docs';
import {
  CreateUpdateKeyQuery,
  CreateUpdateKeyRequest,
  ListUpdateKeysQuery,
  toUpdateKeyResponse,
  UpdateKeyPage,
  UpdateKeyResponse,
} from './update-keys.dto';
import { type UpdateKey, UpdateKeysService } from './update-keys.service';

@ApiTags('Updates')
@Describe(UPDATE_KEYS_DOCS)
@Controller('update-keys')
export class UpdateKeysController {
  constructor(
    private readonly keys: UpdateKeysService,
    private readonly addresses: UpdateAddresses,
  ) {}

  @Get()
  @Access(ACCESS.project('VIEW_PROJECT', 'channels:read'))
  @Limit('read')
  @ApiResult('List update keys, newest first', UpdateKeyPage)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListUpdateKeysQuery): Promise<UpdateKeyPage> {
    const page = await this.keys.list(ctx, projectScope(query), query.channel_id, query);
    return toPage(page, (key) => this.show(ctx, key));
  }

  @Post()
  @Access(ACCESS.project('MANAGE_RELEASES', 'channels:write'))
  @Limit('write')
  @Idempotent()
  @Errors('already_exists', 'not_found')
  @ApiResult('Create an update key', UpdateKeyResponse, 201)
  async create(
    @Ctx() ctx: RequestContext,
    @Query() query: CreateUpdateKeyQuery,
    @Body() body: CreateUpdateKeyRequest,
  ): Promise<UpdateKeyResponse> {
    const target = { platform: body.platform, channelId: query.channel_id ?? null };
    return this.show(ctx, await this.keys.create(ctx, projectScope(query), target));
  }

  @Get(':update_key_id')
  @Access(ACCESS.project('VIEW_PROJECT', 'channels:read'))
  @Limit('read')
  @ApiResult('Get an update key', UpdateKeyResponse)
  async get(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('update_key_id') id: string,
  ): Promise<UpdateKeyResponse> {
    return this.show(ctx, await this.keys.get(ctx, projectScope(query), id));
  }

  @Post(':update_key_id/rotate')
  @Access(ACCESS.project('MANAGE_RELEASES', 'channels:write'))
  @Limit('write')
  @Idempotent()
  @ApiResult('Give an update key a new value; the old value stops working immediately', UpdateKeyResponse)
  async rotate(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('update_key_id') id: string,
  ): Promise<UpdateKeyResponse> {
    return this.show(ctx, await this.keys.rotate(ctx, projectScope(query), id));
  }

  @Delete(':update_key_id')
  @Access(ACCESS.project('MANAGE_RELEASES', 'channels:write'))
  @Limit('write')
  @Idempotent()
  @ApiNoContent('Revoke an update key; apps that contain it find no updates any longer')
  revoke(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('update_key_id') id: string,
  ): Promise<void> {
    return this.keys.revoke(ctx, projectScope(query), id);
  }

  private show(ctx: RequestContext, key: UpdateKey): UpdateKeyResponse {
    return toUpdateKeyResponse(ctx, key, (token) => this.addresses.ofKey(token));
  }
}
