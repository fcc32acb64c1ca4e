import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A build that is there, as far as the meter knows builds: what is counted again when an organization's meters start. */
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
