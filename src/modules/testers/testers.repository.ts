import { Injectable } from '@nestjs/common';
import { In, LessThan, type Repository } from 'typeorm';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { emailKeyOf } from '#kernel/text/email-key';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { Transactions } from '#infra/database/transactions';
import { SubscriptionEntity } from './subscriptions/subscription.entity';
import { TesterEntity } from './tester.entity';

export interface TesterFilter {
  /** Exactly this address. */
  readonly email?: string | undefined;
  /** Found anywhere in address or name, whatever the case. */
  readonly q?: string | undefined;
  /** Subscribers of this channel. */
  readonly channelId?: string | undefined;
}

/** PostgreSQL takes 65,535 parameters in one statement. */
const INSERT_ROWS = 1000;

@Injectable()
export class TestersRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Counts a project's testers while nobody else can add one: the quota stays exact. */
  async lockAndCount(ctx: RequestContext, scope: ProjectScope): Promise<number> {
    await this.transactions.advisoryLock(ctx, `testers|${scope.projectId}`);
    return this.testers(ctx).countBy(scopeOf(scope));
  }

  async insert(ctx: RequestContext, testers: readonly TesterEntity[]): Promise<void> {
    for (let at = 0; at < testers.length; at += INSERT_ROWS) {
      await this.testers(ctx).insert(testers.slice(at, at + INSERT_ROWS));
    }
  }

  find(ctx: RequestContext, scope: ProjectScope, id: string): Promise<TesterEntity | null> {
    return this.testers(ctx).findOneBy({ ...scopeOf(scope), id });
  }

  /** In whatever project. */
  exists(ctx: RequestContext, id: string): Promise<boolean> {
    return this.testers(ctx).existsBy({ id });
  }

  /** Locks a tester: what they take part in changes in the transactions that hold it, one after the other. */
  lock(ctx: RequestContext, scope: ProjectScope, id: string): Promise<TesterEntity | null> {
    return this.testers(ctx).findOne({ where: { ...scopeOf(scope), id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Those of the addresses who are there, locked. */
  lockByEmailKeys(ctx: RequestContext, scope: ProjectScope, emailKeys: readonly string[]): Promise<TesterEntity[]> {
    return this.testers(ctx).find({
      where: { ...scopeOf(scope), emailKey: In([...emailKeys]) },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
  }

  async page(
    ctx: RequestContext,
    scope: ProjectScope,
    { email, q, channelId }: TesterFilter,
    { limit, cursor }: PageRequest,
  ): Promise<Page<TesterEntity>> {
    const list: ListName = `testers|${scope.projectId}`;
    const before = decodeCursor(cursor, list);
    const query = this.testers(ctx)
      .createQueryBuilder('tester')
      .where({
        ...scopeOf(scope),
        ...(before && { id: LessThan(before) }),
        ...(email !== undefined && { emailKey: emailKeyOf(email) }),
      })
      .orderBy('tester.id', 'DESC')
      .limit(limit + 1);
    if (q) {
      query.andWhere('(tester.email ILIKE :q OR tester.name ILIKE :q)', { q: `%${q.replace(/[\\%_]/g, '\\$&')}%` });
    }
    if (channelId) {
      query.innerJoin(SubscriptionEntity, 's', 's.tester_id = tester.id AND s.channel_id = :channelId', { channelId });
    }
    return pageOf(await query.getMany(), limit, list);
  }

  async rename(ctx: RequestContext, scope: ProjectScope, id: string, name: string | null): Promise<boolean> {
    return (await this.testers(ctx).update({ ...scopeOf(scope), id }, { name })).affected === 1;
  }

  async delete(ctx: RequestContext, scope: ProjectScope, id: string): Promise<boolean> {
    return (await this.testers(ctx).delete({ ...scopeOf(scope), id })).affected === 1;
  }

  async addPlatform(ctx: RequestContext, scope: ProjectScope, id: string, platform: Platform): Promise<void> {
    await this.transactions.manager(ctx).query(
      `UPDATE tester SET platforms = array_append(platforms, $4)
       WHERE id = $1 AND organization_id = $2 AND project_id = $3 AND NOT $4 = ANY (platforms)`,
      [id, scope.organizationId, scope.projectId, platform],
    );
  }

  private testers(ctx: RequestContext): Repository<TesterEntity> {
    return this.transactions.manager(ctx).getRepository(TesterEntity);
  }
}
