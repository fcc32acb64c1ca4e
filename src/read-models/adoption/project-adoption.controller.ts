import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { OrganizationQuery } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult } from '#infra/http/response/api-responses';
import { Heavy } from '#infra/rate-limit/heavy';
import { PROJECT_ADOPTION_DOCS } from './adoption.docs';
import { ProjectAdoptionResponse, toReleaseAdoption } from './adoption.dto';
import { AdoptionService } from './adoption.service';

@ApiTags('Releases')
@Describe(PROJECT_ADOPTION_DOCS)
@Controller('projects/:project_id/adoption')
export class ProjectAdoptionController {
  constructor(private readonly adoption: AdoptionService) {}

  @Get()
  @Access(ACCESS.project('VIEW_PROJECT', 'releases:read'))
  @Heavy()
  @ApiResult('Count the testers who have the current builds of all channels', ProjectAdoptionResponse)
  async list(
    @Ctx() ctx: RequestContext,
    @Query() query: OrganizationQuery,
    @IdParam('project_id') projectId: string,
  ): Promise<ProjectAdoptionResponse> {
    const scope = { organizationId: query.organization_id, projectId };
    return { items: (await this.adoption.ofProject(ctx, scope)).map(toReleaseAdoption) };
  }
}
