import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { InstallLinksService } from '#modules/install-links';
import { BuildIconsService } from '../icons/build-icons.service';
import { type Build, type BuildWithUrl } from './build';

/** The addresses of builds: their install links and those of their icons. */
@Injectable()
export class BuildLinksService {
  constructor(
    private readonly installLinks: InstallLinksService,
    private readonly icons: BuildIconsService,
  ) {}

  async create(tx: RequestContext, scope: ProjectScope, buildId: string): Promise<void> {
    await this.installLinks.createForBuild(tx, scope, buildId);
  }

  /** The caller must hold the build's row lock. */
  async replace(tx: RequestContext, scope: ProjectScope, buildId: string): Promise<void> {
    await this.installLinks.replaceForBuild(tx, scope, buildId);
  }

  async addTo(ctx: RequestContext, builds: readonly Build[]): Promise<BuildWithUrl[]> {
    const urls = await this.installLinks.urlsOfBuilds(
      ctx,
      builds.map(({ id }) => id),
    );
    return builds.map((build) => ({
      ...build,
      installUrl: urls.get(build.id) ?? '',
      iconUrl: build.iconMediaType === null ? null : this.icons.urlOf(build.id),
    }));
  }
}
