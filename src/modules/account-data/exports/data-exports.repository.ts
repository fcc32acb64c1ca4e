import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { changed, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import {
  type DataExport,
  type DataExportReason,
  type DataExportState,
  type ExportProgress,
  type ExportSubject,
} from './data-export';

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

  /** What a running export has read so far. */
  @Column({ type: 'jsonb', nullable: true })
  progress: ExportProgress | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** When the row and the archive are deleted. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}

/** A deleted row whose blobs are still in the store. */
export type DeletedExport = Pick<DataExport, 'id' | 'progress'>;

const LIFETIME = `interval '24 hours'`;

@Injectable()
export class DataExportsRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Locks the exports of the subject until the transaction ends.
   * @returns when the exports of the last day were requested, the oldest first.
   */
  async lockRecent(tx: RequestContext, subject: ExportSubject): Promise<Date[]> {
    await this.transactions.advisoryLock(tx, `data-exports|${subject.id}`);
    const recent = await rows<{ createdAt: Date }>(
      this.manager(tx),
      `SELECT created_at AS "createdAt" FROM data_export
       WHERE kind = $1 AND subject_id = $2 AND created_at > app_now() - ${LIFETIME} ORDER BY id`,
      [subject.kind, subject.id],
    );
    return recent.map(({ createdAt }) => createdAt);
  }

  async insert(tx: RequestContext, id: string, subject: ExportSubject, requestedBy: string): Promise<void> {
    await changed(
      this.manager(tx),
      `INSERT INTO data_export (id, kind, subject_id, requested_by, state, created_at, expires_at)
       VALUES ($1, $2, $3, $4, 'requested', app_now(), app_now() + ${LIFETIME})`,
      [id, subject.kind, subject.id, requestedBy],
    );
  }

  /** The newest export of the subject that the developer requested; null when there is none or it has expired. */
  async findLatest(ctx: RequestContext, { kind, id }: ExportSubject, requestedBy: string): Promise<DataExport | null> {
    const row = await this.manager(ctx).findOne(DataExportEntity, {
      where: { kind, subjectId: id, requestedBy },
      order: { id: 'DESC' },
    });
    return row && row.expiresAt > ctx.clock.now() ? exportFromRow(row) : null;
  }

  async find(ctx: RequestContext, id: string): Promise<DataExport | null> {
    const row = await this.manager(ctx).findOneBy(DataExportEntity, { id });
    return row && row.expiresAt > ctx.clock.now() ? exportFromRow(row) : null;
  }

  /** @returns false when it no longer exists, or has ended. */
  async markRunning(ctx: RequestContext, id: string): Promise<boolean> {
    const row = await one(
      this.manager(ctx),
      `UPDATE data_export SET state = 'running' WHERE id = $1 AND state IN ('requested', 'running') RETURNING id`,
      [id],
    );
    return row !== null;
  }

  /**
   * Saves what was read since `before`.
   * @returns false when it no longer runs, or another process has continued it.
   */
  async saveProgress(
    ctx: RequestContext,
    id: string,
    before: ExportProgress | null,
    progress: ExportProgress,
  ): Promise<boolean> {
    const saved = await changed(
      this.manager(ctx),
      `UPDATE data_export SET progress = $2
       WHERE id = $1 AND state = 'running' AND progress ->> 'next' IS NOT DISTINCT FROM $3`,
      [id, JSON.stringify(progress), before?.next ?? null],
    );
    return saved === 1;
  }

  /** @returns the export; null when it no longer exists, or another process has continued it. */
  async markReady(
    tx: RequestContext,
    id: string,
    { next }: ExportProgress,
    { sizeBytes, sha256 }: { readonly sizeBytes: number; readonly sha256: Buffer },
  ): Promise<DataExport | null> {
    const row = await one(
      this.manager(tx),
      `UPDATE data_export SET state = 'ready', progress = NULL, size_bytes = $2, sha256 = $3, expires_at = app_now() + ${LIFETIME}
       WHERE id = $1 AND state = 'running' AND progress ->> 'next' = $4 RETURNING id`,
      [id, sizeBytes, sha256, next],
    );
    return row === null ? null : this.find(tx, id);
  }

  /** @returns what it had read; null when it no longer exists, or has ended. */
  async markFailed(ctx: RequestContext, id: string, reason: DataExportReason): Promise<DeletedExport | null> {
    return one<DeletedExport>(
      this.manager(ctx),
      `UPDATE data_export AS e SET state = 'failed', reason = $2, progress = NULL
       FROM (SELECT id, progress FROM data_export WHERE id = $1 AND state = 'running' FOR UPDATE) AS running
       WHERE e.id = running.id RETURNING running.id, running.progress`,
      [id, reason],
    );
  }

  /** Deletes the rows of expired exports. */
  deleteExpired(tx: RequestContext): Promise<DeletedExport[]> {
    return this.delete(tx, 'expires_at <= app_now()', []);
  }

  /** Deletes the rows of an organization's exports. */
  deleteOfOrganization(tx: RequestContext, organizationId: string): Promise<DeletedExport[]> {
    return this.delete(tx, `kind = 'organization' AND subject_id = $1`, [organizationId]);
  }

  /** Deletes the rows of the exports that a developer requested. */
  deleteOfDeveloper(tx: RequestContext, developerId: string): Promise<DeletedExport[]> {
    return this.delete(tx, 'requested_by = $1', [developerId]);
  }

  private delete(tx: RequestContext, where: string, values: unknown[]): Promise<DeletedExport[]> {
    return rows(this.manager(tx), `DELETE FROM data_export WHERE ${where} RETURNING id, progress`, values);
  }

  private manager(ctx: RequestContext) {
    return this.transactions.manager(ctx);
  }
}

const exportFromRow = ({ kind, subjectId, sizeBytes, sha256, ...row }: DataExportEntity): DataExport => ({
  ...row,
  subject: { kind, id: subjectId },
  archive: sizeBytes === null || !sha256 ? null : { sizeBytes: Number(sizeBytes), sha256: sha256.toString('hex') },
});
