import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { changed, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type BranchProblem } from '#modules/channels';
import { type UploadDraft } from '../lifecycle/upload';
import { RESUMABLE_LEASE_SECONDS } from '../lifecycle/uploads.repository';
import { isOpen, type OpenUpload, type ResumableUpload } from './resumable-upload';

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
  draft: UploadDraft;

  /** The owner of the credential that started the upload. Null for uploads of an earlier release. */
  @Column('text', { name: 'created_by_kind', nullable: true })
  createdByKind: string | null;

  @Column('uuid', { name: 'created_by_id', nullable: true })
  createdById: string | null;

  @Column('uuid', { name: 'build_id', nullable: true })
  buildId: string | null;

  @Column('uuid', { name: 'release_id', nullable: true })
  releaseId: string | null;

  @Column('uuid', { name: 'attachment_id', nullable: true })
  attachmentId: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'completed_at', precision: 3, nullable: true })
  completedAt: Date | null;
}

/** What an upload has made. */
export interface CompletedUpload {
  readonly buildId: string;
  /** The release that the build was promoted as; null when the upload named no channel. */
  readonly releaseId: string | null;
  /** The attachment of the build; null when the upload made the build. */
  readonly attachmentId: string | null;
  /** Not stored: absent when the upload is completed again. */
  readonly branchProblem?: BranchProblem | null;
}

interface Row extends ResumableUploadEntity {
  readonly storageAccount: string | null;
  readonly blobKey: string;
  readonly reservationId: string;
  readonly expiresAt: Date;
  readonly isRenewalDue: boolean;
}

/** The leases of an upload whose parts arrive quickly are not written for each part. */
const RENEW_SECONDS = 60;

const SELECT = `
  SELECT r.id, r.organization_id AS "organizationId", r.project_id AS "projectId", r.file_name AS "fileName",
         r.size_bytes AS "sizeBytes", r.part_size_bytes AS "partSizeBytes", r.draft, r.build_id AS "buildId",
         r.release_id AS "releaseId", r.attachment_id AS "attachmentId", r.created_at AS "createdAt",
         r.created_by_kind AS "createdByKind", r.created_by_id AS "createdById",
         r.store_upload_id AS "storeUploadId", u.storage_account AS "storageAccount", u.blob_key AS "blobKey",
         u.reservation_id AS "reservationId", u.leased_until AS "expiresAt",
         u.leased_until < app_now() + make_interval(secs => ${RESUMABLE_LEASE_SECONDS - RENEW_SECONDS}) AS "isRenewalDue"
  FROM resumable_upload r`;
const PENDING = `artifact_upload u ON u.id = r.id AND u.state = 'pending' AND u.leased_until > app_now()`;

/** An upload exists while its intent row is pending, and after that if it has made a build. */
@Injectable()
export class ResumableUploadsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(ctx: RequestContext, upload: ResumableUploadEntity): Promise<void> {
    await this.manager(ctx).insert(ResumableUploadEntity, upload);
  }

  async find(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    id: string,
  ): Promise<ResumableUpload | null> {
    const row = await one<Row>(
      this.manager(ctx),
      `${SELECT} LEFT JOIN ${PENDING}
       WHERE r.organization_id = $1 AND r.project_id = $2 AND r.id = $3 AND (u.id IS NOT NULL OR r.build_id IS NOT NULL)`,
      [organizationId, projectId, id],
    );
    return row && uploadFromRow(row);
  }

  /**
   * Locks the upload until the end of the transaction and returns it. The lock is a statement of its own, so that the second
   * statement sees what the previous holder of the lock has committed.
   */
  async lock(ctx: RequestContext, scope: ProjectScope, id: string): Promise<ResumableUpload | null> {
    await rows(
      this.manager(ctx),
      'SELECT 1 FROM resumable_upload WHERE organization_id = $1 AND project_id = $2 AND id = $3 FOR UPDATE',
      [scope.organizationId, scope.projectId, id],
    );
    return this.find(ctx, scope, id);
  }

  /** One page of the open uploads of a project, newest first. */
  async listOpen(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    { limit, cursor }: PageRequest,
  ): Promise<Page<OpenUpload>> {
    const list: ListName = `uploads|${projectId}`;
    const found = await rows<Row>(
      this.manager(ctx),
      `${SELECT} JOIN ${PENDING}
       WHERE r.organization_id = $1 AND r.project_id = $2 AND r.build_id IS NULL AND ($3::uuid IS NULL OR r.id < $3)
       ORDER BY r.id DESC LIMIT $4`,
      [organizationId, projectId, decodeCursor(cursor, list), limit + 1],
    );
    return pageOf(found.map(uploadFromRow).filter(isOpen), limit, list);
  }

  async countOpen(ctx: RequestContext, { organizationId, projectId }: ProjectScope): Promise<number> {
    const row = await one<{ open: number }>(
      this.manager(ctx),
      `SELECT count(*)::int AS open FROM resumable_upload r
       JOIN ${PENDING}
       WHERE r.organization_id = $1 AND r.project_id = $2`,
      [organizationId, projectId],
    );
    return row?.open ?? 0;
  }

  /** Saves the store's upload id unless the row has one. @returns the saved id; null when the row no longer exists. */
  async saveStoreUploadId(ctx: RequestContext, id: string, storeUploadId: string): Promise<string | null> {
    const row = await one<{ saved: string }>(
      this.manager(ctx),
      `UPDATE resumable_upload SET store_upload_id = coalesce(store_upload_id, $2)
       WHERE id = $1 RETURNING store_upload_id AS saved`,
      [id, storeUploadId],
    );
    return row?.saved ?? null;
  }

  async complete(ctx: RequestContext, id: string, completed: CompletedUpload): Promise<void> {
    await changed(
      this.manager(ctx),
      `UPDATE resumable_upload SET build_id = $2, release_id = $3, attachment_id = $4, completed_at = app_now() WHERE id = $1`,
      [id, completed.buildId, completed.releaseId, completed.attachmentId],
    );
  }

  /** Deletes uploads whose intent row is gone, and completed ones after a day. */
  async prune(ctx: RequestContext): Promise<void> {
    await changed(
      this.manager(ctx),
      `DELETE FROM resumable_upload r WHERE completed_at < app_now() - interval '1 day'
          OR (build_id IS NULL AND NOT EXISTS (SELECT 1 FROM artifact_upload u WHERE u.id = r.id))`,
    );
  }

  private manager(ctx: RequestContext) {
    return this.transactions.manager(ctx);
  }
}

const uploadFromRow = ({
  storageAccount,
  blobKey,
  reservationId,
  expiresAt,
  isRenewalDue,
  createdByKind: kind,
  createdById,
  ...row
}: Row): ResumableUpload => ({
  ...row,
  createdBy: kind === null ? null : { kind, id: createdById },
  sizeBytes: Number(row.sizeBytes),
  partSizeBytes: Number(row.partSizeBytes),
  pending:
    storageAccount === null
      ? null
      : { blob: { account: storageAccount, key: blobKey }, reservationId, expiresAt, isRenewalDue },
});
