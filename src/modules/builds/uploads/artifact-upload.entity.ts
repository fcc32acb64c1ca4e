import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * An upload on its way. The row is there before the first byte and goes with the commit of the build, so that no byte is
 * ever unaccountable: whatever a killed process leaves, the sweeper finds by it. No foreign keys: other things may go first.
 */
@Entity('artifact_upload')
@Check('ck_artifact_upload_state', `state IN ('pending', 'abandoned')`)
@Index('ix_artifact_upload_leased_until', ['leasedUntil'])
export class ArtifactUploadEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_artifact_upload' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('text', { name: 'storage_account' })
  storageAccount: string;

  @Column('text', { name: 'blob_key' })
  blobKey: string;

  @Column('uuid', { name: 'reservation_id' })
  reservationId: string;

  @Column('text')
  state: 'pending' | 'abandoned';

  /** While pending: whoever uploads is alive until then. Once abandoned: when the bytes are deleted a last time. */
  @Column({ type: 'timestamptz', name: 'leased_until', precision: 3 })
  leasedUntil: Date;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
