import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { BuildsRepository } from '../builds.repository';
import { BuildsService } from '../builds.service';
import { type BuildDiff, type ComparedBuild, diffOf } from './build-diff';

/** Compares two builds of a project. */
@Injectable()
export class BuildDiffService {
  constructor(
    private readonly builds: BuildsService,
    private readonly repository: BuildsRepository,
  ) {}

  /** @throws AppError not_found when one of the builds does not exist. */
  async compare(ctx: RequestContext, scope: ProjectScope, id: string, againstId: string): Promise<BuildDiff> {
    return diffOf(await this.read(ctx, scope, againstId), await this.read(ctx, scope, id));
  }

  private async read(ctx: RequestContext, scope: ProjectScope, id: string): Promise<ComparedBuild> {
    const build = await this.builds.get(ctx, scope, id);
    return { build, details: await this.repository.findDetails(ctx, id) };
  }
}
