import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { type LedgerKind } from './ledger';

/** One movement of an organization's balance. Append-only in the database itself; no foreign keys: it outlives everybody. */
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

  /** Below zero: a charge. */
  @Column('bigint', { name: 'amount_micro_usd' })
  amountMicroUsd: string;

  /** What was metered: bytes, or for storage bytes times milliseconds. */
  @Column('numeric', { nullable: true })
  quantity: string | null;

  @Column('text')
  period: string;

  /** What it is for, once for each kind: no effect is booked twice. */
  @Column('text')
  reference: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
