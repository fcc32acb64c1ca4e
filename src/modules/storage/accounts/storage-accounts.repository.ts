import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, PrimaryColumn, type Repository, Unique } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { ACCOUNT_STATES, type AccountState, type StorePlace } from './storage-account';

/** An organization's own storage account. An organization has at most one. */
@Entity('storage_account')
@Unique('uq_storage_account_organization', ['organizationId'])
@Check('ck_storage_account_provider', `provider IN ('s3', 'azure')`)
@Check('ck_storage_account_state', `state IN (${ACCOUNT_STATES.map((state) => `'${state}'`).join(', ')})`)
@Check('ck_storage_account_receives', `state = 'draining' OR receives = (state = 'active')`)
export class StorageAccountEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_storage_account' })
  id: string;

  @ForeignKey('OrganizationEntity', { name: 'fk_storage_account_organization' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  provider: StorePlace['provider'];

  @Column({ type: 'jsonb' })
  place: StorePlace['place'];

  /** JSON, sealed with `credentialsContext`. */
  @Column({ type: 'bytea', name: 'sealed_credentials' })
  sealedCredentials: Buffer;

  @Column('text')
  state: AccountState;

  @Column('boolean')
  receives: boolean;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}

@Injectable()
export class StorageAccountsRepository {
  constructor(private readonly transactions: Transactions) {}

  findById(ctx: RequestContext, id: string): Promise<StorageAccountEntity | null> {
    return this.accounts(ctx).findOneBy({ id });
  }

  findByOrganization(ctx: RequestContext, organizationId: string): Promise<StorageAccountEntity | null> {
    return this.accounts(ctx).findOneBy({ organizationId });
  }

  /**
   * Locks the organization's account until the transaction ends. The advisory lock also covers an organization that has no account
   * yet.
   */
  async lock(ctx: RequestContext, organizationId: string): Promise<StorageAccountEntity | null> {
    await this.transactions.advisoryLock(ctx, `storage-account|${organizationId}`);
    return this.accounts(ctx).findOne({ where: { organizationId }, lock: { mode: 'pessimistic_write' } });
  }

  /** The accounts to be removed once they are empty. */
  findDraining(ctx: RequestContext): Promise<StorageAccountEntity[]> {
    return this.accounts(ctx).findBy({ state: 'draining', receives: false });
  }

  /**
   * The number of blobs still to be deleted from an account. A transaction that removes a reference to a blob enqueues its deletion,
   * so count the references before the deletions: the other order can miss a blob.
   */
  async countDeletions(ctx: RequestContext, id: string): Promise<number> {
    const statement = 'SELECT count(*)::int AS count FROM graphile_worker.jobs WHERE queue_name = $1';
    const row = await one<{ count: number }>(this.transactions.manager(ctx), statement, [id]);
    return row?.count ?? 0;
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
