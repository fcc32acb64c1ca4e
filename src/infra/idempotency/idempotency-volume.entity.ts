import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What the answers of one hour take that are kept for one owner. */
@Entity('idempotency_volume')
@Check('ck_idempotency_volume_size', 'size_bytes > 0')
@Index('ix_idempotency_volume_hour', ['hour'])
export class IdempotencyVolumeEntity {
  /** SHA-256 of whose answers they are: like the records, it names nobody. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'pk_idempotency_volume' })
  owner: Buffer;

  /** Its beginning. Their keys were claimed in it, so a day after its end none of them is left. */
  @PrimaryColumn({
    type: 'timestamptz',
    precision: 3,
    primaryKeyConstraintName: 'pk_idempotency_volume',
  })
  hour: Date;

  @Column('bigint', { name: 'size_bytes' })
  sizeBytes: string;
}
