import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A claimed key, and, once its effect is committed, the sealed answer. */
@Entity('idempotency_record')
@Check('ck_idempotency_record_answer', `(state = 'done') = (answer IS NOT NULL)`)
@Index('ix_idempotency_record_created_at', ['createdAt'])
export class IdempotencyRecordEntity {
  /** SHA-256 of owner, method, route and key: nothing of them can be read from it. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'pk_idempotency_record' })
  id: Buffer;

  /** SHA-256 of what was asked. */
  @Column({ type: 'bytea' })
  fingerprint: Buffer;

  @Column('text')
  state: 'in_flight' | 'done';

  /** Whose attempt it is: only it may finish or renew the claim. */
  @Column('uuid')
  attempt: string;

  @Column({ type: 'timestamptz', name: 'leased_until', precision: 3 })
  leasedUntil: Date;

  @Column('bytea', { nullable: true })
  answer: Buffer | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
