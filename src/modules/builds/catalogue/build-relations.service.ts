import { Injectable } from '@nestjs/common';
import { maySeeTesterData } from '#kernel/access/policy';
import { AddedFields } from '#kernel/hook';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { OwnerLabelsService } from '#modules/tokens';
import { type BuildRelations, type BuildWithDetails, type BuildWithUrl, type DescribedBuild } from './build';
import { BuildsRepository } from './builds.repository';

/** What the relations of a build are read by. */
type RelatedBuild = Pick<BuildWithUrl, 'id' | 'uploadedBy'>;

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
    const relationsOf = await this.read(ctx, build, [build]);
    const { details } = build;
    const devices = maySeeTesterData(ctx) ? (details?.devices ?? null) : null;
    return { ...build, ...relationsOf(build), details: details && { ...details, devices } };
  }

  /** Reads the relations of builds of one project. @returns those of one of the builds. */
  async read(
    ctx: RequestContext,
    scope: ProjectScope,
    builds: readonly RelatedBuild[],
  ): Promise<(build: RelatedBuild) => BuildRelations & Pick<DescribedBuild, 'uploadedBy'>> {
    const ids = builds.map(({ id }) => id);
    const relationsOf = await this.fields.read(ctx, scope, ids);
    const uploaders = builds.map(({ uploadedBy }) => uploadedBy);
    const labelled = await this.labels.read(ctx, scope, uploaders);
    return ({ id, uploadedBy }) => ({ ...relationsOf(id), uploadedBy: labelled(uploadedBy) });
  }
}
