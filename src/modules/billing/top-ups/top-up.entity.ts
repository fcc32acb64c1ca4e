import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type PaymentProviderName, type TopUpState } from './top-up';

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
