import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type Platform } from '#kernel/builds/platform';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { columnsOf, insertRow, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type BlobPlace } from '#modules/storage';
import { fileFromRow } from '../catalogue/build-from-row';
import { isLive, LIVE } from '../catalogue/live-builds';
import { type Architecture, ARCHITECTURES, type Attachment, ATTACHMENT_KINDS, type AttachmentKind } from './attachment';

const listOf = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/**
 * A file beside the artifact of a build. It is deleted with the build. Should only the build be deleted, by a process of an earlier release,
 * the row stays without a build until the sweep deletes it with its bytes and its storage meter.
 */
@Entity('attachment')
@Unique('uq_attachment_organization', ['organizationId', 'id'])
@Unique('uq_attachment_file', ['buildId', 'fileName'])
@Unique('uq_attachment_blob', ['storageAccount', 'blobKey'])
@Check('ck_attachment_kind', `kind IN (${listOf(ATTACHMENT_KINDS)})`)
@Check('ck_attachment_arch', `arch IN (${listOf(ARCHITECTURES)})`)
@Check('ck_attachment_size', 'size_bytes > 0')
@Index('ix_attachment_blockmap', ['projectId', 'fileName'], { where: `kind = 'blockmap'` })
// The database sets only the build to null.
@ForeignKey('BuildEntity', ['organizationId', 'projectId', 'buildId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_attachment_build',
  onDelete: 'SET NULL',
})
export class AttachmentEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_attachment' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('uuid', { name: 'build_id', nullable: true })
  buildId: string | null;

  @Column('text')
  kind: AttachmentKind;

  @Column('text', { nullable: true })
  arch: Architecture | null;

  @Column('text', { name: 'file_name' })
  fileName: string;

  @Column('bigint', { name: 'size_bytes' })
  sizeBytes: string;

  @Column({ type: 'bytea' })
  sha256: Buffer;

  @Column({ type: 'bytea' })
  sha512: Buffer;

  /** The developer's signature of the file for the updater of the app. */
  @Column('text', { nullable: true })
  signature: string | null;

  @Column('text', { name: 'storage_account' })
  storageAccount: string;

  @Column('text', { name: 'blob_key' })
  blobKey: string;

  @Column('text', { name: 'uploaded_by_kind' })
  uploadedByKind: string;

  @Column('uuid', { name: 'uploaded_by_id', nullable: true })
  uploadedById: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

/** A deleted attachment whose bytes and storage meter are still there. */
export interface RemovedAttachment {
  readonly id: string;
  readonly organizationId: string;
  readonly blob: BlobPlace;
}

interface RemovedRow {
  readonly id: string;
  readonly organizationId: string;
  readonly account: string;
  readonly key: string;
}

const REMOVED = `id, organization_id AS "organizationId", storage_account AS account, blob_key AS key`;

/** The number of rows that one transaction of the sweep deletes. */
const BATCH = 100;

@Injectable()
export class AttachmentsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(tx: RequestContext, row: AttachmentEntity): Promise<Attachment> {
    await insertRow(this.manager(tx), AttachmentEntity, row);
    return attachmentFromRow(row);
  }

  /** Lets no other transaction add files to a build or delete it. @returns the name of its artifact; null when it does not exist. */
  async lockBuild(tx: RequestContext, scope: ProjectScope, buildId: string): Promise<string | null> {
    const row = await one<{ fileName: string }>(
      this.manager(tx),
      `SELECT file_name AS "fileName" FROM build
       WHERE id = $1 AND organization_id = $2 AND project_id = $3 AND ${LIVE} FOR NO KEY UPDATE`,
      [buildId, scope.organizationId, scope.projectId],
    );
    return row?.fileName ?? null;
  }

  /** The attachments of a build, the oldest first. */
  async list(ctx: RequestContext, scope: ProjectScope, buildId: string): Promise<Attachment[]> {
    const found = await rows<AttachmentEntity>(
      this.manager(ctx),
      `SELECT ${this.columns(ctx)} FROM attachment
       WHERE build_id = $1 AND organization_id = $2 AND project_id = $3 ORDER BY id`,
      [buildId, scope.organizationId, scope.projectId],
    );
    return found.map(attachmentFromRow);
  }

  /** The newest block map of this name of the builds of a version and platform. */
  async findBlockmap(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    build: { readonly platform: Platform; readonly version: string; readonly fileName: string },
  ): Promise<Attachment | null> {
    const row = await one<AttachmentEntity>(
      this.manager(ctx),
      `SELECT ${this.columns(ctx, 'a')} FROM attachment a JOIN build b ON b.id = a.build_id AND ${isLive('b')}
       WHERE a.organization_id = $1 AND a.project_id = $2 AND a.kind = 'blockmap' AND a.file_name = $3
         AND b.platform = $4 AND b.version = $5 ORDER BY a.id DESC LIMIT 1`,
      [organizationId, projectId, build.fileName, build.platform, build.version],
    );
    return row && attachmentFromRow(row);
  }

  /** Deletes one attachment of a build. Null when the build has none of this id. */
  async delete(tx: RequestContext, buildId: string, id: string): Promise<RemovedAttachment | null> {
    const [removed] = await this.remove(tx, 'WHERE build_id = $1 AND id = $2', [buildId, id]);
    return removed ?? null;
  }

  /** Deletes the attachments of builds that the transaction has locked. */
  deleteOfBuilds(tx: RequestContext, buildIds: readonly string[]): Promise<RemovedAttachment[]> {
    return this.remove(tx, 'WHERE build_id = ANY ($1)', [buildIds]);
  }

  /** Deletes the attachments of an organization whose build no longer exists. */
  deleteUnattached(tx: RequestContext, organizationId: string): Promise<RemovedAttachment[]> {
    return this.remove(tx, 'WHERE build_id IS NULL AND organization_id = $1', [organizationId]);
  }

  /** Organizations with attachments whose build no longer exists. */
  async findOrganizationsWithUnattached(ctx: RequestContext): Promise<readonly string[]> {
    const found = await rows<{ organizationId: string }>(
      this.manager(ctx),
      `SELECT DISTINCT organization_id AS "organizationId" FROM (
         SELECT organization_id FROM attachment WHERE build_id IS NULL LIMIT ${BATCH}) unattached`,
    );
    return found.map(({ organizationId }) => organizationId);
  }

  private async remove(
    tx: RequestContext,
    condition: string,
    values: readonly unknown[],
  ): Promise<RemovedAttachment[]> {
    const removed = await rows<RemovedRow>(
      this.manager(tx),
      `DELETE FROM attachment ${condition} RETURNING ${REMOVED}`,
      values,
    );
    return removed.map(({ account, key, ...row }) => ({ ...row, blob: { account, key } }));
  }

  private columns(ctx: RequestContext, table?: string): string {
    return columnsOf(this.manager(ctx).getRepository(AttachmentEntity).metadata, table);
  }

  private manager(ctx: RequestContext) {
    return this.transactions.manager(ctx);
  }
}

const attachmentFromRow = (row: AttachmentEntity): Attachment => ({
  ...fileFromRow(row),
  id: row.id,
  organizationId: row.organizationId,
  projectId: row.projectId,
  buildId: row.buildId,
  kind: row.kind,
  arch: row.arch,
  sha512: row.sha512,
  signature: row.signature,
  createdAt: row.createdAt,
});
