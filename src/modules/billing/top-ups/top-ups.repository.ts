import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { columnsOf, deleteOlder, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type PaymentProviderName, type TopUp, type TopUpState } from './top-up';

/** A purchase of credit. It becomes paid once. */
@Entity('top_up')
@Unique('uq_top_up_payment', ['provider', 'paymentReference'])
@Check('ck_top_up_amount', 'amount_micro_usd > 0')
@Check('ck_top_up_provider', `provider IN ('manual', 'stripe')`)
@Check('ck_top_up_state', `state IN ('pending', 'paid')`)
@Check('ck_top_up_paid', `(state = 'paid') = (paid_at IS NOT NULL)`)
@Index('ix_top_up_organization', ['organizationId', 'id'])
@Index('ix_top_up_pending', ['createdAt'], { where: "state = 'pending'" })
export class TopUpEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_top_up' })
  id: string;

  @ForeignKey('BillingAccountEntity', 'organizationId', { name: 'fk_top_up_account', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('bigint', { name: 'amount_micro_usd' })
  amountMicroUsd: string;

  @Column('text')
  provider: PaymentProviderName;

  @Column('text')
  state: TopUpState;

  /** The provider's id of the payment. */
  @Column('text', { name: 'payment_reference', nullable: true })
  paymentReference: string | null;

  @Column('text', { name: 'checkout_url', nullable: true })
  checkoutUrl: string | null;

  @Column('uuid', { name: 'requested_by', nullable: true })
  requestedBy: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'paid_at', precision: 3, nullable: true })
  paidAt: Date | null;
}

@Injectable()
export class TopUpsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(ctx: RequestContext, topUp: TopUp, payment: { reference: string | null; by: string }): Promise<void> {
    await this.transactions.manager(ctx).insert(TopUpEntity, {
      ...topUp,
      amountMicroUsd: String(topUp.amountMicroUsd),
      paymentReference: payment.reference,
      requestedBy: payment.by,
    });
  }

  /** Newest first. Ids of top-ups are not ordered by time. */
  async list(ctx: RequestContext, organizationId: string, { limit, cursor }: PageRequest): Promise<Page<TopUp>> {
    const list: ListName = `top-ups|${organizationId}`;
    const manager = this.transactions.manager(ctx);
    const found = await rows<TopUpEntity>(
      manager,
      `SELECT ${columnsOf(manager.getRepository(TopUpEntity).metadata)} FROM top_up
       WHERE organization_id = $1
         AND ($2::uuid IS NULL OR (created_at, id) < (SELECT created_at, id FROM top_up WHERE organization_id = $1 AND id = $2))
       ORDER BY created_at DESC, id DESC LIMIT $3`,
      [organizationId, decodeCursor(cursor, list), limit + 1],
    );
    return pageOf(found.map(topUpFromRow), limit, list);
  }

  async find(ctx: RequestContext, id: string): Promise<TopUp | null> {
    const row = await this.transactions.manager(ctx).findOneBy(TopUpEntity, { id });
    return row && topUpFromRow(row);
  }

  /** @param reference the provider's id of the payment. */
  async findByPayment(ctx: RequestContext, provider: PaymentProviderName, reference: string): Promise<TopUp | null> {
    const row = await this.transactions.manager(ctx).findOneBy(TopUpEntity, { provider, paymentReference: reference });
    return row && topUpFromRow(row);
  }

  /** The pending top-ups, oldest first, at most a thousand. */
  async findPending(ctx: RequestContext): Promise<readonly TopUp[]> {
    const pending = await this.transactions
      .manager(ctx)
      .find(TopUpEntity, { where: { state: 'pending' }, order: { createdAt: 'ASC', id: 'ASC' }, take: 1000 });
    return pending.map(topUpFromRow);
  }

  /** False when the top-up is already paid. */
  async markPaid(ctx: RequestContext, id: string, paidAt: Date): Promise<boolean> {
    const { affected } = await this.transactions
      .manager(ctx)
      .update(TopUpEntity, { id, state: 'pending' }, { state: 'paid', paidAt });
    return affected === 1;
  }

  /** Deletes top-ups pending for 90 days. A Stripe Checkout page expires after a day; a payment made there can take 14 more. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteOlder(this.transactions.manager(ctx), 'top_up', {
      column: 'created_at',
      age: `interval '90 days'`,
      where: `state = 'pending'`,
    });
  }
}

const topUpFromRow = (row: TopUpEntity): TopUp => ({
  id: row.id,
  organizationId: row.organizationId,
  amountMicroUsd: BigInt(row.amountMicroUsd),
  provider: row.provider,
  state: row.state,
  checkoutUrl: row.checkoutUrl,
  createdAt: row.createdAt,
  paidAt: row.paidAt,
});
