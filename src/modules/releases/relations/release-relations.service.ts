import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { BuildListService, BuildRelationsRepository, signingExpiresAt } from '#modules/builds';
import { ChannelRelationsService, type ChannelRelations, type CurrentBuild } from '#modules/channels';
import { PLATFORMS } from '#kernel/builds/platform';
import { type ProjectCurrentBuild, type ProjectFacts, ProjectFactsService } from '#modules/projects';
import { type ReleaseWithBuild } from '../release';
import { ReleasesService } from '../releases.service';
import { CHANNELS_OF_BUILD, type CurrentRow, ReleaseRelationsRepository } from './release-relations.repository';

type ById<Fields> = ReadonlyMap<string, Fields>;

/** Adds what releases say about builds, channels and projects to their responses. */
@Injectable()
export class ReleaseRelationsService implements OnModuleInit {
  constructor(
    private readonly repository: ReleaseRelationsRepository,
    private readonly releases: ReleasesService,
    private readonly builds: BuildRelationsRepository,
    private readonly buildList: BuildListService,
    private readonly channels: ChannelRelationsService,
    private readonly projects: ProjectFactsService,
  ) {}

  onModuleInit(): void {
    this.builds.readChannelsBy(CHANNELS_OF_BUILD);
    this.buildList.promotedTo.add((ctx, scope, channelId) => this.repository.listBuilds(ctx, { ...scope, channelId }));
    this.buildList.currentIn.add((ctx, scope, channelId) =>
      this.repository.listCurrentBuilds(ctx, { ...scope, channelId }),
    );
    this.projects.facts.add((ctx, organizationId, ids) => this.ofProjects(ctx, organizationId, ids));
    this.channels.fields.add((ctx, scope, ids) => this.ofChannels(ctx, scope, ids));
  }

  private async ofProjects(
    ctx: RequestContext,
    organizationId: string,
    ids: readonly string[],
  ): Promise<ById<Pick<ProjectFacts, 'lastReleaseAt' | 'current'>>> {
    const last = await this.repository.findLastPromotions(ctx, organizationId, ids);
    const current = groupBy(await this.repository.listCurrent(ctx, organizationId, ids), ({ projectId }) => projectId);
    return new Map(
      last.map(({ projectId, promotedAt }) => [
        projectId,
        { lastReleaseAt: promotedAt, current: (current.get(projectId) ?? []).map(toProjectBuild) },
      ]),
    );
  }

  private async ofChannels(
    ctx: RequestContext,
    scope: ProjectScope,
    ids: readonly string[],
  ): Promise<ById<Pick<ChannelRelations, 'current'>>> {
    const releases = await this.releases.currentOfMany(ctx, scope, ids);
    const grouped = groupBy(
      releases.sort((a, b) => PLATFORMS.indexOf(a.platform) - PLATFORMS.indexOf(b.platform)),
      ({ channelId }) => channelId,
    );
    return new Map([...grouped].map(([channelId, current]) => [channelId, { current: current.map(toCurrentBuild) }]));
  }
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

const toProjectBuild = ({ projectId: _, signing, ...build }: CurrentRow): ProjectCurrentBuild => ({
  ...build,
  signingExpiresAt: signingExpiresAt(signing),
});

const toCurrentBuild = ({ id, platform, sequence, promotedAt, build }: ReleaseWithBuild): CurrentBuild => ({
  releaseId: id,
  platform,
  sequence,
  promotedAt,
  buildId: build.id,
  version: build.version,
  buildNumber: build.buildNumber,
  sizeBytes: build.sizeBytes,
  iconUrl: build.iconUrl,
  installable: build.installable,
});
