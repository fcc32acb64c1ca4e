import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { toPage } from '#infra/http/dto/pagination';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult } from '#infra/http/response/api-responses';
import { Limit } from '#infra/rate-limit/limits';
import { PROJECT_RELEASES_DOCS } from '../releases.docs';
import { ListProjectReleasesQuery, ReleasePage } from '../releases.dto';
import { toReleaseResponse } from '../releases.mapper';
import { ReleasesService } from '../releases.service';
import { ReleaseLabelsService } from './release-labels.service';

@ApiTags('Releases')
@Describe(PROJECT_RELEASES_DOCS)
@Controller('projects/:project_id/releases')
export class ProjectReleasesController {
  constructor(
    private readonly releases: ReleasesService,
    private readonly labels: ReleaseLabelsService,
  ) {}

  @Get()
  @Access(ACCESS.project('VIEW_PROJECT', 'releases:read'))
  @Limit('read')
  @ApiResult('List the releases of all channels of a project, newest first', ReleasePage)
  async list(
    @Ctx() ctx: RequestContext,
    @Query() query: ListProjectReleasesQuery,
    @IdParam('project_id') projectId: string,
  ): Promise<ReleasePage> {
    const scope = { organizationId: query.organization_id, projectId };
    const page = await this.labels.page(ctx, scope, await this.releases.listOfProject(ctx, scope, query, query));
    return toPage(page, (release) => toReleaseResponse(ctx, release));
  }
}
