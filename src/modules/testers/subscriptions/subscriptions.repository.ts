import { Injectable } from '@nestjs/common';
import { Any, type Repository } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { SubscriptionEntity } from './subscription.entity';

@Injectable()
export class SubscriptionsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** @returns the testers who were not subscribed before. */
  async insert(
    ctx: RequestContext,
    scope: ProjectScope,
    channelId: string,
    testerIds: readonly string[],
  ): Promise<readonly string[]> {
    if (testerIds.length === 0) return [];
    const inserted = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      `INSERT INTO subscription (organization_id, project_id, channel_id, tester_id, created_at)
       SELECT $1, $2, $3, tester_id, $5 FROM unnest($4::uuid[]) AS tester_id
       ON CONFLICT DO NOTHING RETURNING tester_id AS id`,
      [scope.organizationId, scope.projectId, channelId, testerIds, ctx.clock.now()],
    );
    return inserted.map(({ id }) => id);
  }

  async findByTesters(ctx: RequestContext, testerIds: readonly string[]): Promise<readonly SubscriptionEntity[]> {
    return testerIds.length === 0
      ? []
      : this.subscriptions(ctx).find({ where: { testerId: Any([...testerIds]) }, order: { createdAt: 'ASC' } });
  }

  async delete(ctx: RequestContext, scope: ProjectScope, testerId: string, channelId?: string): Promise<boolean> {
    const { affected } = await this.subscriptions(ctx).delete({
      ...scopeOf(scope),
      testerId,
      ...(channelId !== undefined && { channelId }),
    });
    return (affected ?? 0) > 0;
  }

  /** @returns the testers who were subscribed before. */
  async deleteMany(
    ctx: RequestContext,
    scope: ProjectScope,
    channelId: string,
    testerIds: readonly string[],
  ): Promise<readonly string[]> {
    if (testerIds.length === 0) return [];
    const deleted = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      `DELETE FROM subscription
       WHERE organization_id = $1 AND project_id = $2 AND channel_id = $3 AND tester_id = ANY ($4::uuid[])
       RETURNING tester_id AS id`,
      [scope.organizationId, scope.projectId, channelId, testerIds],
    );
    return deleted.map(({ id }) => id);
  }

  async deleteOfChannel(tx: RequestContext, scope: ProjectScope, channelId: string): Promise<void> {
    await this.subscriptions(tx).delete({ ...scopeOf(scope), channelId });
  }

  async listTesterIds(ctx: RequestContext, channelId: string): Promise<readonly string[]> {
    const sql = 'SELECT tester_id AS id FROM subscription WHERE channel_id = $1';
    return (await rows<{ id: string }>(this.transactions.manager(ctx), sql, [channelId])).map(({ id }) => id);
  }

  count(ctx: RequestContext, channelId: string): Promise<number> {
    return this.subscriptions(ctx).countBy({ channelId });
  }

  private subscriptions(ctx: RequestContext): Repository<SubscriptionEntity> {
    return this.transactions.manager(ctx).getRepository(SubscriptionEntity);
  }
}
