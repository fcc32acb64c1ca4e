import { Injectable, type OnModuleInit } from '@nestjs/common';
import { matchesBranch } from '#kernel/builds/branch-pattern';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { Transactions } from '#infra/database/transactions';
import { forEachCollectingErrors } from '#infra/jobs/for-each-collecting-errors';
import { Jobs } from '#infra/jobs/jobs';
import { BillingService } from '#modules/billing';
import { type BranchChannels, ProjectsService } from '#modules/projects';
import { ChannelsService } from '../channels.service';
import { BranchChannelsRepository, type EndOfChannel } from './branch-channels.repository';
import { channelNamesOf } from './branch-slug';

const DAY_MS = 86_400_000;
const BATCH = 100;

/** Why an upload of a branch was not promoted, although the project has a setting for its branch. */
export const BRANCH_PROBLEMS = ['plan', 'quota'] as const;
export type BranchProblem = (typeof BRANCH_PROBLEMS)[number];

/** The channel of a branch, or why it has none. */
export type BranchTarget =
  | { readonly channelId: string; readonly problem: null }
  | { readonly channelId: null; readonly problem: BranchProblem };

/** Channels that uploads of a branch make by themselves (docs/api-behaviour.md, "A channel for each branch"). */
@Injectable()
export class BranchChannelsService implements OnModuleInit {
  constructor(
    private readonly repository: BranchChannelsRepository,
    private readonly channels: ChannelsService,
    private readonly projects: ProjectsService,
    private readonly billing: BillingService,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('channels.end-branch-channels', '11 4 * * *', (ctx) => this.endUnused(ctx), {
      catchUpHours: 24,
    });
  }

  /**
   * The channel to which a build of a branch is promoted next, made if there is none. Null when the project has no setting for the branch.
   * An upload does not fail because it gets no channel.
   */
  async use(tx: RequestContext, scope: ProjectScope, branch: string): Promise<BranchTarget | null> {
    const { branchChannels: setting } = await this.projects.get(tx, scope);
    if (!setting || !matchesBranch(setting.pattern, branch)) return null;
    const plans = await this.billing.plansOf(tx, [scope.organizationId]);
    if (plans.get(scope.organizationId) !== 'business') return { channelId: null, problem: 'plan' };
    await this.repository.lock(tx, scope, branch);
    const known = await this.repository.find(tx, scope, branch);
    const endsAt = new Date(tx.clock.now().getTime() + setting.days * DAY_MS);
    const channelId = known?.channelId ?? (await this.create(tx, scope, branch, setting, endsAt));
    if (channelId === null) return { channelId, problem: 'quota' };
    await this.repository.use(tx, channelId, { days: setting.days, endsAt });
    return { channelId, problem: null };
  }

  /**
   * Ends the channel of a branch with its releases, subscriptions and links. Builds stay.
   * @returns the id of the channel, null when the branch has none.
   */
  async close(ctx: RequestContext, scope: ProjectScope, branch: string): Promise<string | null> {
    return this.transactions.run(ctx, async (tx) => {
      await this.repository.lock(tx, scope, branch);
      const found = await this.repository.find(tx, scope, branch);
      if (found) await this.channels.end(tx, scope, found.channelId, { branch, reason: 'branch_closed' });
      return found?.channelId ?? null;
    });
  }

  /** Ends the channels that had no release for as long as their project allows. @throws AggregateError like `forEachCollectingErrors`. */
  async endUnused(ctx: RequestContext): Promise<void> {
    await forEachCollectingErrors(this.ending(ctx), (channelId) => this.endIfUnused(ctx, channelId));
  }

  private async *ending(ctx: RequestContext): AsyncGenerator<string> {
    const now = ctx.clock.now();
    for (let after: EndOfChannel | null = null; ;) {
      const batch: readonly EndOfChannel[] = await this.repository.findEnding(ctx, now, after, BATCH);
      for (const { channelId } of batch) yield channelId;
      if (batch.length < BATCH) return;
      after = batch.at(-1)!;
    }
  }

  private async endIfUnused(ctx: RequestContext, channelId: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const place = await this.repository.findByChannel(tx, channelId);
      if (!place) return;
      const { branch } = place;
      const scope = scopeOf(place);
      await this.repository.lock(tx, scope, branch);
      const now = tx.clock.now();
      const found = await this.repository.find(tx, scope, branch);
      if (found?.channelId !== channelId || found.endsAt > now) return;
      if (await this.repository.putOff(tx, channelId, now)) return;
      await this.channels.end(tx, scope, channelId, { branch, reason: 'branch_unused' });
    });
  }

  /** @returns null when the project has no room for a channel. */
  private async create(
    tx: RequestContext,
    scope: ProjectScope,
    branch: string,
    { name: template, days }: BranchChannels,
    endsAt: Date,
  ): Promise<string | null> {
    const name = await this.channels.firstFreeName(tx, scope, channelNamesOf(template, branch));
    if (name === null) return null;
    try {
      const { id: channelId } = await this.channels.create(tx, scope, name, { branch });
      await this.repository.insert(tx, { ...scopeOf(scope), channelId, branch, days, lastSequence: 0, endsAt });
      return channelId;
    } catch (error) {
      if (error instanceof AppError && error.errorCase === 'quota_exceeded') return null;
      throw error;
    }
  }
}
