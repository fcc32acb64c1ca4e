import { Injectable } from '@nestjs/common';
import { maySeeTesterData } from '#kernel/access/tester-data-access';
import { AddedFields } from '#kernel/added-fields';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page } from '#kernel/cursor';
import { OwnerLabelsService } from '#modules/tokens';
import { type BuildRelations, type BuildWithDetails, type BuildWithUrl, type DescribedBuild } from './build';
import { BuildsRepository } from './builds.repository';

/** Adds to builds, for responses, the name of the uploader and what upper modules know about them. */
@Injectable()
export class BuildRelationsService {
  readonly fields = new AddedFields<ProjectScope, BuildRelations>({ channels: [] });

  constructor(
    private readonly labels: OwnerLabelsService,
    private readonly builds: BuildsRepository,
  ) {}

  /** Also reads the details of the artifact, which lists do not have. */
  async one<T extends BuildWithUrl>(ctx: RequestContext, build: T): Promise<T & DescribedBuild> {
    return this.withDetails(ctx, { ...build, details: await this.builds.findDetails(ctx, build.id) });
  }

  /** Removes the devices from the details of the artifact, if the caller may not see them. */
  async withDetails<T extends BuildWithDetails>(ctx: RequestContext, build: T): Promise<T & DescribedBuild> {
    const [described] = await this.many(ctx, build, [build]);
    const { details } = build;
    const devices = maySeeTesterData(ctx) ? (details?.devices ?? null) : null;
    return { ...(described as T & DescribedBuild), details: details && { ...details, devices } };
  }

  /** @param page builds of one project. */
  async page(ctx: RequestContext, scope: ProjectScope, page: Page<BuildWithUrl>): Promise<Page<DescribedBuild>> {
    return { ...page, items: await this.many(ctx, scope, page.items) };
  }

  private async many<T extends BuildWithUrl>(
    ctx: RequestContext,
    scope: ProjectScope,
    builds: readonly T[],
  ): Promise<(T & DescribedBuild)[]> {
    const relationsOf = await this.fields.read(
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
