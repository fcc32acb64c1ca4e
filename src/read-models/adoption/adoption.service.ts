import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { PLATFORMS } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { BuildsService } from '#modules/builds';
import { type BuildAdoption, type ReleaseAdoption } from './adoption';
import { AdoptionRepository, type Counts, type CurrentRelease, NOBODY } from './adoption.repository';

/** Numbers of more testers than this are kept for a while. */
const MANY_TESTERS = 20_000;
const KEPT_MS = 30_000;
/** The maximum number of projects and builds whose numbers are kept, some hundred bytes per release. */
const MAX_KEPT = 500;

/** Counts the testers who have, or have not, the builds that they should have. */
@Injectable()
export class AdoptionService {
  /** The numbers of many testers, by their releases. */
  private readonly kept = new LRUCache<string, { readonly counts: ReadonlyMap<string, Counts>; readonly at: number }>({
    max: MAX_KEPT,
  });

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
    const counts = await this.repository.countBuild(ctx, scope, buildId);
    return { buildId, ...counts, releases: await this.ofReleases(ctx, scope, releases) };
  }

  private async countReleases(
    ctx: RequestContext,
    scope: ProjectScope,
    releases: readonly CurrentRelease[],
  ): Promise<ReadonlyMap<string, Counts>> {
    const key = releases
      .map(({ releaseId }) => releaseId)
      .sort()
      .join();
    const kept = this.kept.get(key);
    if (kept && ctx.clock.now().getTime() - kept.at < KEPT_MS) return kept.counts;
    const counts = await this.repository.countReleases(ctx, scope, releases);
    const subscribers = [...counts.values()].reduce((sum, each) => sum + each.testers + each.otherPlatforms, 0);
    if (subscribers > MANY_TESTERS) this.kept.set(key, { counts, at: ctx.clock.now().getTime() });
    return counts;
  }

  private async ofReleases(
    ctx: RequestContext,
    scope: ProjectScope,
    releases: readonly CurrentRelease[],
  ): Promise<ReleaseAdoption[]> {
    if (releases.length === 0) return [];
    const counts = await this.countReleases(ctx, scope, releases);
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
