import { Body, Controller, Get, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { OrganizationQuery } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Heavy } from '#infra/rate-limit/heavy';
import { Limit } from '#infra/rate-limit/limits';
import { RETENTION_DOCS } from '../builds.docs';
import { DeletionPreviewResponse, toDeletionPreviewResponse } from '../catalogue/deletion/deletion-preview.dto';
import {
  PreviewRetentionRequest,
  RetentionResponse,
  SetRetentionRequest,
  toRetentionResponse,
  toRules,
} from './retention.dto';
import { RetentionService } from './retention.service';

@ApiTags('Projects')
@Describe(RETENTION_DOCS)
@Controller('projects/:project_id/retention')
export class RetentionController {
  constructor(private readonly retention: RetentionService) {}

  @Get()
  @Access(ACCESS.project('VIEW_PROJECT', 'projects:read'))
  @Limit('read')
  @ApiResult('Get the rules by which builds of a project are deleted', RetentionResponse)
  async get(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('project_id') projectId: string,
  ): Promise<RetentionResponse> {
    const scope = { organizationId: query.organization_id, projectId };
    return toRetentionResponse(await this.retention.get(ctx, scope));
  }

  @Put()
  @Access(ACCESS.developer('projects:write', { project: 'MANAGE_PROJECT' }))
  @Limit('write')
  @Idempotent()
  @Errors('operation_not_allowed')
  @ApiResult('Set the rules by which builds of a project are deleted', RetentionResponse)
  async set(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('project_id') projectId: string,
    @Body() { rules, enabled, fingerprint }: SetRetentionRequest,
  ): Promise<RetentionResponse> {
    const scope = { organizationId: query.organization_id, projectId };
    return toRetentionResponse(
      await this.retention.set(ctx, scope, { rules: toRules(rules), enabled, fingerprint: fingerprint ?? null }),
    );
  }

  @Post('preview')
  @Access(ACCESS.developer('projects:read', { project: 'MANAGE_PROJECT' }))
  @Heavy()
  @ApiResult('Preview which builds of a project rules delete', DeletionPreviewResponse)
  async preview(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('project_id') projectId: string,
    @Body() body: PreviewRetentionRequest,
  ): Promise<DeletionPreviewResponse> {
    const scope = { organizationId: query.organization_id, projectId };
    return toDeletionPreviewResponse(await this.retention.preview(ctx, scope, toRules(body.rules)));
  }
}
