import { Injectable } from '@nestjs/common';
import { In, type Repository } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { SubscriptionEntity } from './subscription.entity';

@Injectable()
export class SubscriptionsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** @returns how many of the testers were not subscribed before. */
  async insert(
    ctx: RequestContext,
    scope: ProjectScope,
    channelId: string,
    testerIds: readonly string[],
  ): Promise<number> {
    if (testerIds.length === 0) return 0;
    const inserted = await rows(
      this.transactions.manager(ctx),
      `INSERT INTO subscription (organization_id, project_id, channel_id, tester_id, created_at)
       SELECT $1, $2, $3, tester_id, $5 FROM unnest($4::uuid[]) AS tester_id
       ON CONFLICT DO NOTHING RETURNING 1`,
      [scope.organizationId, scope.projectId, channelId, testerIds, ctx.clock.now()],
    );
    return inserted.length;
  }

  async findByTesters(ctx: RequestContext, testerIds: readonly string[]): Promise<readonly SubscriptionEntity[]> {
    return testerIds.length === 0
      ? []
      : this.subscriptions(ctx).find({ where: { testerId: In([...testerIds]) }, order: { createdAt: 'ASC' } });
  }

  async delete(ctx: RequestContext, scope: ProjectScope, testerId: string, channelId?: string): Promise<boolean> {
    const { affected } = await this.subscriptions(ctx).delete({
      ...scopeOf(scope),
      testerId,
      ...(channelId !== undefined && { channelId }),
    });
    return (affected ?? 0) > 0;
  }

  private subscriptions(ctx: RequestContext): Repository<SubscriptionEntity> {
    return this.transactions.manager(ctx).getRepository(SubscriptionEntity);
  }
}
