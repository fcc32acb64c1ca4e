import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { StorageAccountEntity } from './storage-account.entity';

@Injectable()
export class StorageAccountsRepository {
  constructor(private readonly transactions: Transactions) {}

  findById(ctx: RequestContext, id: string): Promise<StorageAccountEntity | null> {
    return this.accounts(ctx).findOneBy({ id });
  }

  find(ctx: RequestContext, organizationId: string): Promise<StorageAccountEntity | null> {
    return this.accounts(ctx).findOneBy({ organizationId });
  }

  /** Nobody else changes the organization's account, also where there is none yet, until the transaction ends. */
  async lock(ctx: RequestContext, organizationId: string): Promise<StorageAccountEntity | null> {
    await this.transactions.advisoryLock(ctx, `storage-account|${organizationId}`);
    return this.accounts(ctx).findOne({ where: { organizationId }, lock: { mode: 'pessimistic_write' } });
  }

  /** The account to which new artifacts go; it stays that until the transaction ends. */
  async keepReceiving(ctx: RequestContext, organizationId: string): Promise<string | null> {
    const [row]: { id: string }[] = await this.transactions
      .manager(ctx)
      .query(`SELECT id FROM storage_account WHERE organization_id = $1 AND receives FOR SHARE`, [organizationId]);
    return row?.id ?? null;
  }

  /** Those that wait to be empty. */
  findDraining(ctx: RequestContext): Promise<StorageAccountEntity[]> {
    return this.accounts(ctx).findBy({ state: 'draining', receives: false });
  }

  /**
   * How many blobs have still to go from it. Who forgets where a blob is notes its deletion in the same transaction: ask this after
   * all else that speaks of the account.
   */
  async countDeletions(ctx: RequestContext, id: string): Promise<number> {
    const [row] = await this.transactions
      .manager(ctx)
      .query<[{ left: number }]>(`SELECT count(*)::int AS left FROM graphile_worker.jobs WHERE queue_name = $1`, [id]);
    return row.left;
  }

  async save(ctx: RequestContext, account: StorageAccountEntity): Promise<void> {
    await this.accounts(ctx).save(account);
  }

  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.accounts(ctx).delete({ id });
  }

  private accounts(ctx: RequestContext): Repository<StorageAccountEntity> {
    return this.transactions.manager(ctx).getRepository(StorageAccountEntity);
  }
}
