import { Injectable } from '@nestjs/common';
import { AddedFields } from '#kernel/added-fields';
import { maySeeTesterData } from '#kernel/access/tester-data-access';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page } from '#kernel/cursor';
import { toPage } from '#infra/http/dto/pagination';
import { OwnerLabelsService } from '#modules/tokens';
import { type BuildRelations, type BuildWithUrl } from './build';
import { BuildsRepository } from './builds.repository';
import { type DescribedBuild, toBuildResponse, toUploadersBuildResponse } from './builds.mapper';
import { type BuildPage, type BuildResponse } from './dto/build.response';

/** Builds as the API shows them: with the name of the uploader, and what upper modules know about them. */
@Injectable()
export class BuildResponsesService {
  readonly relations = new AddedFields<ProjectScope, BuildRelations>({ channels: [] });

  constructor(
    private readonly labels: OwnerLabelsService,
    private readonly builds: BuildsRepository,
  ) {}

  async one(ctx: RequestContext, build: BuildWithUrl): Promise<BuildResponse> {
    return toBuildResponse(ctx, await this.describe(ctx, build));
  }

  /** For the caller who has just uploaded the build and therefore has its bytes: always with the install link. */
  async forUploader(ctx: RequestContext, build: BuildWithUrl): Promise<BuildResponse> {
    return toUploadersBuildResponse(await this.describe(ctx, build));
  }

  /** @param page builds of one project. */
  async page(ctx: RequestContext, scope: ProjectScope, page: Page<BuildWithUrl>): Promise<BuildPage> {
    const items = await this.describeAll(ctx, scope, page.items);
    return toPage({ ...page, items }, (build) => toBuildResponse(ctx, build));
  }

  private async describe(ctx: RequestContext, build: BuildWithUrl): Promise<DescribedBuild> {
    const [described] = await this.describeAll(ctx, build, [build]);
    const details = await this.builds.findDetails(ctx, build.id);
    const devices = maySeeTesterData(ctx) ? (details?.devices ?? null) : null;
    return { ...(described as DescribedBuild), details: details && { ...details, devices } };
  }

  private async describeAll(
    ctx: RequestContext,
    scope: ProjectScope,
    builds: readonly BuildWithUrl[],
  ): Promise<DescribedBuild[]> {
    const relationsOf = await this.relations.read(
      ctx,
      scope,
      builds.map(({ id }) => id),
    );
    const labelled = await this.labels.read(
      ctx,
      scope,
      builds.map(({ uploadedBy }) => uploadedBy),
    );
    return builds.map((build) => ({
      ...build,
      ...relationsOf(build.id),
      details: null,
      uploadedBy: labelled(build.uploadedBy),
    }));
  }
}
