import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { ChannelsService } from '#modules/channels';
import { SuppressionsRepository } from '../suppressions/suppressions.repository';
import { type SubscriptionState, type Tester, type TesterSubscriptions } from '../tester';
import { type TesterEntity, TestersRepository } from '../testers.repository';
import { SubscriptionsRepository } from './subscriptions.repository';

/**
 * The subscriptions of testers to channels. A tester who unsubscribes through their link is suppressed, and only they can resubscribe:
 * no request of a project member and no import does.
 */
@Injectable()
export class SubscriptionsService {
  constructor(
    private readonly repository: SubscriptionsRepository,
    private readonly suppressions: SuppressionsRepository,
    private readonly testers: TestersRepository,
    private readonly channels: ChannelsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * Subscribes on the tester's behalf. @returns `suppressed`, without a change, when the tester unsubscribed. @throws AppError not_found
   */
  async put(ctx: RequestContext, scope: ProjectScope, testerId: string, channelId: string): Promise<SubscriptionState> {
    return this.transactions.run(ctx, async (tx) => {
      const { email } = await this.lockTester(tx, scope, testerId);
      await this.channels.get(tx, scope, channelId);
      const suppressed = (await this.suppressions.find(tx, scope, [email]))(email);
      if (suppressed.has(null) || suppressed.has(channelId)) return 'suppressed';
      if ((await this.repository.insert(tx, scope, channelId, [testerId])).length > 0)
        await this.record(tx, scope, 'tester.subscribed', { tester_id: testerId, channel_id: channelId });
      return 'subscribed';
    });
  }

  /** Ends a subscription on the tester's behalf, without a suppression. @throws AppError not_found */
  async remove(ctx: RequestContext, scope: ProjectScope, testerId: string, channelId: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      await this.lockTester(tx, scope, testerId);
      if (!(await this.repository.delete(tx, scope, testerId, channelId))) throw AppError.notFound('subscription');
      await this.record(tx, scope, 'tester.unsubscribed', { tester_id: testerId, channel_id: channelId });
    });
  }

  /** Subscribes at the tester's own request and deletes their suppression. `channelId` `null`: tests the project again. */
  async subscribe(tx: RequestContext, scope: ProjectScope, testerId: string, channelId: string | null): Promise<void> {
    const { email } = await this.lockTester(tx, scope, testerId);
    const returned = await this.suppressions.delete(tx, scope, email, null);
    if (channelId === null) {
      if (returned) await this.record(tx, scope, 'tester.returned', { tester_id: testerId });
      return;
    }
    await this.suppressions.delete(tx, scope, email, channelId);
    await this.repository.insert(tx, scope, channelId, [testerId]);
    await this.record(tx, scope, 'tester.subscribed', { tester_id: testerId, channel_id: channelId });
  }

  /** Unsubscribes and suppresses at the tester's own request. `channelId` `null`: stops testing the project. */
  async unsubscribe(
    tx: RequestContext,
    scope: ProjectScope,
    testerId: string,
    channelId: string | null,
  ): Promise<void> {
    const { email } = await this.lockTester(tx, scope, testerId);
    await this.suppressions.add(tx, scope, email, channelId);
    if (channelId === null) {
      await this.repository.delete(tx, scope, testerId);
      await this.record(tx, scope, 'tester.declined', { tester_id: testerId });
      return;
    }
    await this.repository.delete(tx, scope, testerId, channelId);
    await this.record(tx, scope, 'tester.unsubscribed', { tester_id: testerId, channel_id: channelId });
  }

  /** Reads the subscriptions of several testers. @returns a function from a tester to their subscriptions. */
  async findOfTesters(
    ctx: RequestContext,
    scope: ProjectScope,
    testers: readonly Tester[],
  ): Promise<(tester: Tester) => TesterSubscriptions> {
    const emails = testers.map(({ email }) => email);
    const ids = testers.map(({ id }) => id);
    const suppressionsOf = await this.suppressions.find(ctx, scope, emails);
    const subscriptions = await this.repository.findByTesters(ctx, ids);
    const subscribedTo = new Map<string, string[]>(ids.map((id) => [id, []]));
    for (const { testerId, channelId } of subscriptions) subscribedTo.get(testerId)?.push(channelId);
    return ({ id, email }) => {
      const suppressions = suppressionsOf(email);
      return {
        declined: suppressions.has(null),
        subscribedTo: subscribedTo.get(id) ?? [],
        unsubscribedFrom: [...suppressions].filter((channelId) => channelId !== null),
      };
    };
  }

  /** Serializes the changes of one tester's subscriptions. */
  private async lockTester(tx: RequestContext, scope: ProjectScope, id: string): Promise<TesterEntity> {
    const tester = await this.testers.lock(tx, scope, id);
    if (!tester) throw AppError.notFound('tester');
    return tester;
  }

  private record(
    tx: RequestContext,
    scope: ProjectScope,
    type: 'tester.subscribed' | 'tester.unsubscribed' | 'tester.declined' | 'tester.returned',
    payload: Readonly<Record<string, string>>,
  ): Promise<void> {
    return this.audit.record(tx, { type, ...scopeOf(scope), payload });
  }
}
