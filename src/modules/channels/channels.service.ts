import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { type Page, type PageRequest } from '#kernel/cursor';
import { AppError } from '#kernel/errors/app-error';
import { Hook } from '#kernel/hook';
import { newId } from '#kernel/ids';
import { type Quota, type QuotaUse, requireRoom } from '#kernel/quota';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { QuotaConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { BillingService, type PlanChange } from '#modules/billing';
import { InstallLinksService, linkUrlsOf, NO_URLS } from '#modules/install-links';
import { type Channel, type ChannelWithUrl } from './channel';
import { type ChannelFilter, ChannelsRepository } from './channels.repository';

@Injectable()
export class ChannelsService implements OnModuleInit {
  /** Deletes the rows of upper modules that end with a channel. The channel is locked. */
  readonly beforeDelete = new Hook<[tx: RequestContext, scope: ProjectScope, channelId: string]>();
  /** Deletes the rows of upper modules that keep a channel from being deleted. Its releases are locked. */
  readonly beforeEnd = new Hook<[tx: RequestContext, scope: ProjectScope, channelId: string]>();

  constructor(
    private readonly repository: ChannelsRepository,
    private readonly billing: BillingService,
    private readonly installLinks: InstallLinksService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly quotas: QuotaConfig,
  ) {}

  onModuleInit(): void {
    this.billing.planChange.add((ctx, change) => this.requireNoChannels(ctx, change));
  }

  /**
   * Creates a channel with its install link.
   * @throws AppError operation_not_allowed below the business plan, already_exists when the name is in use, quota_exceeded over the
   * project's limit.
   */
  async create(
    ctx: RequestContext,
    scope: ProjectScope,
    name: string,
    { branch }: { readonly branch?: string } = {},
  ): Promise<ChannelWithUrl> {
    return this.transactions.run(ctx, async (tx) => {
      await this.billing.requirePlan(tx, scope.organizationId, 'business');
      await this.requireRoom(tx, scope);
      const channel = { ...scopeOf(scope), id: newId(), name, lastSequence: 0, createdAt: tx.clock.now() };
      await this.repository.insert(tx, channel);
      const installUrl = await this.installLinks.createForChannel(tx, scope, channel.id);
      await this.audit.record(tx, {
        type: 'channel.created',
        ...scopeOf(scope),
        payload: { channel_id: channel.id, name, ...(branch !== undefined && { branch }) },
      });
      return { ...channel, ...linkUrlsOf(installUrl, null) };
    });
  }

  /** The first of some names that no channel has, null when all are in use. No channel is added until the transaction ends. */
  async firstFreeName(tx: RequestContext, scope: ProjectScope, names: readonly string[]): Promise<string | null> {
    const used = await this.repository.lockAndFindNames(tx, scope, names);
    return names.find((name) => !used.has(name)) ?? null;
  }

  find(ctx: RequestContext, scope: ProjectScope, id: string): Promise<Channel | null> {
    return this.repository.find(ctx, scope, id);
  }

  /** The channels that exist, keyed by id. Missing ids are skipped. */
  async findMany(
    ctx: RequestContext,
    scope: ProjectScope,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Channel>> {
    if (ids.length === 0) return new Map();
    const channels = await this.repository.findMany(ctx, scope, ids);
    return new Map(channels.map((channel) => [channel.id, channel]));
  }

  /** @throws AppError not_found */
  async get(ctx: RequestContext, scope: ProjectScope, id: string): Promise<ChannelWithUrl> {
    const channel = await this.repository.find(ctx, scope, id);
    if (!channel) throw missingChannel();
    const [withUrl] = await this.withUrls(ctx, [channel]);
    return withUrl as ChannelWithUrl;
  }

  async list(
    ctx: RequestContext,
    scope: ProjectScope,
    filter: ChannelFilter,
    request: PageRequest,
  ): Promise<Page<ChannelWithUrl>> {
    const page = await this.repository.list(ctx, scope, filter, request);
    return { ...page, items: await this.withUrls(ctx, page.items) };
  }

  /** @throws AppError already_exists when the name is in use. */
  async rename(
    ctx: RequestContext,
    scope: ProjectScope,
    id: string,
    name: string | undefined,
  ): Promise<ChannelWithUrl> {
    return this.transactions.run(ctx, async (tx) => {
      if (name !== undefined) {
        if (!(await this.repository.rename(tx, scope, id, name))) throw missingChannel();
        const payload = { channel_id: id, name };
        await this.audit.record(tx, { type: 'channel.updated', ...scopeOf(scope), payload });
      }
      return this.get(tx, scope, id);
    });
  }

  /**
   * Replaces the install link of a channel. The old link and the download URLs minted through it stop working immediately. Links that
   * were mailed to testers keep working.
   * @throws AppError not_found
   */
  async rotateLink(ctx: RequestContext, scope: ProjectScope, id: string): Promise<ChannelWithUrl> {
    return this.transactions.run(ctx, async (tx) => {
      await this.lock(tx, scope, id);
      await this.installLinks.replaceForChannel(tx, scope, id);
      await this.audit.record(tx, { type: 'channel.link_rotated', ...scopeOf(scope), payload: { channel_id: id } });
      return this.get(tx, scope, id);
    });
  }

  /** Deletes a channel and its install link. @throws AppError dependency_exists while the channel has releases. */
  async delete(ctx: RequestContext, scope: ProjectScope, id: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const { name } = await this.get(tx, scope, id);
      await this.lock(tx, scope, id);
      await this.beforeDelete.run(tx, scope, id);
      if (!(await this.repository.delete(tx, scope, id))) throw missingChannel();
      await this.audit.record(tx, { type: 'channel.deleted', ...scopeOf(scope), payload: { channel_id: id, name } });
    });
  }

  /**
   * Deletes a channel with its install links, releases and subscriptions. The releases go first: a batch of mails holds locks on them while it
   * adds links that refer to the channel.
   * @throws AppError not_found
   */
  async end(
    tx: RequestContext,
    scope: ProjectScope,
    id: string,
    why: { readonly branch: string; readonly reason: 'branch_closed' | 'branch_unused' },
  ): Promise<void> {
    const channel = await this.repository.find(tx, scope, id);
    if (!channel) throw missingChannel();
    await this.lockReleases(tx, scope, id);
    await this.beforeEnd.run(tx, scope, id);
    await this.lock(tx, scope, id);
    await this.beforeDelete.run(tx, scope, id);
    await this.repository.delete(tx, scope, id);
    const payload = { channel_id: id, name: channel.name, ...why };
    await this.audit.record(tx, { type: 'channel.deleted', ...scopeOf(scope), payload });
  }

  /** Locks a channel until the transaction ends. @throws AppError not_found */
  async lock(tx: RequestContext, scope: ProjectScope, id: string): Promise<void> {
    if (!(await this.repository.lock(tx, scope, id))) throw missingChannel();
  }

  /**
   * Locks a channel until the transaction ends, which serializes changes of its releases. Other transactions may add rows that refer to it,
   * such as install links of mails. A batch of mails does that while it holds locks on releases, for which the caller may wait.
   * @throws AppError not_found
   */
  async lockReleases(tx: RequestContext, scope: ProjectScope, id: string): Promise<void> {
    if (!(await this.repository.lock(tx, scope, id, 'for_no_key_update'))) throw missingChannel();
  }

  /** Locks a channel like `lockReleases` and returns the number of its next release: 1, 2, 3 without a gap. @throws AppError not_found */
  async nextSequence(tx: RequestContext, scope: ProjectScope, id: string): Promise<number> {
    const sequence = await this.repository.nextSequence(tx, scope, id);
    if (sequence === null) throw missingChannel();
    return sequence;
  }

  /** Rejects a change to a plan without channels while the organization has channels. */
  private async requireNoChannels(ctx: RequestContext, { organizationId, to }: PlanChange): Promise<void> {
    if (to === 'business' || !(await this.repository.existInOrganization(ctx, organizationId))) return;
    throw new AppError('dependency_exists', {
      message: 'The organization has channels, which need the business plan. Delete them first.',
    });
  }

  /** The project's number of channels and its limit. */
  async quota(ctx: RequestContext, scope: ProjectScope): Promise<QuotaUse> {
    return { ...this.channelQuota, used: await this.repository.count(ctx, scope) };
  }

  private get channelQuota(): Quota {
    return { name: 'channels_per_project', limit: this.quotas.channelsPerProject };
  }

  private async requireRoom(tx: RequestContext, scope: ProjectScope): Promise<void> {
    const { limit } = this.channelQuota;
    const used = await this.repository.lockAndCount(tx, scope);
    const advice = `The project has ${limit} channels, which is the limit. Delete one first.`;
    requireRoom(this.channelQuota, used, advice);
  }

  private async withUrls(ctx: RequestContext, channels: readonly Channel[]): Promise<ChannelWithUrl[]> {
    const urls = await this.installLinks.urlsOfChannels(
      ctx,
      channels.map(({ id }) => id),
    );
    return channels.map((channel) => ({ ...channel, ...(urls.get(channel.id) ?? NO_URLS) }));
  }
}

const missingChannel = (): AppError => AppError.notFound('channel');
