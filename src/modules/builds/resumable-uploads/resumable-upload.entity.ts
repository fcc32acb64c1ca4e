import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { type BuildDraft } from '../catalogue/build-draft';

/**
 * An upload in parts, as its client knows it, with the id of its `artifact_upload`: that one says whether it still lives, this
 * one outlives it, so that whoever completes it again is told its build. No foreign keys: other things may go first.
 */
@Entity('resumable_upload')
@Check('ck_resumable_upload_size', 'size_bytes > 0 AND part_size_bytes > 0')
@Check('ck_resumable_upload_completed', '(build_id IS NULL) = (completed_at IS NULL)')
@Index('ix_resumable_upload_project', ['projectId'])
export class ResumableUploadEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_resumable_upload' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('text', { name: 'file_name' })
  fileName: string;

  @Column('bigint', { name: 'size_bytes' })
  sizeBytes: string;

  @Column('bigint', { name: 'part_size_bytes' })
  partSizeBytes: string;

  /** The store's name for it; null until the first part is asked for. */
  @Column('text', { name: 'store_upload_id', nullable: true })
  storeUploadId: string | null;

  @Column('jsonb')
  draft: BuildDraft;

  @Column('uuid', { name: 'build_id', nullable: true })
  buildId: string | null;

  @Column('uuid', { name: 'release_id', nullable: true })
  releaseId: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'completed_at', precision: 3, nullable: true })
  completedAt: Date | null;
}
