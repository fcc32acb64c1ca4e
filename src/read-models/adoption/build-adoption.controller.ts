import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiResult, Errors } from '#infra/http/response/api-responses';
import { Heavy } from '#infra/rate-limit/heavy';
import { BUILD_ADOPTION_DOCS } from './adoption.docs';
import { BuildAdoptionResponse, toBuildAdoption } from './adoption.dto';
import { AdoptionService } from './adoption.service';

@ApiTags('Builds')
@Describe(BUILD_ADOPTION_DOCS)
@Controller('builds/:build_id/adoption')
export class BuildAdoptionController {
  constructor(private readonly adoption: AdoptionService) {}

  @Get()
  @Access(ACCESS.project('VIEW_PROJECT', 'builds:read'))
  @Heavy()
  @Errors('not_found')
  @ApiResult('Count the testers who have a build', BuildAdoptionResponse)
  async get(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @IdParam('build_id') id: string,
  ): Promise<BuildAdoptionResponse> {
    return toBuildAdoption(await this.adoption.ofBuild(ctx, projectScope(query), id));
  }
}
