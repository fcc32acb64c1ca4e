import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { InstallLinksService } from '#modules/install-links';
import { BuildIconsService } from '../icons/build-icons.service';
import { type Build, type BuildWithUrl } from './build';
import { LinkedBuilds } from './views/linked-builds';

/** The addresses of builds: their install links and those of their icons. */
@Injectable()
export class BuildLinksService {
  constructor(
    private readonly linkedBuilds: LinkedBuilds,
    private readonly installLinks: InstallLinksService,
    private readonly icons: BuildIconsService,
  ) {}

  async addTo(ctx: RequestContext, builds: readonly Build[]): Promise<BuildWithUrl[]> {
    const urls = await this.installLinks.urlsOfBuilds(
      ctx,
      builds.map(({ id }) => id),
    );
    return builds.map((build) => this.withUrls(build, urls.get(build.id) ?? null));
  }

  /** Null when the project has no such build. */
  async find(ctx: RequestContext, scope: ProjectScope, id: string): Promise<BuildWithUrl | null> {
    const found = await this.linkedBuilds.find(ctx, scope, id);
    return found && this.withUrls(found.build, found.link ? this.installLinks.urlOf(found.link) : null);
  }

  withUrls(build: Build, installUrl: string | null): BuildWithUrl {
    return { ...build, installUrl, iconUrl: build.iconMediaType === null ? null : this.icons.urlOf(build.id) };
  }
}
