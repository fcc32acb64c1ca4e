import { Injectable } from '@nestjs/common';
import { maySeeTesterData } from '#kernel/access/policy';
import { type RequestContext } from '#kernel/context/request-context';
import { type BuildWithDetails, type BuildWithUrl, type DescribedBuild } from './build';
import { BuildRelationsRepository, type RelationsRow } from './build-relations.repository';
import { BuildsRepository } from './builds.repository';

/** Adds to builds, for responses, the name of the uploader and what upper modules know about them. */
@Injectable()
export class BuildRelationsService {
  constructor(
    private readonly relations: BuildRelationsRepository,
    private readonly builds: BuildsRepository,
  ) {}

  /** Also reads the details of the artifact, which lists do not have. */
  async one<T extends BuildWithUrl>(ctx: RequestContext, build: T): Promise<T & DescribedBuild> {
    return this.withDetails(ctx, { ...build, details: await this.builds.findDetails(ctx, build.id) });
  }

  /** For the build that a request has just made. A token knows its own name, so nothing is read if the build is in no channel. */
  async ofNew<T extends BuildWithDetails>(
    ctx: RequestContext,
    build: T,
    { isPromoted }: { readonly isPromoted: boolean },
  ): Promise<T & DescribedBuild> {
    const { identity } = ctx;
    if (isPromoted || identity.kind !== 'project-token') return this.withDetails(ctx, build);
    return describe(ctx, build, { label: identity.tokenName, channels: [] });
  }

  private async withDetails<T extends BuildWithDetails>(ctx: RequestContext, build: T): Promise<T & DescribedBuild> {
    const [found] = await this.relations.find(ctx, build, [build.id]);
    return describe(ctx, build, found ?? { label: null, channels: [] });
  }
}

/** Removes the devices from the details of the artifact, if the caller may not see them. */
function describe<T extends BuildWithDetails>(
  ctx: RequestContext,
  build: T,
  { label, channels }: RelationsRow,
): T & DescribedBuild {
  const { details, uploadedBy } = build;
  const devices = maySeeTesterData(ctx) ? (details?.devices ?? null) : null;
  return { ...build, uploadedBy: { ...uploadedBy, label }, channels, details: details && { ...details, devices } };
}
