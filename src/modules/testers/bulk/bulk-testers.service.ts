import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { Transactions } from '#infra/database/transactions';
import { ChannelsService } from '#modules/channels';
import { type InviteTarget } from '../mails/invite-target';
import { TesterInvitesService } from '../mails/tester-invites.service';
import { SubscriptionsService } from '../subscriptions/subscriptions.service';
import { TestersRepository } from '../testers.repository';
import { TestersService } from '../testers.service';

/** Why nothing was done for a tester. */
export const BULK_SKIP_REASONS = ['not_found', 'left', 'unchanged', 'unopened', 'rate_limited'] as const;
export type BulkSkipReason = (typeof BULK_SKIP_REASONS)[number];

/** What is done for each of the testers. */
export type BulkAct =
  | { readonly action: 'subscribe' | 'unsubscribe'; readonly channelId: string }
  | { readonly action: 'invite'; readonly target: InviteTarget }
  | { readonly action: 'erase' };

export interface BulkOutcome {
  /** The number of testers for whom it was done. */
  readonly done: number;
  readonly skipped: readonly { readonly testerId: string; readonly reason: BulkSkipReason }[];
}

/** Does for one tester what the route of one tester does. @returns why not, null when it is done. */
type ActOnTester = (testerId: string) => Promise<BulkSkipReason | null>;

/** Acts on many testers in one transaction. What is not possible for a tester is skipped and reported. */
@Injectable()
export class BulkTestersService {
  constructor(
    private readonly repository: TestersRepository,
    private readonly testers: TestersService,
    private readonly subscriptions: SubscriptionsService,
    private readonly invites: TesterInvitesService,
    private readonly channels: ChannelsService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AppError not_found for a channel or build that does not exist. Unknown testers are skipped. */
  async run(
    ctx: RequestContext,
    scope: ProjectScope,
    act: BulkAct,
    testerIds: readonly string[],
  ): Promise<BulkOutcome> {
    return this.transactions.run(ctx, async (tx) => {
      const actOn = await this.prepare(tx, scope, act);
      // All of them in the order of their ids, so that two requests do not wait for each other.
      const known = new Set((await this.repository.lockMany(tx, scope, testerIds)).map(({ id }) => id));
      const reasons = new Map<string, BulkSkipReason>();
      for (const id of testerIds) {
        const reason = known.has(id) ? await actOn(id).catch(skipReasonOf) : 'not_found';
        if (reason) reasons.set(id, reason);
      }
      return {
        done: testerIds.length - reasons.size,
        skipped: [...reasons].map(([testerId, reason]) => ({ testerId, reason })),
      };
    });
  }

  private async prepare(tx: RequestContext, scope: ProjectScope, act: BulkAct): Promise<ActOnTester> {
    switch (act.action) {
      case 'subscribe': {
        await this.channels.get(tx, scope, act.channelId);
        return async (id) =>
          (await this.subscriptions.put(tx, scope, id, act.channelId)) === 'suppressed' ? 'left' : null;
      }
      case 'unsubscribe': {
        await this.channels.get(tx, scope, act.channelId);
        return (id) => this.subscriptions.remove(tx, scope, id, act.channelId).then(() => null);
      }
      case 'invite': {
        const content = await this.invites.readContent(tx, scope, act.target);
        return (id) => this.invites.inviteTo(tx, scope, id, { ...act.target, content }).then(() => null);
      }
      case 'erase':
        return (id) => this.testers.erase(tx, scope, id).then(() => null);
    }
  }
}

/** @throws every error that is not about the tester. */
function skipReasonOf(error: unknown): BulkSkipReason {
  if (!(error instanceof AppError)) throw error;
  switch (error.errorCase) {
    case 'not_found':
      return 'unchanged';
    case 'rate_limit_exceeded':
      return 'rate_limited';
    case 'operation_not_allowed':
      return error.details['reason'] === 'unopened' ? 'unopened' : 'left';
    default:
      throw error;
  }
}
