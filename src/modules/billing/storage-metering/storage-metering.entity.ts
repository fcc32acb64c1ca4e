import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** An existing build, for the storage meter. Intervals are opened for these builds when an organization becomes metered again. */
@Entity('stored_build')
@Check('ck_stored_build_size', 'size_bytes >= 0')
@Index('ix_stored_build_organization', ['organizationId'])
export class StoredBuildEntity {
  @PrimaryColumn('uuid', { name: 'build_id', primaryKeyConstraintName: 'pk_stored_build' })
  buildId: string;

  @ForeignKey('BillingAccountEntity', 'organizationId', { name: 'fk_stored_build_account', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('bigint', { name: 'size_bytes' })
  sizeBytes: string;
}

/** A time span in which a build's storage was charged to its organization. */
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

  /** Null while the build is stored. */
  @Column({ type: 'timestamptz', name: 'ended_at', precision: 3, nullable: true })
  endedAt: Date | null;
}
