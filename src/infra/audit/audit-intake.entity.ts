import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a transaction has recorded so far. No other ever sees a row of it: the commit moves them into the feed. */
@Entity('audit_intake')
export class AuditIntakeEntity {
  @PrimaryColumn('bigint', { name: 'transaction_id', primaryKeyConstraintName: 'pk_audit_intake' })
  transactionId: string;

  @PrimaryColumn('uuid', { name: 'event_id', primaryKeyConstraintName: 'pk_audit_intake' })
  eventId: string;

  @Column({ type: 'jsonb' })
  event: Record<string, unknown>;
}
