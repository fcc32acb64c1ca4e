import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { type DataExportReason, type DataExportState } from './data-export';

/** An export that a developer requested. The archive is in the hosted store until the row is deleted. */
@Entity('data_export')
@Check('ck_data_export_kind', `kind IN ('organization', 'developer')`)
@Check('ck_data_export_state', `state IN ('requested', 'running', 'ready', 'failed')`)
@Check('ck_data_export_ready', `(state = 'ready') = (size_bytes IS NOT NULL AND sha256 IS NOT NULL)`)
@Index('ix_data_export_subject', ['subjectId', 'id'])
@Index('ix_data_export_requested_by', ['requestedBy'])
@Index('ix_data_export_expires_at', ['expiresAt'])
export class DataExportEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_data_export' })
  id: string;

  @Column('text')
  kind: 'organization' | 'developer';

  /** The id of the organization or the developer. */
  @Column('uuid', { name: 'subject_id' })
  subjectId: string;

  @Column('uuid', { name: 'requested_by' })
  requestedBy: string;

  @Column('text')
  state: DataExportState;

  /** Why it failed. Null in other states. */
  @Column('text', { nullable: true })
  reason: DataExportReason | null;

  @Column('bigint', { name: 'size_bytes', nullable: true })
  sizeBytes: string | null;

  @Column({ type: 'bytea', nullable: true })
  sha256: Buffer | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** When the row and the archive are deleted. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
