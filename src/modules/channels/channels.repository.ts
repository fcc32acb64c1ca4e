import { Injectable } from '@nestjs/common';
import { In, LessThan, type Repository } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { Transactions } from '#infra/database/transactions';
import { ChannelEntity } from './channel.entity';

@Injectable()
export class ChannelsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Counts a project's channels while nobody else can add one: the quota stays exact. */
  async lockAndCount(ctx: RequestContext, { projectId }: ProjectScope): Promise<number> {
    await this.transactions.advisoryLock(ctx, `channels|${projectId}`);
    return this.channels(ctx).countBy({ projectId });
  }

  async insert(ctx: RequestContext, channel: ChannelEntity): Promise<void> {
    await this.channels(ctx).insert(channel);
  }

  find(ctx: RequestContext, scope: ProjectScope, id: string): Promise<ChannelEntity | null> {
    return this.channels(ctx).findOneBy({ ...scopeOf(scope), id });
  }

  findMany(ctx: RequestContext, scope: ProjectScope, ids: readonly string[]): Promise<ChannelEntity[]> {
    return this.channels(ctx).findBy({ ...scopeOf(scope), id: In([...ids]) });
  }

  async page(ctx: RequestContext, scope: ProjectScope, { limit, cursor }: PageRequest): Promise<Page<ChannelEntity>> {
    const list: ListName = `channels|${scope.projectId}`;
    const before = decodeCursor(cursor, list);
    const rows = await this.channels(ctx).find({
      where: { ...scopeOf(scope), ...(before && { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take: limit + 1,
    });
    return pageOf(rows, limit, list);
  }

  existIn(ctx: RequestContext, organizationId: string): Promise<boolean> {
    return this.channels(ctx).existsBy({ organizationId });
  }

  /** False when it is gone. */
  async rename(ctx: RequestContext, scope: ProjectScope, id: string, name: string): Promise<boolean> {
    const { affected } = await this.channels(ctx).update({ ...scopeOf(scope), id }, { name });
    return affected === 1;
  }

  /** False when it was gone. */
  async delete(ctx: RequestContext, scope: ProjectScope, id: string): Promise<boolean> {
    const { affected } = await this.channels(ctx).delete({ ...scopeOf(scope), id });
    return affected === 1;
  }

  /** Locks a channel: its releases change in the transactions that hold it, one after the other. False when it is gone. */
  async lock(ctx: RequestContext, scope: ProjectScope, id: string): Promise<boolean> {
    const row = await this.channels(ctx).findOne({
      select: { id: true },
      where: { ...scopeOf(scope), id },
      lock: { mode: 'pessimistic_write' },
    });
    return row !== null;
  }

  /** Locks a channel and counts its next release; null when it is gone. Numbers are never used again. */
  async nextSequence(ctx: RequestContext, scope: ProjectScope, id: string): Promise<number | null> {
    const [rows]: [{ last_sequence: number }[], number] = await this.transactions.manager(ctx).query(
      `UPDATE channel SET last_sequence = last_sequence + 1
       WHERE organization_id = $1 AND project_id = $2 AND id = $3 RETURNING last_sequence`,
      [scope.organizationId, scope.projectId, id],
    );
    return rows[0]?.last_sequence ?? null;
  }

  private channels(ctx: RequestContext): Repository<ChannelEntity> {
    return this.transactions.manager(ctx).getRepository(ChannelEntity);
  }
}
