import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

/** The hosted store that this installation keeps its artifacts in: one row. */
@Entity('hosted_store')
@Check('ck_hosted_store_single', 'id = 1')
export class HostedStoreEntity {
  @PrimaryColumn('smallint', { primaryKeyConstraintName: 'pk_hosted_store', default: 1 })
  id: number;

  @Column('text')
  provider: string;

  /** The bucket or container with its endpoint or account. Empty for local storage: the folder moves with `DATA_DIR`. */
  @Column('text')
  place: string;

  @Column({ type: 'timestamptz', name: 'recorded_at', precision: 3 })
  recordedAt: Date;
}

/** Provider and place of a hosted store, without secrets. */
export type HostedStoreIdentity = Readonly<Pick<HostedStoreEntity, 'provider' | 'place'>>;

@Injectable()
export class HostedStoreRepository {
  constructor(private readonly transactions: Transactions) {}

  /** False for the schema of an earlier version. */
  async hasTable(ctx: RequestContext): Promise<boolean> {
    const manager = this.transactions.manager(ctx);
    return (await one(manager, `SELECT 1 WHERE to_regclass('hosted_store') IS NOT NULL`)) !== null;
  }

  find(ctx: RequestContext): Promise<HostedStoreIdentity | null> {
    return one<HostedStoreIdentity>(this.transactions.manager(ctx), 'SELECT provider, place FROM hosted_store');
  }

  async record(ctx: RequestContext, { provider, place }: HostedStoreIdentity): Promise<void> {
    await rows(
      this.transactions.manager(ctx),
      `INSERT INTO hosted_store (id, provider, place, recorded_at) VALUES (1, $1, $2, app_now())
       ON CONFLICT (id) DO UPDATE SET provider = $1, place = $2, recorded_at = app_now()`,
      [provider, place],
    );
  }
}
