import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { InstallLinksService, LinksService, type LinkUrls, NO_URLS } from '#modules/install-links';
import { BuildIconsService } from '../icons/build-icons.service';
import { type Build, type BuildWithUrl } from './build';
import { BuildsRepository } from './builds.repository';
import { LinkedBuilds } from './views/linked-builds';

/** The addresses of builds: their install links and those of their icons. */
@Injectable()
export class BuildLinksService implements OnModuleInit {
  constructor(
    private readonly linkedBuilds: LinkedBuilds,
    private readonly installLinks: InstallLinksService,
    private readonly icons: BuildIconsService,
    private readonly builds: BuildsRepository,
    private readonly links: LinksService,
  ) {}

  onModuleInit(): void {
    this.links.keepBuild.add((tx, scope, id) => this.builds.keep(tx, scope, id));
  }

  async addTo(ctx: RequestContext, builds: readonly Build[]): Promise<BuildWithUrl[]> {
    const urls = await this.installLinks.urlsOfBuilds(
      ctx,
      builds.map(({ id }) => id),
    );
    return builds.map((build) => this.withUrls(build, urls.get(build.id) ?? NO_URLS));
  }

  /** Null when the project has no such build. */
  async find(ctx: RequestContext, scope: ProjectScope, id: string): Promise<BuildWithUrl | null> {
    const found = await this.linkedBuilds.find(ctx, scope, id);
    return found && this.withUrls(found.build, found.link ? this.installLinks.urlsOf(found.link) : NO_URLS);
  }

  withUrls(build: Build, urls: LinkUrls): BuildWithUrl {
    return { ...build, ...urls, iconUrl: build.iconMediaType === null ? null : this.icons.urlOf(build.id) };
  }
}
