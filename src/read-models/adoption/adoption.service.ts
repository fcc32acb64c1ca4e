import { Injectable } from '@nestjs/common';
import { PLATFORMS } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { BuildsService } from '#modules/builds';
import { type BuildAdoption, type ReleaseAdoption } from './adoption';
import { AdoptionRepository, type Counts, type CurrentRelease, NOBODY } from './adoption.repository';
import { CachedCounts } from './cached-counts';

/** Counts the testers who have, or have not, the builds that they should have. */
@Injectable()
export class AdoptionService {
  private readonly cached = new CachedCounts();

  constructor(
    private readonly repository: AdoptionRepository,
    private readonly builds: BuildsService,
  ) {}

  /** The adoption of all current releases, by the name of the channel, then by platform. */
  async ofProject(ctx: RequestContext, scope: ProjectScope): Promise<ReleaseAdoption[]> {
    return this.ofReleases(ctx, scope, await this.repository.listCurrent(ctx, scope));
  }

  /** @throws AppError not_found */
  async ofBuild(ctx: RequestContext, scope: ProjectScope, buildId: string): Promise<BuildAdoption> {
    await this.builds.get(ctx, scope, buildId);
    const releases = (await this.repository.listCurrent(ctx, scope)).filter((release) => release.buildId === buildId);
    const key = keyOf(buildId, releases);
    const counts = await this.cached.get(ctx, key, () => this.repository.countBuild(ctx, scope, buildId));
    return { buildId, ...(counts.get(buildId) ?? NOBODY), releases: await this.ofReleases(ctx, scope, releases) };
  }

  private async ofReleases(
    ctx: RequestContext,
    scope: ProjectScope,
    releases: readonly CurrentRelease[],
  ): Promise<ReleaseAdoption[]> {
    if (releases.length === 0) return [];
    const count = (): Promise<ReadonlyMap<string, Counts>> => this.repository.countReleases(ctx, scope, releases);
    const counts = await this.cached.get(ctx, keyOf('', releases), count);
    const builds = await this.builds.findMany(ctx, scope, [...new Set(releases.map(({ buildId }) => buildId))]);
    const found = releases.flatMap((release) => {
      const build = builds.get(release.buildId);
      if (!build) return [];
      const { version, buildNumber, installable } = build;
      return [{ ...release, version, buildNumber, installable, ...(counts.get(release.releaseId) ?? NOBODY) }];
    });
    return found.sort(
      (a, b) =>
        a.channel.name.localeCompare(b.channel.name) ||
        a.channel.id.localeCompare(b.channel.id) ||
        PLATFORMS.indexOf(a.platform) - PLATFORMS.indexOf(b.platform),
    );
  }
}

/** The key of numbers: a promotion is counted immediately. */
const keyOf = (buildId: string, releases: readonly CurrentRelease[]): string =>
  [buildId, ...releases.map(({ releaseId }) => releaseId).sort()].join();
