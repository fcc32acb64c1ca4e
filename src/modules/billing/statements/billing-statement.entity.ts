import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import { type Plan } from '../plans/plan';

/** The sums of a closed period. The database rejects updates and deletions; a check ensures that the parts add up. */
@Entity('billing_statement')
@Unique('uq_billing_statement_period', ['organizationId', 'period'])
@Check(
  'ck_billing_statement_sum',
  'closing_balance_micro_usd = opening_balance_micro_usd + credits_micro_usd - fees_micro_usd - storage_micro_usd - upload_micro_usd - download_micro_usd',
)
export class BillingStatementEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_billing_statement' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  period: string;

  /** The plan at the end of the period. */
  @Column('text')
  plan: Plan;

  @Column('bigint', { name: 'opening_balance_micro_usd' })
  openingBalanceMicroUsd: string;

  @Column('bigint', { name: 'credits_micro_usd' })
  creditsMicroUsd: string;

  @Column('bigint', { name: 'fees_micro_usd' })
  feesMicroUsd: string;

  @Column('bigint', { name: 'storage_micro_usd' })
  storageMicroUsd: string;

  @Column('bigint', { name: 'upload_micro_usd' })
  uploadMicroUsd: string;

  @Column('bigint', { name: 'download_micro_usd' })
  downloadMicroUsd: string;

  @Column('bigint', { name: 'closing_balance_micro_usd' })
  closingBalanceMicroUsd: string;

  @Column('numeric', { name: 'storage_byte_ms' })
  storageByteMs: string;

  @Column('numeric', { name: 'upload_bytes' })
  uploadBytes: string;

  @Column('numeric', { name: 'download_bytes' })
  downloadBytes: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
