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
import { Limit } from '#infra/rate-limit/limits';
import { type WebhookScope } from '../webhook';
import { WEBHOOKS_DOCS } from '../webhooks.docs';
import { toFilter, toNewWebhookResponse, toSettingsChange, toWebhookResponse } from '../webhooks.mapper';
import {
  CreateWebhookRequest,
  ListWebhooksQuery,
  NewWebhookResponse,
  ResumeWebhookRequest,
  UpdateWebhookRequest,
  WebhookPage,
  WebhookResponse,
  WebhookScopeQuery,
} from './webhooks.dto';
import { WebhooksService } from './webhooks.service';

const MEMBER = { organization: 'member' } as const;

const scopeOf = (query: WebhookScopeQuery): WebhookScope => ({
  organizationId: query.organization_id,
  projectId: query.project_id ?? null,
});

@ApiTags('Webhooks')
@Describe(WEBHOOKS_DOCS)
@Controller('webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Get()
  @Access(ACCESS.developer('projects:read', MEMBER))
  @Limit('read')
  @Errors('insufficient_role')
  @ApiResult('List webhooks, newest first', WebhookPage)
  async list(@Ctx() ctx: RequestContext, @Query() query: ListWebhooksQuery): Promise<WebhookPage> {
    return toPage(await this.webhooks.list(ctx, scopeOf(query), query), (webhook) => toWebhookResponse(ctx, webhook));
  }

  @Post()
  @Access(ACCESS.login(MEMBER))
  @Limit('write')
  @Idempotent()
  @Errors('quota_exceeded', 'operation_not_allowed', 'insufficient_role')
  @ApiResult('Create a webhook; only this response contains its secret', NewWebhookResponse, 201)
  async create(
    @Ctx() ctx: RequestContext,
    @Query() query: WebhookScopeQuery,
    @Body() { include_links: includeLinks = false, format = 'standard', filter, ...body }: CreateWebhookRequest,
  ): Promise<NewWebhookResponse> {
    const settings = { ...body, format, includeLinks, filter: toFilter(filter) };
    return toNewWebhookResponse(ctx, await this.webhooks.create(ctx, scopeOf(query), settings));
  }

  @Get(':webhook_id')
  @Access(ACCESS.developer('projects:read', MEMBER))
  @Limit('read')
  @Errors('not_found')
  @ApiResult('Get a webhook', WebhookResponse)
  async get(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('webhook_id') id: string,
  ): Promise<WebhookResponse> {
    return toWebhookResponse(ctx, await this.webhooks.get(ctx, query.organization_id, id));
  }

  @Patch(':webhook_id')
  @Access(ACCESS.developer('projects:write', MEMBER))
  @Limit('write')
  @Idempotent()
  @Errors('not_found', 'operation_not_allowed', 'interactive_login_required')
  @ApiResult('Change or pause a webhook', WebhookResponse)
  async update(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('webhook_id') id: string,
    @Body() body: UpdateWebhookRequest,
  ): Promise<WebhookResponse> {
    const change = toSettingsChange(body);
    return toWebhookResponse(ctx, await this.webhooks.update(ctx, query.organization_id, id, change));
  }

  @Delete(':webhook_id')
  @Access(ACCESS.developer('projects:write', MEMBER))
  @Limit('write')
  @Idempotent()
  @Errors('not_found')
  @ApiNoContent('Delete a webhook')
  remove(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('webhook_id') id: string,
  ): Promise<void> {
    return this.webhooks.delete(ctx, query.organization_id, id);
  }

  @Post(':webhook_id/rotate-secret')
  @Access(ACCESS.developer('projects:write', MEMBER))
  @Limit('write')
  @Idempotent()
  @Errors('not_found')
  @ApiResult('Replace the secret of a webhook; only this response contains the new one', NewWebhookResponse)
  async rotateSecret(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('webhook_id') id: string,
  ): Promise<NewWebhookResponse> {
    return toNewWebhookResponse(ctx, await this.webhooks.rotateSecret(ctx, query.organization_id, id));
  }

  @Post(':webhook_id/resume')
  @Access(ACCESS.developer('projects:write', MEMBER))
  @Limit('write')
  @Idempotent()
  @Errors('not_found', 'interactive_login_required')
  @ApiResult('Turn a webhook on, or take it over', WebhookResponse)
  async resume(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('webhook_id') id: string,
    @Body() { from }: ResumeWebhookRequest,
  ): Promise<WebhookResponse> {
    return toWebhookResponse(ctx, await this.webhooks.resume(ctx, query.organization_id, id, from));
  }
}
