import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { BuildsService } from '#modules/builds';
import { type BuildFunnel, BuildFunnelRepository } from './build-funnel.repository';

@Injectable()
export class BuildFunnelService {
  constructor(
    private readonly repository: BuildFunnelRepository,
    private readonly builds: BuildsService,
  ) {}

  /** @throws AppError not_found when the build does not exist. */
  async count(ctx: RequestContext, scope: ProjectScope, buildId: string, linkId: string | null): Promise<BuildFunnel> {
    await this.builds.get(ctx, scope, buildId);
    return this.repository.count(ctx, scope, buildId, linkId);
  }
}
