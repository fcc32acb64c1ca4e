import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, In, Index, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { changed, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type BlobPlace, HOSTED, type StorageAccount } from '#modules/storage';
import { AttachmentEntity } from '../attachments/attachments.repository';
import { BuildEntity } from '../catalogue/build.entity';

/**
 * The relocation of an artifact or attachment to another storage account: the blob is copied, the row is updated, the old blob is deleted
 * later. The row is inserted before the copy and deleted with the old blob, so a killed process leaves no unknown blob.
 */
@Entity('build_move')
@Check('ck_build_move_state', `state IN ('copying', 'copied')`)
@Check('ck_build_move_delete_after', `(delete_after IS NOT NULL) = (state = 'copied')`)
@Index('uq_build_move_copying', ['fileId'], { unique: true, where: `state = 'copying'` })
@Index('ix_build_move_organization', ['organizationId'])
@Index('ix_build_move_delete_after', ['deleteAfter'])
export class BuildRelocationEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_build_move' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  /** The id of the build or of the attachment. */
  @Column('uuid', { name: 'build_id' })
  fileId: string;

  @Column('text')
  state: 'copying' | 'copied';

  @Column('text', { name: 'from_account' })
  fromAccount: string;

  @Column('text', { name: 'from_key' })
  fromKey: string;

  @Column('text', { name: 'to_account' })
  toAccount: string;

  @Column('text', { name: 'to_key' })
  toKey: string;

  /** Once copied: when the old blob is deleted. Until then, running downloads read it. */
  @Column({ type: 'timestamptz', name: 'delete_after', precision: 3, nullable: true })
  deleteAfter: Date | null;
}

/** A build or attachment whose file is in another account than the target. */
export interface RelocatableFile {
  readonly id: string;
  /** Null for an attachment that waits for its deletion. */
  readonly buildId: string | null;
  readonly organizationId: string;
  readonly blob: BlobPlace;
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

export interface Relocation {
  readonly id: string;
  /** The id of the build or of the attachment. */
  readonly fileId: string;
  readonly from: BlobPlace;
  readonly to: BlobPlace;
}

interface RelocatableRow {
  readonly id: string;
  readonly buildId: string | null;
  readonly account: string;
  readonly key: string;
  readonly sizeBytes: string;
  readonly sha256: string;
}

/** The time for which a download that started before the relocation may still read the old blob. */
const LAST_READ_HOURS = 24;
const BATCH = 100;

@Injectable()
export class BuildRelocationRepository {
  constructor(private readonly transactions: Transactions) {}

  /** The next builds and attachments of an organization that are not in the account, by id. */
  async findElsewhere(
    ctx: RequestContext,
    organizationId: string,
    account: StorageAccount,
    after: string | null,
  ): Promise<RelocatableFile[]> {
    const found = await rows<RelocatableRow>(
      this.manager(ctx),
      `SELECT id, build_id AS "buildId", storage_account AS account, blob_key AS key, size_bytes AS "sizeBytes",
              encode(sha256, 'hex') AS sha256
       FROM (SELECT id, id AS build_id, organization_id, storage_account, blob_key, size_bytes, sha256 FROM build
             UNION ALL
             SELECT id, build_id, organization_id, storage_account, blob_key, size_bytes, sha256 FROM attachment) stored
       WHERE organization_id = $1 AND storage_account <> $2 AND ($3::uuid IS NULL OR id > $3) ORDER BY id LIMIT ${BATCH}`,
      [organizationId, account, after],
    );
    return found.map(({ id, buildId, key, sizeBytes, sha256, ...row }) => ({
      id,
      buildId,
      organizationId,
      blob: { account: row.account, key },
      sizeBytes: Number(sizeBytes),
      sha256,
    }));
  }

  /** The ids of an organization's builds that are not in the hosted store. */
  async listOutsideHostedStore(ctx: RequestContext, organizationId: string): Promise<string[]> {
    const builds = await rows<{ id: string }>(
      this.manager(ctx),
      'SELECT id FROM build WHERE organization_id = $1 AND storage_account <> $2',
      [organizationId, HOSTED],
    );
    return builds.map(({ id }) => id);
  }

