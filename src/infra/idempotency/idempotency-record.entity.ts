import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A claimed key and, once its effect is committed, the sealed response. */
@Entity('idempotency_record')
@Check('ck_idempotency_record_answer', `(state = 'done') = (answer IS NOT NULL)`)
@Index('ix_idempotency_record_created_at', ['createdAt'])
export class IdempotencyRecordEntity {
  /** SHA-256 of owner, method, route and key. It reveals none of them. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'pk_idempotency_record' })
  id: Buffer;

  /** SHA-256 of the request's path, query and body. */
  @Column({ type: 'bytea' })
  fingerprint: Buffer;

  @Column('text')
  state: 'in_flight' | 'done';

  /** The attempt that holds the claim. Only this attempt may finish or renew it. */
  @Column('uuid')
  attempt: string;

  @Column({ type: 'timestamptz', name: 'leased_until', precision: 3 })
  leasedUntil: Date;

  @Column('bytea', { nullable: true })
  answer: Buffer | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

/** The size of the responses that are stored for one owner, summed per hour. */
@Entity('idempotency_volume')
@Check('ck_idempotency_volume_size', 'size_bytes > 0')
@Index('ix_idempotency_volume_hour', ['hour'])
export class IdempotencyVolumeEntity {
  /** SHA-256 of the owner. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'pk_idempotency_volume' })
  owner: Buffer;

  /** Start of the hour in which the keys were claimed. Their records are deleted within a day of its end. */
  @PrimaryColumn({
    type: 'timestamptz',
    precision: 3,
    primaryKeyConstraintName: 'pk_idempotency_volume',
  })
  hour: Date;

  @Column('bigint', { name: 'size_bytes' })
  sizeBytes: string;
}
