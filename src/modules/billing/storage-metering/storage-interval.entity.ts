import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** How long a build was kept at its organization's cost; open while it is. */
@Entity('storage_interval')
@Check('ck_storage_interval_size', 'size_bytes >= 0')
@Check('ck_storage_interval_order', 'ended_at >= started_at')
@Index('uq_storage_interval_open', ['buildId'], { unique: true, where: 'ended_at IS NULL' })
@Index('ix_storage_interval_organization', ['organizationId', 'endedAt'])
export class StorageIntervalEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_storage_interval' })
  id: string;

  @ForeignKey('BillingAccountEntity', 'organizationId', { name: 'fk_storage_interval_account', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'build_id' })
  buildId: string;

  @Column('bigint', { name: 'size_bytes' })
  sizeBytes: string;

  @Column({ type: 'timestamptz', name: 'started_at', precision: 3 })
  startedAt: Date;

  @Column({ type: 'timestamptz', name: 'ended_at', precision: 3, nullable: true })
  endedAt: Date | null;
}