  /** Inserts a relocation before the copy, or returns the one that is already copying the file. */
  async start(ctx: RequestContext, file: RelocatableFile, account: StorageAccount): Promise<Relocation> {
    const id = newId();
    await rows(
      this.manager(ctx),
      `INSERT INTO build_move (id, organization_id, build_id, state, from_account, from_key, to_account, to_key)
       VALUES ($1, $2, $3, 'copying', $4, $5, $6, $7) ON CONFLICT (build_id) WHERE state = 'copying' DO NOTHING`,
      [id, file.organizationId, file.id, file.blob.account, file.blob.key, account, `builds/${id}`],
    );
    const row = await this.manager(ctx).findOneBy(BuildRelocationEntity, { fileId: file.id, state: 'copying' });
    return relocationFromRow(row as BuildRelocationEntity);
  }

  /** Locks a relocation that is copying; null when it is finished or undone. */
  async lock(ctx: RequestContext, id: string): Promise<Relocation | null> {
    const options = { where: { id, state: 'copying' as const }, lock: { mode: 'pessimistic_write' as const } };
    const row = await this.manager(ctx).findOne(BuildRelocationEntity, options);
    return row && relocationFromRow(row);
  }

  /**
   * Sets the blob of the build or attachment to the copy.
   * @returns the size of an attachment, null for a build; undefined when it is deleted or its blob is not the one that was copied.
   */
  async setBlob(
    ctx: RequestContext,
    { fileId, from, to }: Relocation,
  ): Promise<{ readonly attachmentBytes: number | null } | undefined> {
    const values = [fileId, from.account, from.key, to.account, to.key];
    const set = 'SET storage_account = $4, blob_key = $5 WHERE id = $1 AND storage_account = $2 AND blob_key = $3';
    if ((await changed(this.manager(ctx), `UPDATE build ${set}`, values)) === 1) return { attachmentBytes: null };
    const attachment = await one<{ sizeBytes: string }>(
      this.manager(ctx),
      `UPDATE attachment ${set} RETURNING size_bytes AS "sizeBytes"`,
      values,
    );
    return attachment ? { attachmentBytes: Number(attachment.sizeBytes) } : undefined;
  }

  async markCopied(ctx: RequestContext, id: string): Promise<void> {
    await changed(
      this.manager(ctx),
      `UPDATE build_move SET state = 'copied', delete_after = app_now() + interval '${LAST_READ_HOURS} hours' WHERE id = $1`,
      [id],
    );
  }

  /** Deletes a batch of relocations whose old blob is due for deletion, and returns them. */
  deleteDue(tx: RequestContext): Promise<Relocation[]> {
    return this.deleteBatch(tx, 'delete_after <= app_now()');
  }

  /** Deletes a batch of unfinished relocations whose build or attachment no longer exists, and returns them. */
  deleteOrphaned(tx: RequestContext): Promise<Relocation[]> {
    return this.deleteBatch(
      tx,
      `state = 'copying' AND NOT EXISTS (SELECT FROM build WHERE build.id = build_move.build_id)
         AND NOT EXISTS (SELECT FROM attachment WHERE attachment.id = build_move.build_id)`,
    );
  }

  /** The unfinished relocations of an organization, to any account. */
  async findUnfinished(ctx: RequestContext, organizationId: string): Promise<Relocation[]> {
    const found = await this.manager(ctx).findBy(BuildRelocationEntity, { organizationId, state: 'copying' });
    return found.map(relocationFromRow);
  }

  /** Whether a build or attachment has this blob. */
  async hasFile(ctx: RequestContext, { account, key }: BlobPlace): Promise<boolean> {
    const place = { storageAccount: account, blobKey: key };
    return (
      (await this.manager(ctx).existsBy(BuildEntity, place)) || this.manager(ctx).existsBy(AttachmentEntity, place)
    );
  }

  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.manager(ctx).delete(BuildRelocationEntity, { id });
  }

  /** Skips rows that another transaction has locked. */
  private async deleteBatch(tx: RequestContext, condition: string): Promise<Relocation[]> {
    const manager = this.manager(tx);
    const found = await manager
      .createQueryBuilder(BuildRelocationEntity, 'build_move')
      .where(condition)
      .limit(BATCH)
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getMany();
    if (found.length > 0) await manager.delete(BuildRelocationEntity, { id: In(found.map(({ id }) => id)) });
    return found.map(relocationFromRow);
  }

  private manager(ctx: RequestContext) {
    return this.transactions.manager(ctx);
  }
}

const relocationFromRow = (row: BuildRelocationEntity): Relocation => ({
  id: row.id,
  fileId: row.fileId,
  from: { account: row.fromAccount, key: row.fromKey },
  to: { account: row.toAccount, key: row.toKey },
});
