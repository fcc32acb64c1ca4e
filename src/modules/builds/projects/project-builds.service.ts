import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { DOWNLOAD_DAYS, type ProjectBuild, type ProjectFacts, ProjectFactsService } from '#modules/projects';
import { type BuildWithUrl } from '../catalogue/build';
import { BuildLinksService } from '../catalogue/build-links.service';
import { signingExpiresAt } from '../catalogue/signing-expiry';
import { BuildIconsService } from '../icons/build-icons.service';
import { ProjectBuildsRepository } from './project-builds.repository';

const DAY_MS = 86_400_000;

type BuildFacts = Pick<ProjectFacts, 'latest' | 'builds' | 'downloadsByDay' | 'lastUploadAt' | 'lastDownloadAt'>;

/** Adds what builds and downloads say about projects to their responses. */
@Injectable()
export class ProjectBuildsService implements OnModuleInit {
  constructor(
    private readonly repository: ProjectBuildsRepository,
    private readonly links: BuildLinksService,
    private readonly icons: BuildIconsService,
    private readonly projects: ProjectFactsService,
  ) {}

  onModuleInit(): void {
    this.projects.icons.add(async (ctx, organizationId, ids) => {
      const found = await this.repository.findIcons(ctx, organizationId, ids);
      return new Map(found.map(({ projectId, buildId }) => [projectId, this.iconOf(buildId)]));
    });
    this.projects.facts.add((ctx, organizationId, ids) => this.facts(ctx, organizationId, ids));
  }

  private iconOf(iconBuildId: string | null): { iconBuildId: string | null; iconUrl: string | null } {
    return { iconBuildId, iconUrl: iconBuildId && this.icons.urlOf(iconBuildId) };
  }

  private async facts(
    ctx: RequestContext,
    organizationId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, BuildFacts>> {
    const numbers = await this.repository.count(ctx, organizationId, ids);
    const latest = await this.links.addTo(ctx, await this.repository.findLatest(ctx, organizationId, ids));
    const today = Math.floor(ctx.clock.now().getTime() / DAY_MS);
    const since = new Date((today - DOWNLOAD_DAYS + 1) * DAY_MS);
    const downloads = await this.repository.countDownloads(ctx, organizationId, ids, since);
    return new Map(
      numbers.map(({ projectId, ...rest }) => {
        const byDay = new Array<number>(DOWNLOAD_DAYS).fill(0);
        for (const { day, count } of downloads.filter((row) => row.projectId === projectId)) byDay[day] = count;
        const builds = latest.filter((build) => build.projectId === projectId).map(toProjectBuild);
        return [projectId, { ...rest, latest: builds, downloadsByDay: byDay.slice(0, DOWNLOAD_DAYS) }];
      }),
    );
  }
}

const toProjectBuild = (build: BuildWithUrl): ProjectBuild => ({
  id: build.id,
  platform: build.platform,
  version: build.version,
  buildNumber: build.buildNumber,
  sizeBytes: build.sizeBytes,
  uploadedAt: build.uploadedAt,
  installable: build.installable,
  installUrl: build.installUrl,
  iconUrl: build.iconUrl,
  signingExpiresAt: signingExpiresAt(build.artifact.signing),
});
