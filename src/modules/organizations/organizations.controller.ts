import { Body, Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Limit } from '#infra/rate-limit/limits';
import { ORGANIZATIONS_DOCS } from './organizations.docs';
import { CreateOrganizationRequest, OrganizationResponse, UpdateOrganizationRequest } from './organizations.dto';
import { toOrganizationResponse } from './organizations.mapper';
import { OrganizationsService } from './organizations.service';

@ApiTags('Organizations')
@Describe(ORGANIZATIONS_DOCS)
@Controller('organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get()
  @Access(ACCESS.developer('organization:read'))
  @Limit('read')
  @ApiResult('List your organizations (one page, up to the configured limit)', [OrganizationResponse])
  async list(@Ctx() ctx: RequestContext): Promise<OrganizationResponse[]> {
    return (await this.organizations.list(ctx)).map(toOrganizationResponse);
  }

  @Post()
  @Access(ACCESS.login())
  @Limit('write')
  @Idempotent()
  @Errors('quota_exceeded')
  @ApiResult('Create an organization and become its ADMIN', OrganizationResponse, 201)
  async create(@Ctx() ctx: RequestContext, @Body() body: CreateOrganizationRequest): Promise<OrganizationResponse> {
    return toOrganizationResponse(await this.organizations.create(ctx, body.name));
  }

  @Get(':organization_id')
  @Access(ACCESS.developer('organization:read', { organization: 'member' }))
  @Limit('read')
  @ApiResult('Get an organization', OrganizationResponse)
  async get(@Ctx() ctx: RequestContext, @IdParam('organization_id') id: string): Promise<OrganizationResponse> {
    return toOrganizationResponse(await this.organizations.get(ctx, id));
  }

  @Patch(':organization_id')
  @Access(ACCESS.login({ organization: ['ADMIN'] }))
  @Limit('write')
  @Idempotent()
  @ApiResult('Rename an organization', OrganizationResponse)
  async update(
    @Ctx() ctx: RequestContext,
    @IdParam('organization_id') id: string,
    @Body() body: UpdateOrganizationRequest,
  ): Promise<OrganizationResponse> {
    return toOrganizationResponse(await this.organizations.rename(ctx, id, body.name));
  }

  @Delete(':organization_id')
  @Access(ACCESS.login({ organization: ['ADMIN'] }))
  @Limit('write')
  @Idempotent()
  @Errors('dependency_exists')
  @ApiNoContent('Delete an organization that has no projects')
  delete(@Ctx() ctx: RequestContext, @IdParam('organization_id') id: string): Promise<void> {
    return this.organizations.delete(ctx, id);
  }
}
