import { Injectable } from '@nestjs/common';
import { type Platform, PLATFORMS } from '#kernel/builds/platform';
import { ownerOf } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { type Page, type PageRequest } from '#kernel/cursor';
import { type ChannelScope, channelScopeOf, type ProjectScope, scopeOf } from '#kernel/context/scope';
import { BillingService } from '#modules/billing';
import { BuildsService } from '#modules/builds';
import { ChannelsService } from '#modules/channels';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { type ReleaseWithBuild, type Release } from './release';
import { RELEASE_ANNOUNCE } from './announcements/release-announced.job';
import { type ReleaseFilter, ReleasesRepository } from './releases.repository';

/** What is promoted, and what the promoter says about it. */
export interface Promotion {
  readonly buildId: string;
  readonly notes?: string | null | undefined;
}

/**
 * Builds promoted to channels. The newest of a platform is current: promoting an older build again is the way back, as is
 * withdrawing the newest (contract §8).
 */
@Injectable()
export class ReleasesService {
  constructor(
    private readonly repository: ReleasesRepository,
    private readonly channels: ChannelsService,
    private readonly builds: BuildsService,
    private readonly billing: BillingService,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * Makes a build current in a channel, and has the subscribers told after the commit. A build that no device can install is
   * promoted like any other: its page explains.
   * @throws AppError operation_not_allowed below the business plan; not_found for a channel or build that is not in the
   * project; already_exists when the build is current there.
   */
  async promote(ctx: RequestContext, channel: ChannelScope, { buildId, notes }: Promotion): Promise<ReleaseWithBuild> {
    return this.transactions.run(ctx, async (tx) => {
      await this.billing.requirePlan(tx, channel.organizationId, 'business');
      const sequence = await this.channels.nextSequence(tx, channel, channel.channelId);
      const build = await this.builds.get(tx, channel, buildId);
      const { platform } = build;
      const [current] = await this.repository.findCurrent(tx, channel, [channel.channelId], platform);
      if (current?.buildId === buildId) throw alreadyCurrent();
      const facts = { id: newId(), buildId, platform, sequence, notes: notes ?? null, promotedAt: tx.clock.now() };
      const promotedBy = ownerOf(tx.identity);
      await this.repository.insertAsCurrent(tx, {
        ...channelScopeOf(channel),
        ...facts,
        promotedByKind: promotedBy.kind,
        promotedById: promotedBy.id,
      });
      const release = { ...channelScopeOf(channel), ...facts, promotedBy, current: true };
      await this.record(tx, 'release.promoted', release);
      await this.jobs.enqueue(tx, RELEASE_ANNOUNCE, { releaseId: release.id, scope: scopeOf(channel), after: null });
      return { ...release, build };
    });
  }

  /** A release wherever in the project it is; null when it is withdrawn, or gone with its build. */
  async find(ctx: RequestContext, scope: ProjectScope, id: string): Promise<ReleaseWithBuild | null> {
    const release = await this.repository.find(ctx, scope, id);
    return release && ((await this.link(ctx, scope, [release]))[0] ?? null);
  }

  /** @throws AppError not_found also for a release of another channel. */
  async get(ctx: RequestContext, channel: ChannelScope, id: string): Promise<ReleaseWithBuild> {
    const release = await this.find(ctx, channel, id);
    if (release?.channelId !== channel.channelId) throw AppError.notFound('release');
    return release;
  }

  /** The releases of a channel, newest first. @throws AppError not_found for a channel that is not in the project. */
  async page(
    ctx: RequestContext,
    channel: ChannelScope,
    filter: ReleaseFilter,
    request: PageRequest,
  ): Promise<Page<ReleaseWithBuild>> {
    await this.requireChannel(ctx, channel);
    const page = await this.repository.page(ctx, channel, filter, request);
    return { ...page, items: await this.link(ctx, channel, page.items) };
  }

  /** What is current in a channel: at most one per platform. @throws AppError not_found as `page`. */
  async currentOf(ctx: RequestContext, channel: ChannelScope): Promise<ReleaseWithBuild[]> {
    await this.requireChannel(ctx, channel);
    const current = await this.currentOfMany(ctx, channel, [channel.channelId]);
    return current.sort((a, b) => PLATFORMS.indexOf(a.platform) - PLATFORMS.indexOf(b.platform));
  }

  /** What is current in some channels, in no order; nothing in those that are not in the project. */
  async currentOfMany(
    ctx: RequestContext,
    scope: ProjectScope,
    channelIds: readonly string[],
  ): Promise<ReleaseWithBuild[]> {
    if (channelIds.length === 0) return [];
    return this.link(ctx, scope, await this.repository.findCurrent(ctx, scope, channelIds));
  }

  /** The newest release of a build in any of some channels: whether, and through which, it was ever promoted. */
  async findOfBuild(
    ctx: RequestContext,
    scope: ProjectScope,
    channelIds: readonly string[],
    buildId: string,
  ): Promise<ReleaseWithBuild | null> {
    const release = await this.repository.findOfBuild(ctx, scope, channelIds, buildId);
    return release && ((await this.link(ctx, scope, [release]))[0] ?? null);
  }

  /** What is current in a channel for a platform. */
  async findCurrent(ctx: RequestContext, channel: ChannelScope, platform: Platform): Promise<ReleaseWithBuild | null> {
    const current = await this.repository.findCurrent(ctx, channel, [channel.channelId], platform);
    return (await this.link(ctx, channel, current))[0] ?? null;
  }

  /** Takes a release out of its channel. If it was current, the one before it is so again, and nobody is mailed. */
  async withdraw(ctx: RequestContext, channel: ChannelScope, id: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      await this.channels.lock(tx, channel, channel.channelId);
      const release = await this.repository.find(tx, channel, id);
      if (release?.channelId !== channel.channelId) throw AppError.notFound('release');
      await this.repository.delete(tx, release);
      await this.record(tx, 'release.withdrawn', release);
    });
  }

  private async requireChannel(ctx: RequestContext, channel: ChannelScope): Promise<void> {
    if (!(await this.channels.find(ctx, channel, channel.channelId))) throw AppError.notFound('channel');
  }

  /** A release whose build has gone since it was read is gone, too. */
  private async link(
    ctx: RequestContext,
    scope: ProjectScope,
    releases: readonly Release[],
  ): Promise<ReleaseWithBuild[]> {
    if (releases.length === 0) return [];
    const ids = new Set(releases.map(({ buildId }) => buildId));
    const builds = await this.builds.findMany(ctx, scope, [...ids]);
    return releases.flatMap((release) => {
      const build = builds.get(release.buildId);
      return build ? [{ ...release, build }] : [];
    });
  }

  private record(tx: RequestContext, type: 'release.promoted' | 'release.withdrawn', release: Release): Promise<void> {
    const { id, channelId, buildId, platform, sequence } = release;
    const payload = { release_id: id, channel_id: channelId, build_id: buildId, platform, sequence };
    return this.audit.record(tx, { type, ...scopeOf(release), payload });
  }
}

const alreadyCurrent = (): AppError =>
  new AppError('already_exists', { message: 'This build is the current release of the channel already.' });
