import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { type BuildDraft } from '#modules/builds';

/**
 * A resumable upload as the client knows it. It has the id of its `artifact_upload` row, which holds the lease, and outlives
 * that row, so that a repeated completion returns the build. No foreign keys: the project may be deleted first.
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

  /** The store's id of the upload; null until the first part URL is requested. */
  @Column('text', { name: 'store_upload_id', nullable: true })
  storeUploadId: string | null;

  @Column('jsonb')
  draft: BuildDraft;

  /** The owner of the credential that started the upload. Null for uploads of an earlier release. */
  @Column('text', { name: 'created_by_kind', nullable: true })
  createdByKind: string | null;

  @Column('uuid', { name: 'created_by_id', nullable: true })
  createdById: string | null;

  @Column('uuid', { name: 'build_id', nullable: true })
  buildId: string | null;

  @Column('uuid', { name: 'release_id', nullable: true })
  releaseId: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'completed_at', precision: 3, nullable: true })
  completedAt: Date | null;
}
