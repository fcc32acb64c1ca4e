import { Injectable } from '@nestjs/common';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { ChannelsService } from '#modules/channels';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { SubscriptionsRepository } from './subscriptions.repository';
import { SuppressionsRepository } from './suppressions.repository';
import { type Involvement, type Recipient, type SubscriptionState, type Tester } from '../tester';
import { type TesterEntity } from '../tester.entity';
import { TestersRepository } from '../testers.repository';

/**
 * Who is told about a channel's releases. Whoever left by themself is remembered by a digest of their address, and comes back by
 * themself only: nobody else's request, batch or import subscribes them again.
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

  /** Subscribes on the tester's behalf. @returns `suppressed`, and nothing is changed, when they left by themself. */
  async put(ctx: RequestContext, scope: ProjectScope, testerId: string, channelId: string): Promise<SubscriptionState> {
    return this.transactions.run(ctx, async (tx) => {
      const { email } = await this.lockTester(tx, scope, testerId);
      await this.channels.get(tx, scope, channelId);
      const left = (await this.suppressions.find(tx, scope, [email]))(email);
      if (left.has(null) || left.has(channelId)) return 'suppressed';
      if ((await this.repository.insert(tx, scope, channelId, [testerId])) > 0)
        await this.record(tx, scope, 'tester.subscribed', { tester_id: testerId, channel_id: channelId });
      return 'subscribed';
    });
  }

  /** Ends a subscription on the tester's behalf; they can be subscribed again. @throws AppError not_found */
  async remove(ctx: RequestContext, scope: ProjectScope, testerId: string, channelId: string): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      await this.lockTester(tx, scope, testerId);
      if (!(await this.repository.delete(tx, scope, testerId, channelId))) throw AppError.notFound('subscription');
      await this.record(tx, scope, 'tester.unsubscribed', { tester_id: testerId, channel_id: channelId });
    });
  }

  /** The tester's own wish to be told about a channel, or, without one, to test the project again. Lifts what they left. */
  async join(tx: RequestContext, scope: ProjectScope, testerId: string, channelId: string | null): Promise<void> {
    const { email } = await this.lockTester(tx, scope, testerId);
    const returned = await this.suppressions.lift(tx, scope, email, null);
    if (channelId === null) {
      if (returned) await this.record(tx, scope, 'tester.returned', { tester_id: testerId });
      return;
    }
    await this.suppressions.lift(tx, scope, email, channelId);
    await this.repository.insert(tx, scope, channelId, [testerId]);
    await this.record(tx, scope, 'tester.subscribed', { tester_id: testerId, channel_id: channelId });
  }

  /** The tester's own wish to hear no more of a channel or, without one, of the project. */
  async leave(tx: RequestContext, scope: ProjectScope, testerId: string, channelId: string | null): Promise<void> {
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

  /** What testers take part in, by their ids. */
  async involvementOf(
    ctx: RequestContext,
    scope: ProjectScope,
    testers: readonly Tester[],
  ): Promise<(tester: Tester) => Involvement> {
    const emails = testers.map(({ email }) => email);
    const ids = testers.map(({ id }) => id);
    const leftOf = await this.suppressions.find(ctx, scope, emails);
    const subscriptions = await this.repository.findByTesters(ctx, ids);
    const subscribedTo = new Map<string, string[]>(ids.map((id) => [id, []]));
    for (const { testerId, channelId } of subscriptions) subscribedTo.get(testerId)?.push(channelId);
    return ({ id, email }) => {
      const left = leftOf(email);
      return {
        declined: left.has(null),
        subscribedTo: subscribedTo.get(id) ?? [],
        unsubscribedFrom: [...left].filter((channelId) => channelId !== null),
      };
    };
  }

  /** The next who are to be told about a release of a platform, in the order of their ids. */
  recipients(
    ctx: RequestContext,
    channelId: string,
    platform: Platform,
    page: { readonly after: string | null; readonly limit: number },
  ): Promise<readonly Recipient[]> {
    return this.repository.recipients(ctx, channelId, platform, page);
  }

  /** One after the other: what somebody wishes and what others wish for them. */
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
