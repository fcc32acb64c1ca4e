import { Body, Controller, Delete, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { ProjectQuery, projectScope } from '#infra/http/dto/scope-query';
import { Ctx } from '#infra/http/request/context';
import { IdParam } from '#infra/http/request/id-param';
import { ApiNoContent, ApiResult, Errors } from '#infra/http/response/api-responses';
import { Idempotent } from '#infra/idempotency/idempotent';
import { Heavy } from '#infra/rate-limit/heavy';
import { Limit } from '#infra/rate-limit/limits';
import { BUILD_DELETIONS_DOCS } from '../../builds.docs';
import {
  BuildDeletionsResponse,
  BuildRestorationsResponse,
  DeleteBuildQuery,
  DeleteBuildsRequest,
  PreviewDeletionRequest,
  RestoreBuildsRequest,
  toBuildDeletionsResponse,
  toBuildRestorationsResponse,
  toDeletionFilter,
} from './build-deletion.dto';
import { BuildDeletionService } from './build-deletion.service';
import { DeletionPreviewResponse, toDeletionPreviewResponse } from './deletion-preview.dto';
import { MatchingDeletionService } from './matching-deletion.service';
import { TrashService } from './trash.service';

@ApiTags('Builds')
@Describe(BUILD_DELETIONS_DOCS)
@Controller('builds')
export class BuildDeletionsController {
  constructor(
    private readonly deletion: BuildDeletionService,
    private readonly matching: MatchingDeletionService,
    private readonly trash: TrashService,
  ) {}

  @Delete(':build_id')
  @Access(ACCESS.project('MANAGE_RELEASES', 'builds:write'))
  @Limit('write')
  @Idempotent()
  @Errors('dependency_exists', 'operation_not_allowed')
  @ApiNoContent('Delete a build: its link stops working immediately, its bytes are deleted a week later')
  delete(@Ctx() ctx: RequestContext, @Query() query: DeleteBuildQuery, @IdParam('build_id') id: string): Promise<void> {
    return this.deletion.deleteOne(ctx, projectScope(query), id, { permanently: query.permanently ?? false });
  }

  @Post('delete')
  @Access(ACCESS.project('MANAGE_RELEASES', 'builds:write'))
  @Limit('write')
  @Idempotent()
  @Errors('operation_not_allowed')
  @ApiResult(
    'Delete up to 100 builds, or those that meet a filter, except those that must stay',
    BuildDeletionsResponse,
  )
  async deleteMany(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @Body() { ids, filter, fingerprint, permanently = false, only_deleted: onlyDeleted = false }: DeleteBuildsRequest,
  ): Promise<BuildDeletionsResponse> {
    const scope = projectScope(query);
    if (ids && filter) throw AppError.invalidInput('ids_or_filter', 'Send either ids or a filter.');
    if (filter && onlyDeleted)
      throw AppError.invalidInput(
        'ids_or_filter',
        'A filter selects no builds in the trash. Send ids with only_deleted.',
      );
    if (ids) {
      const deletions = await this.deletion.deleteMany(ctx, scope, ids, { permanently, onlyDeleted });
      return toBuildDeletionsResponse({ deletions, remaining: 0, fingerprint: null });
    }
    const previewed = { filter: toDeletionFilter(filter), fingerprint: fingerprint ?? '' };
    return toBuildDeletionsResponse(await this.matching.delete(ctx, scope, previewed, { permanently }));
  }

  @Post('delete/preview')
  @Access(ACCESS.project('MANAGE_RELEASES', 'builds:write'))
  @Heavy()
  @Errors('operation_not_allowed')
  @ApiResult('Preview the deletion of the builds that meet a filter', DeletionPreviewResponse)
  async preview(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @Body() body: PreviewDeletionRequest,
  ): Promise<DeletionPreviewResponse> {
    const filter = toDeletionFilter(body.filter);
    return toDeletionPreviewResponse(await this.matching.preview(ctx, projectScope(query), filter));
  }

  @Post('restore')
  @Access(ACCESS.project('MANAGE_RELEASES', 'builds:write'))
  @Limit('write')
  @Idempotent()
  @ApiResult('Restore up to 100 builds from the trash, with their links', BuildRestorationsResponse)
  async restore(
    @Ctx() ctx: RequestContext,
    @Query() query: ProjectQuery,
    @Body() body: RestoreBuildsRequest,
  ): Promise<BuildRestorationsResponse> {
    return toBuildRestorationsResponse(await this.trash.restore(ctx, projectScope(query), body.ids));
  }
}
