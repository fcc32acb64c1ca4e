import { Injectable } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type Owner } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { channelScopeOf, scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { BuildsService, type BuildWithUrl } from '#modules/builds';
import { type Channel, ChannelsService } from '#modules/channels';
import { type InstallLink, InstallLinksService, LinkRulesService, type LinkStep } from '#modules/install-links';
import { ReleasesService, type ReleaseWithBuild } from '#modules/releases';
import { TesterOpeningsService, TestersService } from '#modules/testers';
import { splitGrant } from './page/link-addresses';

/** A valid link and the request context whose identity is that link. */
export interface ResolvedLink {
  readonly link: InstallLink;
  readonly linkContext: RequestContext;
}

/** A build that a link reaches. */
export interface ReachableBuild {
  readonly build: BuildWithUrl;
  /** The channel that the build was promoted to, null when the link names the build itself. */
  readonly channel: Channel | null;
  /** The notes of the release, else those of the build. */
  readonly notes: string | null;
  /** When the build was promoted or, without a channel, uploaded. */
  readonly since: Date;
  /** The owner of the credential that promoted or uploaded it. */
  readonly by: Owner;
}

/** Everything that the page of a link shows. */
export interface LinkContents {
  /** Newest first, each build once. */
  readonly current: readonly ReachableBuild[];
  /** Earlier releases of the link's channel, newest first. */
  readonly older: readonly ReachableBuild[];
  /** The channel that the link names, null when it names none. */
  readonly channel: Channel | null;
}

/** The number of releases of a channel that are read to list earlier builds. */
const MAX_OLDER_RELEASES = 30;

/**
 * Decides which builds a link reaches. The link of a build reaches that build. The link of a channel reaches every build that was
 * ever promoted there. The link of a tester reaches what it names; when it names nothing, it reaches the builds that the tester was
 * invited to and those of the channels that the tester subscribes to.
 */
@Injectable()
export class LinkResolverService {
  constructor(
    private readonly installLinks: InstallLinksService,
    private readonly builds: BuildsService,
    private readonly channels: ChannelsService,
    private readonly releases: ReleasesService,
    private readonly testers: TestersService,
    private readonly openings: TesterOpeningsService,
    private readonly rules: LinkRulesService,
  ) {}

  /**
   * @param text the token of a link, with a grant if the visitor has one (`LinkPath`).
   * @throws AppError not_found, with one message for unknown, deleted and malformed tokens, links that have ended, and visits whose grant is
   * missing or not of this link.
   */
  async resolve(ctx: RequestContext, text: string): Promise<ResolvedLink> {
    const visit = await this.visit(ctx, text);
    if ('step' in visit) throw deadLink();
    return visit;
  }

  /** Like `resolve`, but returns what the visitor must do before a link with rules opens. */
  async visit(ctx: RequestContext, text: string): Promise<ResolvedLink | LinkStep> {
    const visit = await this.findVisit(ctx, text);
    if (!visit) throw deadLink();
    return visit;
  }

  /** Like `visit`, but returns null where that throws. */
  async findVisit(ctx: RequestContext, text: string): Promise<ResolvedLink | LinkStep | null> {
    const { token, grant } = splitGrant(text);
    const link = await this.installLinks.resolve(ctx, token);
    if (!link) return null;
    const visit = await this.rules.visit(ctx, link, grant);
    if (!visit || visit.step !== null) return visit;
    return { link, linkContext: contextOf(ctx, { link, testerId: visit.testerId }, channelIdOf(link)) };
  }

  /** Records that a person opened the link. Does nothing for a link that names no tester. */
  async recordOpening(ctx: RequestContext, { link }: ResolvedLink): Promise<void> {
    await this.openings.record(ctx, link);
  }

  /**
   * One build that the link reaches, and the context to download it with, which names the channel of the build.
   * @param buildId `null` for the build that the link names.
   * @throws AppError not_found, also for a build that the link does not reach.
   */
  async findBuild(
    { link, linkContext }: ResolvedLink,
    buildId: string | null,
  ): Promise<ReachableBuild & { readonly linkContext: RequestContext }> {
    const id = buildId ?? buildIdOf(link);
    if (id === null) throw deadLink();
    const scope = scopeOf(link);
    if ((await this.ownBuildIds(linkContext, link)).includes(id)) {
      return { ...withoutChannel(await this.builds.get(linkContext, scope, id)), linkContext };
    }
    const channelIds = await this.channelIds(linkContext, link);
    const release = await this.releases.findOfBuild(linkContext, scope, channelIds, id);
    const channel = release && (await this.channels.find(linkContext, scope, release.channelId));
    if (!release || !channel) throw deadLink();
    return { ...promoted(release, channel), linkContext: ofChannel(linkContext, channel.id) };
  }

  async listContents({ link, linkContext }: ResolvedLink): Promise<LinkContents> {
    const scope = scopeOf(link);
    const own = await this.builds.findMany(linkContext, scope, await this.ownBuildIds(linkContext, link));
    const channels = await this.channels.findMany(linkContext, scope, await this.channelIds(linkContext, link));
    const releases = await this.releases.currentOfMany(linkContext, scope, [...channels.keys()]);
    const ofChannels = releases.flatMap((release) => {
      const channel = channels.get(release.channelId);
      return channel ? [promoted(release, channel)] : [];
    });
    const current = newestFirst([...ofChannels, ...[...own.values()].map(withoutChannel)]);
    const channelId = channelIdOf(link);
    if (channelId === null) return { current, older: [], channel: null };
    const channel = channels.get(channelId);
    if (!channel) throw deadLink();
    return { current, older: await this.listOlder(linkContext, channel, current), channel };
  }

  /** The newest build of a platform that the link reaches. @throws AppError not_found */
  async findLatest(resolved: ResolvedLink, platform: Platform): Promise<ReachableBuild> {
    const { current } = await this.listContents(resolved);
    const newest = current.find(({ build }) => build.platform === platform);
    if (!newest) throw deadLink();
    return newest;
  }

  /** The builds that the link reaches without a channel. */
  private async ownBuildIds(ctx: RequestContext, link: InstallLink): Promise<readonly string[]> {
    const named = buildIdOf(link);
    if (named !== null) return [named];
    return link.kind === 'tester' && link.channelId === null
      ? this.installLinks.buildIdsOfTester(ctx, link.testerId)
      : [];
  }

  private async channelIds(ctx: RequestContext, link: InstallLink): Promise<readonly string[]> {
    const named = channelIdOf(link);
    if (named !== null) return [named];
    if (link.kind !== 'tester' || link.buildId !== null) return [];
    return (await this.testers.get(ctx, scopeOf(link), link.testerId)).subscriptions.subscribedTo;
  }

  private async listOlder(
    ctx: RequestContext,
    channel: Channel,
    current: readonly ReachableBuild[],
  ): Promise<readonly ReachableBuild[]> {
    const scope = channelScopeOf({ ...channel, channelId: channel.id });
    const { items } = await this.releases.list(ctx, scope, {}, { limit: MAX_OLDER_RELEASES });
    const shown = new Set(current.map(({ build }) => build.id));
    return newestFirst(items.filter(({ buildId }) => !shown.has(buildId)).map((release) => promoted(release, channel)));
  }
}

/** The channel that a link names, null when it names none. */
const channelIdOf = (link: InstallLink): string | null => (link.kind === 'build' ? null : link.channelId);

/** The build that a link names, null when it names none. */
export const buildIdOf = (link: InstallLink): string | null => (link.kind === 'channel' ? null : link.buildId);

/** The one answer for all links that do not open, so that it tells nothing about a link. */
export const deadLink = (): AppError =>
  new AppError('not_found', { message: 'This install link does not work. Ask the person who sent it for a new one.' });

const contextOf = (
  ctx: RequestContext,
  { link, testerId }: { readonly link: InstallLink; readonly testerId: string | null },
  channelId: string | null,
): RequestContext => ({
  ...ctx,
  identity: {
    kind: 'invite',
    inviteId: link.id,
    testerId,
    channelId,
    ...(link.kind !== 'tester' && { state: link.state }),
  },
});

/** The context of a link with the channel through which a build was found. */
const ofChannel = (ctx: RequestContext, channelId: string): RequestContext =>
  ctx.identity.kind === 'invite' ? { ...ctx, identity: { ...ctx.identity, channelId } } : ctx;

const withoutChannel = (build: BuildWithUrl): ReachableBuild => ({
  build,
  channel: null,
  notes: build.notes,
  since: build.uploadedAt,
  by: build.uploadedBy,
});

const promoted = ({ build, notes, promotedAt, promotedBy }: ReleaseWithBuild, channel: Channel): ReachableBuild => ({
  build,
  channel,
  notes: notes ?? build.notes,
  since: promotedAt,
  by: promotedBy,
});

/** Sorts by `since` and keeps the newest entry of each build. */
function newestFirst(builds: readonly ReachableBuild[]): readonly ReachableBuild[] {
  const byBuild = new Map<string, ReachableBuild>();
  for (const reachable of [...builds].sort((a, b) => b.since.getTime() - a.since.getTime())) {
    if (!byBuild.has(reachable.build.id)) byBuild.set(reachable.build.id, reachable);
  }
  return [...byBuild.values()];
}
