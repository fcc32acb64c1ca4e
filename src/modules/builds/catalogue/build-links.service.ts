import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { InstallLinksService, type SealedToken } from '#modules/install-links';
import { BuildIconsService } from '../icons/build-icons.service';
import { type Build, type BuildWithUrl } from './build';

/** The addresses of builds: their install links and those of their icons. */
@Injectable()
export class BuildLinksService {
  constructor(
    private readonly installLinks: InstallLinksService,
    private readonly icons: BuildIconsService,
  ) {}

  async addTo(ctx: RequestContext, builds: readonly Build[]): Promise<BuildWithUrl[]> {
    const urls = await this.installLinks.urlsOfBuilds(
      ctx,
      builds.map(({ id }) => id),
    );
    return builds.map((build) => this.withUrls(build, urls.get(build.id) ?? ''));
  }

  /** @param link the link of the build, as its row was read; null while the build is being deleted. */
  of(build: Build, link: SealedToken | null): BuildWithUrl {
    return this.withUrls(build, link ? this.installLinks.urlOf(link) : '');
  }

  withUrls(build: Build, installUrl: string): BuildWithUrl {
    return { ...build, installUrl, iconUrl: build.iconMediaType === null ? null : this.icons.urlOf(build.id) };
  }
}
