import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** The hosted store that this installation keeps its artifacts in: one row. */
@Entity('hosted_store')
@Check('ck_hosted_store_single', 'id = 1')
export class HostedStoreEntity {
  @PrimaryColumn('smallint', { primaryKeyConstraintName: 'pk_hosted_store', default: 1 })
  id: number;

  @Column('text')
  provider: string;

  /** The bucket or container with its endpoint or account. Empty for local storage: the folder moves with `DATA_DIR`. */
  @Column('text')
  place: string;

  @Column({ type: 'timestamptz', name: 'recorded_at', precision: 3 })
  recordedAt: Date;
}
