import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { type LedgerKind } from './ledger-entry';

/**
 * One change of an organization's balance. The database rejects updates and deletions. There are no foreign keys, because entries
 * outlive their organization.
 */
@Entity('ledger_entry')
@Unique('uq_ledger_entry_reference', ['organizationId', 'kind', 'reference'])
@Check('ck_ledger_entry_quantity', `quantity >= 0 AND (quantity IS NOT NULL) = (kind LIKE 'usage_%')`)
@Index('ix_ledger_entry_organization', ['organizationId', 'id'])
@Index('ix_ledger_entry_period', ['organizationId', 'period'])
export class LedgerEntryEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_ledger_entry' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  kind: LedgerKind;

  /** Negative for a charge. */
  @Column('bigint', { name: 'amount_micro_usd' })
  amountMicroUsd: string;

  /** The metered quantity: bytes, or for storage bytes times milliseconds. */
  @Column('numeric', { nullable: true })
  quantity: string | null;

  @Column('text')
  period: string;

  /** Identifies the effect, so that it is booked once. */
  @Column('text')
  reference: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
