import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { ownerOf } from '#kernel/context/identity';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelScope, channelScopeOf, type ProjectScope, scopeOf } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { BillingService } from '#modules/billing';
import { BuildsService } from '#modules/builds';
import { ChannelsService } from '#modules/channels';
import { ANNOUNCE_AFTER_MS, RELEASE_ANNOUNCE } from './announcements/release-announce.job';
import { inOrderOfPlatforms, type Release, releaseFacts, type ReleaseWithBuild } from './release';
import { type ReleaseFilter, ReleasesRepository } from './releases.repository';

export interface Promotion {
  readonly buildId: string;
  readonly notes?: string | null | undefined;
  /** Whether subscribers are mailed. Default: true. */
  readonly notify?: boolean | undefined;
  /** Whether installed apps must install it. Default: false. */
  readonly mandatory?: boolean | undefined;
}

/**
 * Promotes builds to channels. The newest release of a platform is current. To go back to an older build, promote it again or withdraw
 * the newest release.
 */
@Injectable()
export class ReleasesService implements OnModuleInit {
  constructor(
    private readonly repository: ReleasesRepository,
    private readonly channels: ChannelsService,
    private readonly builds: BuildsService,
    private readonly billing: BillingService,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  onModuleInit(): void {
    this.channels.beforeEnd.add((tx, scope, channelId) => this.repository.deleteOfChannel(tx, scope, channelId));
  }

  /**
   * Makes a build current in a channel and enqueues the mails to its subscribers, unless the promotion is silent. Also promotes a build
   * that no device can install: its page says why.
   * @throws AppError operation_not_allowed below the business plan; not_found for a channel or build that is not in the project;
   * already_exists when the build is already current in the channel.
   */
  async promote(
    ctx: RequestContext,
    channel: ChannelScope,
    { buildId, notes = null, notify = true, mandatory = false }: Promotion,
  ): Promise<ReleaseWithBuild> {
    return this.transactions.run(ctx, async (tx) => {
      await this.billing.requirePlan(tx, channel.organizationId, 'business');
      const sequence = await this.channels.nextSequence(tx, channel, channel.channelId);
      await this.builds.keep(tx, channel, buildId);
      const build = await this.builds.get(tx, channel, buildId);
      const { platform } = build;
      const [current] = await this.repository.findCurrent(tx, channel, [channel.channelId], platform);
      if (current?.buildId === buildId) throw alreadyCurrent();
      const facts = { id: newId(), buildId, platform, sequence, notes, notify, mandatory, promotedAt: tx.clock.now() };
      const promotedBy = ownerOf(tx.identity);
      await this.repository.insertAsCurrent(tx, {
        ...channelScopeOf(channel),
        ...facts,
        promotedByKind: promotedBy.kind,
        promotedById: promotedBy.id,
        deletedAt: null,
      });
      const release = { ...channelScopeOf(channel), ...facts, promotedBy, current: true };
      await this.record(tx, 'release.promoted', release);
      if (notify) await this.announce(tx, release);
      return { ...release, build };
    });
  }

  /** A release of any channel of the project, null when it was withdrawn or deleted with its build. */
  async find(ctx: RequestContext, scope: ProjectScope, id: string): Promise<ReleaseWithBuild | null> {
    const release = await this.repository.find(ctx, scope, id);
    return release && ((await this.withBuilds(ctx, scope, [release]))[0] ?? null);
  }

  /** @throws AppError not_found, also for a release of another channel. */
  async get(ctx: RequestContext, channel: ChannelScope, id: string): Promise<ReleaseWithBuild> {
    const release = await this.find(ctx, channel, id);
    if (release?.channelId !== channel.channelId) throw AppError.notFound('release');
    return release;
  }

  /** The releases of a channel, newest first. @throws AppError not_found for a channel that is not in the project. */
  async list(
    ctx: RequestContext,
    channel: ChannelScope,
    filter: ReleaseFilter,
    request: PageRequest,
  ): Promise<Page<ReleaseWithBuild>> {
    await this.requireChannel(ctx, channel);
    const page = await this.repository.list(ctx, channel, filter, request);
    return { ...page, items: await this.withBuilds(ctx, channel, page.items) };
  }

  /** The releases of all channels of a project, newest first. */
  async listOfProject(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: ReleaseFilter,
    request: PageRequest,
  ): Promise<Page<ReleaseWithBuild>> {
    const page = await this.repository.listOfProject(ctx, scope, filter, request);
    return { ...page, items: await this.withBuilds(ctx, scope, page.items) };
  }

  /** The current releases of a channel: at most one per platform. @throws AppError not_found for a channel that is not in the project. */
  async currentOf(ctx: RequestContext, channel: ChannelScope): Promise<ReleaseWithBuild[]> {
    await this.requireChannel(ctx, channel);
    const current = await this.currentOfMany(ctx, channel, [channel.channelId]);
    return inOrderOfPlatforms(current);
  }

  /** The current releases of several channels, in no order. Channels that are not in the project are skipped. */
  async currentOfMany(
    ctx: RequestContext,
    scope: ProjectScope,
    channelIds: readonly string[],
  ): Promise<ReleaseWithBuild[]> {
    if (channelIds.length === 0) return [];
    return this.withBuilds(ctx, scope, await this.repository.findCurrent(ctx, scope, channelIds));
  }

  /** The newest release of a build in any of the channels, null when it was never promoted to one of them. */
  async findOfBuild(
    ctx: RequestContext,
    scope: ProjectScope,
    channelIds: readonly string[],
    buildId: string,
  ): Promise<ReleaseWithBuild | null> {
    const release = await this.repository.findOfBuild(ctx, scope, channelIds, buildId);
    return release && ((await this.withBuilds(ctx, scope, [release]))[0] ?? null);
  }

  /** The build of the release of a channel with this number. Null when there is none, or when it is of another platform. */
  findBuildId(ctx: RequestContext, channelId: string, platform: Platform, sequence: number): Promise<string | null> {
    return this.repository.findBuildId(ctx, channelId, platform, sequence);
  }

  /** The current release of a channel and platform. */
  async findCurrent(ctx: RequestContext, channel: ChannelScope, platform: Platform): Promise<ReleaseWithBuild | null> {
    const current = await this.repository.findCurrent(ctx, channel, [channel.channelId], platform);
    return (await this.withBuilds(ctx, channel, current))[0] ?? null;
  }

  /** Deletes a release. If it was current, the previous release becomes current again, without mails. @throws AppError not_found */
  async withdraw(ctx: RequestContext, channel: ChannelScope, id: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      await this.channels.lockReleases(tx, channel, channel.channelId);
      const release = await this.repository.find(tx, channel, id);
      if (release?.channelId !== channel.channelId) throw AppError.notFound('release');
      await this.repository.delete(tx, release);
      await this.record(tx, 'release.withdrawn', release);
    });
  }

  private async requireChannel(ctx: RequestContext, channel: ChannelScope): Promise<void> {
    if (!(await this.channels.find(ctx, channel, channel.channelId))) throw AppError.notFound('channel');
  }

  /** Adds the builds. Skips releases whose build was deleted since they were read. */
  private async withBuilds(
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

  private async announce(tx: RequestContext, release: Release): Promise<void> {
    const announcement = { releaseId: release.id, scope: scopeOf(release), after: null };
    const runAt = new Date(release.promotedAt.getTime() + ANNOUNCE_AFTER_MS);
    await this.jobs.enqueue(tx, RELEASE_ANNOUNCE, announcement, { runAt });
  }

  private record(tx: RequestContext, type: 'release.promoted' | 'release.withdrawn', release: Release): Promise<void> {
    const facts = releaseFacts(release);
    const { notify, mandatory } = release;
    const payload = type === 'release.promoted' ? { ...facts, notify, mandatory } : facts;
    return this.audit.record(tx, { type, ...scopeOf(release), payload });
  }
}

const alreadyCurrent = (): AppError =>
  new AppError('already_exists', { message: 'This build is already the current release of the channel.' });
