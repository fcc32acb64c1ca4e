import { ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import { Controller, Get, Query } from '@nestjs/common';
import { type QuotaUse } from '#kernel/quota';
import { type RequestContext } from '#kernel/context/request-context';
import { EnumField, IntegerField } from '#infra/http/dto/fields';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { OrganizationQuery } from '#infra/http/dto/scope-query';
import { ORGANIZATION_QUOTAS_DOCS, PROJECT_QUOTAS_DOCS } from './quotas.docs';
import { QuotasService } from './quotas.service';

const QUOTAS = [
  'projects_per_organization',
  'members_per_organization',
  'channels_per_project',
  'testers_per_project',
  'devices_per_project',
  'tokens_per_project',
  'open_uploads',
];

@ApiSchema({ description: 'A limit that the operator has configured, and how much of it is used.' })
export class QuotaUseResponse {
  @EnumField(QUOTAS, {
    description:
      'The name of the quota, as in `details.quota` of an error. `tokens_per_project` counts valid project access tokens, `open_uploads` ' +
      'counts uploads in parts that are not complete.',
  })
  quota: string;

  @IntegerField({ min: 0, example: 1000, description: 'The maximum.' })
  limit: number;

  @IntegerField({
    min: 0,
    example: 3,
    description: 'The number that exists now. More than `limit` when it was lowered later.',
  })
  used: number;
}

@ApiSchema({ description: 'The quotas of an organization or a project.' })
export class QuotasResponse {
  @ApiProperty({ type: [QuotaUseResponse], description: 'Each quota once, always in the same order.' })
  quotas: QuotaUseResponse[];
}

const toQuotasResponse = (quotas: readonly QuotaUse[]): QuotasResponse => ({
  quotas: quotas.map(({ name, limit, used }) => ({ quota: name, limit, used })),
});

@ApiTags('Organizations')
@Describe(ORGANIZATION_QUOTAS_DOCS)
@Controller('organizations')
export class OrganizationQuotasController {
  constructor(private readonly quotas: QuotasService) {}

  @Get(':organization_id/quotas')
  @Access(ACCESS.developer('organization:read', { organization: 'member' }))
  @Limit('read')
  @ApiResult('Get the quotas of an organization', QuotasResponse)
  async list(@Ctx() ctx: RequestContext, @IdParam('organization_id') id: string): Promise<QuotasResponse> {
    return toQuotasResponse(await this.quotas.ofOrganization(ctx, id));
  }
}

@ApiTags('Projects')
@Describe(PROJECT_QUOTAS_DOCS)
@Controller('projects')
export class ProjectQuotasController {
  constructor(private readonly quotas: QuotasService) {}

  @Get(':project_id/quotas')
  @Access(ACCESS.project('VIEW_PROJECT', 'projects:read'))
  @Limit('read')
  @ApiResult('Get the quotas of a project', QuotasResponse)
  async list(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('project_id') projectId: string,
  ): Promise<QuotasResponse> {
    return toQuotasResponse(await this.quotas.ofProject(ctx, { organizationId: query.organization_id, projectId }));
  }
}
