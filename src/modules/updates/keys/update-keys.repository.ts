import { Injectable } from '@nestjs/common';
import { LessThan, type Repository } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { Transactions } from '#infra/database/transactions';
import { UpdateKeyEntity } from './update-key.entity';

/** The parts of a row that a rotation replaces. */
export type ReplacedToken = Pick<UpdateKeyEntity, 'digest' | 'sealedToken' | 'rotatedAt'>;

@Injectable()
export class UpdateKeysRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(ctx: RequestContext, key: UpdateKeyEntity): Promise<void> {
    await this.keys(ctx).insert(key);
  }

  find(ctx: RequestContext, scope: ProjectScope, id: string): Promise<UpdateKeyEntity | null> {
    return this.keys(ctx).findOneBy({ ...scopeOf(scope), id });
  }

  /** One page of the keys of a project or, with a channel, of that channel, newest first. */
  async list(
    ctx: RequestContext,
    scope: ProjectScope,
    channelId: string | undefined,
    { limit, cursor }: PageRequest,
  ): Promise<Page<UpdateKeyEntity>> {
    const list: ListName = `update-keys|${channelId ?? scope.projectId}`;
    const before = decodeCursor(cursor, list);
    const rows = await this.keys(ctx).find({
      where: {
        ...scopeOf(scope),
        ...(channelId !== undefined && { channelId }),
        ...(before && { id: LessThan(before) }),
      },
      order: { id: 'DESC' },
      take: limit + 1,
    });
    return pageOf(rows, limit, list);
  }

  /** @returns false when the key does not exist. */
  async replaceToken(ctx: RequestContext, scope: ProjectScope, id: string, token: ReplacedToken): Promise<boolean> {
    return (await this.keys(ctx).update({ ...scopeOf(scope), id }, token)).affected === 1;
  }

  /** @returns false when the key does not exist. */
  async delete(ctx: RequestContext, scope: ProjectScope, id: string): Promise<boolean> {
    return (await this.keys(ctx).delete({ ...scopeOf(scope), id })).affected === 1;
  }

  private keys(ctx: RequestContext): Repository<UpdateKeyEntity> {
    return this.transactions.manager(ctx).getRepository(UpdateKeyEntity);
  }
}
