import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type Plan } from '../plans/plan';

/** The billing account of an organization. Every reservation updates this row, so transactions must hold its lock only briefly. */
@Entity('billing_account')
@Check('ck_billing_account_plan', `plan IN ('team', 'business')`)
@Check('ck_billing_account_amounts', `reserved_micro_usd >= 0 AND spent_micro_usd >= 0 AND spend_cap_micro_usd >= 0`)
@Check('ck_billing_account_periods', `open_period <= spent_period`)
@Index('ix_billing_account_open_period', ['openPeriod'])
export class BillingAccountEntity {
  @ForeignKey('OrganizationEntity', { name: 'fk_billing_account_organization', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'pk_billing_account' })
  organizationId: string;

  @Column('text')
  plan: Plan;

  @Column({ type: 'timestamptz', name: 'plan_since', precision: 3 })
  planSince: Date;

  /** The sum of the ledger entries. */
  @Column('bigint', { name: 'balance_micro_usd' })
  balanceMicroUsd: string;

  /** The sum of the active reservations. */
  @Column('bigint', { name: 'reserved_micro_usd' })
  reservedMicroUsd: string;

  @Column('bigint', { name: 'spend_cap_micro_usd', nullable: true })
  spendCapMicroUsd: string | null;

  @Column('integer', { name: 'budget_alert_percents', array: true })
  budgetAlertPercents: number[];

  /** Usage charged in `spent_period`. */
  @Column('bigint', { name: 'spent_micro_usd' })
  spentMicroUsd: string;

  @Column('text', { name: 'spent_period' })
  spentPeriod: string;

  /** The highest budget threshold for which an alert was sent in `spent_period`; 0 when none was. */
  @Column('integer', { name: 'alerted_percent' })
  alertedPercent: number;

  /** The oldest period that is not closed. */
  @Column('text', { name: 'open_period' })
  openPeriod: string;

  @Column('boolean')
  metered: boolean;

  @Column('boolean', { name: 'fee_waived' })
  feeWaived: boolean;

  /** The period whose fee the members were warned about. */
  @Column('text', { name: 'fee_warning_period', nullable: true })
  feeWarningPeriod: string | null;
}
