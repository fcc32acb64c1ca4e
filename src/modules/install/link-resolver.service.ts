import { Injectable } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { channelScopeOf, scopeOf } from '#kernel/context/scope';
import { BuildsService, type BuildWithUrl } from '#modules/builds';
import { type Channel, ChannelsService } from '#modules/channels';
import { type InstallLink, InstallLinksService } from '#modules/install-links';
import { type ReleaseWithBuild, ReleasesService } from '#modules/releases';
import { TestersService } from '#modules/testers';
import { buildIdOf, channelIdOf, type LinkContents, type ResolvedLink, type ReachableBuild } from './resolved-link';

/** How many earlier releases of a channel are looked at, and so at most shown. */
const OLDER = 30;

/**
 * Which builds a link reaches, and no other (contract §9): the link of a build that one; of a channel whatever is or was
 * promoted there; of a tester what it names or, naming nothing, the builds they were invited to and those of their channels.
 */
@Injectable()
export class LinkResolverService {
  constructor(
    private readonly invites: InstallLinksService,
    private readonly builds: BuildsService,
    private readonly channels: ChannelsService,
    private readonly releases: ReleasesService,
    private readonly testers: TestersService,
  ) {}

  /** @throws AppError not_found: the same for a token that is unknown, revoked, or made up. */
  async open(ctx: RequestContext, token: string): Promise<ResolvedLink> {
    const invite = await this.invites.resolve(ctx, token);
    if (!invite) throw deadLink();
    return { invite, holder: holderOf(ctx, invite, channelIdOf(invite)) };
  }

  /**
   * One build behind a link, and the context to fetch it with, which knows the channel it came through.
   * @param buildId null: the one that the link is about.
   * @throws AppError not_found, also for a build that lies elsewhere.
   */
  async reach(
    { invite, holder }: ResolvedLink,
    buildId: string | null,
  ): Promise<ReachableBuild & { readonly holder: RequestContext }> {
    const id = buildId ?? buildIdOf(invite);
    if (id === null) throw deadLink();
    const scope = scopeOf(invite);
    if ((await this.ownBuildIds(holder, invite)).includes(id)) {
      return { ...alone(await this.builds.get(holder, scope, id)), holder };
    }
    const release = await this.releases.findOfBuild(holder, scope, await this.channelIds(holder, invite), id);
    const channel = release && (await this.channels.find(holder, scope, release.channelId));
    if (!release || !channel) throw deadLink();
    return { ...promoted(release, channel), holder: holderOf(holder, invite, channel.id) };
  }

  /** Everything that the page of a link shows. */
  async lineup({ invite, holder }: ResolvedLink): Promise<LinkContents> {
    const scope = scopeOf(invite);
    const own = await this.builds.findMany(holder, scope, await this.ownBuildIds(holder, invite));
    const channels = await this.channels.findMany(holder, scope, await this.channelIds(holder, invite));
    const releases = await this.releases.currentOfMany(holder, scope, [...channels.keys()]);
    const reached = releases.flatMap((release) => {
      const through = channels.get(release.channelId);
      return through ? [promoted(release, through)] : [];
    });
    const current = newestFirst([...reached, ...[...own.values()].map(alone)]);
    const channelId = channelIdOf(invite);
    if (channelId === null) return { current, older: [], channel: null };
    const channel = channels.get(channelId);
    if (!channel) throw deadLink();
    return { current, older: await this.olderOf(holder, channel, current), channel };
  }

  /** The newest build of a platform behind a link. @throws AppError not_found */
  async latest(link: ResolvedLink, platform: Platform): Promise<ReachableBuild> {
    const { current } = await this.lineup(link);
    const newest = current.find(({ build }) => build.platform === platform);
    if (!newest) throw deadLink();
    return newest;
  }

  private async ownBuildIds(ctx: RequestContext, invite: InstallLink): Promise<readonly string[]> {
    const named = buildIdOf(invite);
    if (named !== null) return [named];
    return invite.kind === 'tester' && invite.channelId === null
      ? this.invites.buildIdsOfTester(ctx, invite.testerId)
      : [];
  }

  private async channelIds(ctx: RequestContext, invite: InstallLink): Promise<readonly string[]> {
    const named = channelIdOf(invite);
    if (named !== null) return [named];
    if (invite.kind !== 'tester' || invite.buildId !== null) return [];
    return (await this.testers.get(ctx, scopeOf(invite), invite.testerId)).involvement.subscribedTo;
  }

  private async olderOf(
    ctx: RequestContext,
    channel: Channel,
    current: readonly ReachableBuild[],
  ): Promise<readonly ReachableBuild[]> {
    const where = channelScopeOf({ ...channel, channelId: channel.id });
    const { items } = await this.releases.page(ctx, where, {}, { limit: OLDER });
    const shown = new Set(current.map(({ build }) => build.id));
    return newestFirst(items.filter(({ buildId }) => !shown.has(buildId)).map((release) => promoted(release, channel)));
  }
}

const deadLink = (): AppError =>
  new AppError('not_found', { message: 'This install link does not work. Ask whoever sent it for a new one.' });

const holderOf = (ctx: RequestContext, invite: InstallLink, channelId: string | null): RequestContext => ({
  ...ctx,
  identity: {
    kind: 'invite',
    inviteId: invite.id,
    testerId: invite.kind === 'tester' ? invite.testerId : null,
    channelId,
  },
});

const alone = (build: BuildWithUrl): ReachableBuild => ({
  build,
  channel: null,
  notes: build.notes,
  since: build.uploadedAt,
});

const promoted = ({ build, notes, promotedAt }: ReleaseWithBuild, channel: Channel): ReachableBuild => ({
  build,
  channel,
  notes: notes ?? build.notes,
  since: promotedAt,
});

/** Each build once, where it is newest. */
function newestFirst(builds: readonly ReachableBuild[]): readonly ReachableBuild[] {
  const byBuild = new Map<string, ReachableBuild>();
  for (const reached of [...builds].sort((a, b) => b.since.getTime() - a.since.getTime())) {
    if (!byBuild.has(reached.build.id)) byBuild.set(reached.build.id, reached);
  }
  return [...byBuild.values()];
}
