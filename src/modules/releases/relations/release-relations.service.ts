import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { PLATFORMS } from '#kernel/builds/platform';
import { type Page } from '#kernel/cursor';
import { artifactFromJson, BuildListService, installability, signingExpiresAt } from '#modules/builds';
import { ChannelRelationsService, type ChannelRelations, type CurrentBuild } from '#modules/channels';
import { type ProjectFacts, ProjectFactsService } from '#modules/projects';
import { OwnerLabelsService } from '#modules/tokens';
import { type ReleaseWithBuild, type LabelledRelease } from '../release';
import { ReleasesService } from '../releases.service';
import { ReleaseMailsRepository } from '../announcements/release-mails.repository';
import { type ProjectReleases, RELEASES_OF_PROJECT, ReleaseRelationsRepository } from './release-relations.repository';

type ById<Fields> = ReadonlyMap<string, Fields>;

/** Adds the data of releases to the responses for channels and projects, and to the filters of builds. */
@Injectable()
export class ReleaseRelationsService implements OnModuleInit {
  constructor(
    private readonly repository: ReleaseRelationsRepository,
    private readonly releases: ReleasesService,
    private readonly buildList: BuildListService,
    private readonly channels: ChannelRelationsService,
    private readonly projects: ProjectFactsService,
  ) {}

  onModuleInit(): void {
    this.buildList.promotedTo.add((ctx, scope, channelId) => this.repository.listBuilds(ctx, { ...scope, channelId }));
    this.buildList.currentIn.add((ctx, scope, channelId) =>
      this.repository.listCurrentBuilds(ctx, { ...scope, channelId }),
    );
    this.projects.addFacts({ sql: RELEASES_OF_PROJECT, toFields: toProjectFacts });
    this.channels.fields.add((ctx, scope, ids) => this.ofChannels(ctx, scope, ids));
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

const toProjectFacts = (
  { lastReleaseAt, current }: ProjectReleases,
  now: Date,
): Pick<ProjectFacts, 'lastReleaseAt' | 'current'> => ({
  lastReleaseAt: lastReleaseAt === null ? null : new Date(lastReleaseAt),
  current: (current ?? []).map(({ promotedAt, artifact: stored, ...build }) => {
    const artifact = artifactFromJson(stored);
    return {
      ...build,
      promotedAt: new Date(promotedAt),
      installable: installability(artifact, now).installable,
      signingExpiresAt: signingExpiresAt(artifact.signing),
    };
  }),
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

/** Adds to releases, for responses, the name of the promoter and the number of mails. */
@Injectable()
export class ReleaseLabelsService {
  constructor(
    private readonly labels: OwnerLabelsService,
    private readonly mails: ReleaseMailsRepository,
  ) {}

  async one(ctx: RequestContext, release: ReleaseWithBuild): Promise<LabelledRelease> {
    const [labelled] = await this.many(ctx, release, [release]);
    return labelled as LabelledRelease;
  }

  /** @param releases releases of one project. */
  async many(
    ctx: RequestContext,
    scope: ProjectScope,
    releases: readonly ReleaseWithBuild[],
  ): Promise<LabelledRelease[]> {
    const labelled = await this.labels.read(
      ctx,
      scope,
      releases.map(({ promotedBy }) => promotedBy),
    );
    const mails = await this.mails.count(
      ctx,
      releases.map(({ id }) => id),
    );
    return releases.map((release) => ({
      ...release,
      promotedBy: labelled(release.promotedBy),
      mails: mails.get(release.id) ?? null,
    }));
  }

  /** @param page releases of one project. */
  async page(ctx: RequestContext, scope: ProjectScope, page: Page<ReleaseWithBuild>): Promise<Page<LabelledRelease>> {
    return { ...page, items: await this.many(ctx, scope, page.items) };
  }
}
