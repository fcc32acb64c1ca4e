import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { ChannelsService } from '#modules/channels';
import { SuppressionsRepository } from '../../suppressions/suppressions.repository';
import { TestersRepository } from '../../testers.repository';
import { SubscriptionsRepository } from '../subscriptions.repository';

/** The outcome for one of the testers that a request names. `suppressed`: they unsubscribed, so nothing was changed. */
export const SUBSCRIBER_OUTCOMES = ['subscribed', 'unsubscribed', 'unchanged', 'suppressed', 'not_found'] as const;
export type SubscriberOutcome = (typeof SUBSCRIBER_OUTCOMES)[number];

/** Either the whole set of subscribers, or testers to subscribe and to unsubscribe. */
export type SubscribersChange =
  { readonly testerIds: readonly string[] } | { readonly add: readonly string[]; readonly remove: readonly string[] };

interface ChangedSubscribers {
  readonly subscribed: number;
  readonly unsubscribed: number;
  /** The number of subscribed testers. */
  readonly subscribers: number;
  /** The outcome of each tester that the request names, in its order. */
  readonly testers: readonly { readonly id: string; readonly outcome: SubscriberOutcome }[];
}

/** Subscribes and unsubscribes many testers of a channel. Testers who unsubscribed through a link stay unsubscribed. */
@Injectable()
export class ChannelSubscribersService {
  constructor(
    private readonly subscriptions: SubscriptionsRepository,
    private readonly suppressions: SuppressionsRepository,
    private readonly testers: TestersRepository,
    private readonly channels: ChannelsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /** @throws AppError not_found for an unknown channel. Unknown testers are an outcome. */
  async change(
    ctx: RequestContext,
    scope: ProjectScope,
    channelId: string,
    change: SubscribersChange,
  ): Promise<ChangedSubscribers> {
    return this.transactions.run(ctx, async (tx) => {
      await this.channels.get(tx, scope, channelId);
      const wanted = 'testerIds' in change ? change.testerIds : change.add;
      const named = 'testerIds' in change ? wanted : [...wanted, ...change.remove];
      const others = 'testerIds' in change ? await this.othersThan(tx, channelId, wanted) : [];
      const locked = await this.testers.lockMany(tx, scope, [...named, ...others]);
      const emails = new Map(locked.map(({ id, email }) => [id, email]));
      const addresses = wanted.flatMap((id) => emails.get(id) ?? []);
      const suppressionsOf = await this.suppressions.find(tx, scope, addresses);
      const isSuppressed = (id: string): boolean => {
        const suppressed = suppressionsOf(emails.get(id) ?? '');
        return suppressed.has(null) || suppressed.has(channelId);
      };
      const allowed = wanted.filter((id) => emails.has(id) && !isSuppressed(id));
      const removed = ('testerIds' in change ? others : change.remove).filter((id) => emails.has(id));
      const subscribed = new Set(await this.subscriptions.insert(tx, scope, channelId, allowed));
      const unsubscribed = new Set(await this.subscriptions.deleteMany(tx, scope, channelId, removed));
      if (subscribed.size + unsubscribed.size > 0) {
        const payload = { channel_id: channelId, subscribed: subscribed.size, unsubscribed: unsubscribed.size };
        await this.audit.record(tx, { type: 'channel.subscribers_changed', ...scopeOf(scope), payload });
      }
      const isWanted = new Set(wanted);
      const outcomeOf = (id: string): SubscriberOutcome => {
        if (!emails.has(id)) return 'not_found';
        if (subscribed.has(id)) return 'subscribed';
        if (unsubscribed.has(id)) return 'unsubscribed';
        return isWanted.has(id) && isSuppressed(id) ? 'suppressed' : 'unchanged';
      };
      return {
        subscribed: subscribed.size,
        unsubscribed: unsubscribed.size,
        subscribers: await this.subscriptions.count(tx, channelId),
        testers: named.map((id) => ({ id, outcome: outcomeOf(id) })),
      };
    });
  }

  private async othersThan(
    tx: RequestContext,
    channelId: string,
    testerIds: readonly string[],
  ): Promise<readonly string[]> {
    const wanted = new Set(testerIds);
    return (await this.subscriptions.listTesterIds(tx, channelId)).filter((id) => !wanted.has(id));
  }
}
