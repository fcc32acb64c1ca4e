import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The intent row of an upload. It is inserted before the first byte and deleted in the transaction that makes the build, so
 * the sweep finds the bytes of a killed process by this row. No foreign keys: the project may be deleted first.
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

  /** The developer or project access token of an upload in one request, for the limit of uploads at once. Null: not limited. */
  @Column('text', { nullable: true })
  uploader: string | null;

  @Column('text')
  state: 'pending' | 'abandoned';

  /** While pending: end of the lease. Once abandoned: when the sweep deletes the bytes a second time. */
  @Column({ type: 'timestamptz', name: 'leased_until', precision: 3 })
  leasedUntil: Date;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
