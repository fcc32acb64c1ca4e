import { Injectable } from '@nestjs/common';
import { maySeeTesterData } from '#kernel/access/policy';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { BuildsService } from '#modules/builds';
import { BuildDeviceViewsRepository } from './build-device-views.repository';
import { type BuildDevices } from './build-devices';

/** Says on which of the known devices a build can be installed. */
@Injectable()
export class BuildDeviceViewsService {
  constructor(
    private readonly builds: BuildsService,
    private readonly repository: BuildDeviceViewsRepository,
  ) {}

  /** @throws AppError not_found */
  async get(ctx: RequestContext, scope: ProjectScope, buildId: string): Promise<BuildDevices> {
    const { artifact } = await this.builds.get(ctx, scope, buildId);
    const mayKnow = maySeeTesterData(ctx);
    const provisioned = artifact.signing?.platform === 'ios' ? artifact.signing.deviceCount : null;
    if (provisioned === null) return { provisioned, included: 0, missing: 0, known: mayKnow ? [] : null };
    const counts = await this.repository.count(ctx, scope, buildId);
    if (!mayKnow) return { provisioned, ...counts, known: null };
    return { provisioned, ...counts, known: await this.repository.list(ctx, scope, buildId) };
  }
}
