import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { type DeviceFamily } from '#kernel/builds/device';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { newId } from '#kernel/ids';
import { deleteOlder, insertRow, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type AttachmentKind } from '../attachments/attachment';
import { type ArtifactFile } from '../catalogue/build';
import { type BuildEntity } from '../catalogue/build.entity';
import { fileFromRow } from '../catalogue/build-from-row';
import { isLive } from '../catalogue/live-builds';

/** The ticket of a download URL. It is valid for one file of a build, for half an hour, and for three times the size of the file. */
@Entity('download_ticket')
@Unique('uq_download_ticket_digest', ['digest'])
@Check('ck_download_ticket_served', 'served_bytes >= 0')
@Index('ix_download_ticket_client', ['clientKey', 'expiresAt'], { where: 'client_key IS NOT NULL' })
@Index('ix_download_ticket_network', ['networkKey', 'expiresAt'], { where: 'network_key IS NOT NULL' })
@Index('ix_download_ticket_build', ['buildId'])
@Index('ix_download_ticket_expires_at', ['expiresAt'])
@Index('ix_download_ticket_reservation', ['reservationId'])
@ForeignKey('ReservationEntity', ['organizationId', 'reservationId'], ['organizationId', 'id'], {
  name: 'fk_download_ticket_of_reservation',
  onDelete: 'CASCADE',
})
@ForeignKey('BuildEntity', ['organizationId', 'projectId', 'buildId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_download_ticket_build',
  onDelete: 'CASCADE',
})
@Index('ix_download_ticket_attachment', ['organizationId', 'attachmentId'], { where: 'attachment_id IS NOT NULL' })
@ForeignKey('AttachmentEntity', ['organizationId', 'attachmentId'], ['organizationId', 'id'], {
  name: 'fk_download_ticket_attachment',
  onDelete: 'CASCADE',
})
@Index('ix_download_ticket_invite', ['inviteId'], { where: 'invite_id IS NOT NULL' })
@Index('ix_download_ticket_tester', ['testerId'], { where: 'tester_id IS NOT NULL' })
@ForeignKey('InstallLinkEntity', ['organizationId', 'projectId', 'inviteId'], ['organizationId', 'projectId', 'id'], {
  name: 'fk_download_ticket_invite',
  onDelete: 'CASCADE',
})
export class DownloadTicketEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_download_ticket' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @Column('uuid', { name: 'build_id' })
  buildId: string;

  /** The attachment of the build that it downloads. Null: the artifact. */
  @Column('uuid', { name: 'attachment_id', nullable: true })
  attachmentId: string | null;

  @Column({ type: 'bytea' })
  digest: Buffer;

  @Column('uuid', { name: 'reservation_id' })
  reservationId: string;

  @Column('text', { name: 'minted_by_kind', default: 'anonymous' })
  mintedByKind: string;

  @Column('uuid', { name: 'minted_by_id', nullable: true })
  mintedById: string | null;

  /** The install link that minted the ticket. The ticket is deleted with it. */
  @Column('uuid', { name: 'invite_id', nullable: true })
  inviteId: string | null;

  @Column('uuid', { name: 'tester_id', nullable: true })
  testerId: string | null;

  @Column('uuid', { name: 'channel_id', nullable: true })
  channelId: string | null;

  /** Digest of the install link or tester, the build and the client address. Null when an account minted the ticket. */
  @Column({ type: 'bytea', name: 'client_key', nullable: true })
  clientKey: Buffer | null;

  /** The digest of `clientKey` with the client's IPv6 /48 as the address. Null for IPv4, and when an account minted the ticket. */
  @Column({ type: 'bytea', name: 'network_key', nullable: true })
  networkKey: Buffer | null;

  /** The encrypted token, to return the URL again to the same client. Null when an account minted the ticket. */
  @Column({ type: 'bytea', name: 'sealed_token', nullable: true })
  sealedToken: Buffer | null;

  /** Whether this service sends the bytes although the store could, so that the delivery is known. */
  @Column('boolean', { default: false })
  streamed: boolean;

  /** The sum of what responses were about to send. A redirect counts as the whole artifact. */
  @Column('bigint', { name: 'served_bytes' })
  servedBytes: string;

  @Column({ type: 'timestamptz', name: 'settled_at', precision: 3, nullable: true })
  settledAt: Date | null;

  /** When a response to a request without a range had sent the whole artifact. Null for accounts, and when the store sends the bytes. */
  @Column({ type: 'timestamptz', name: 'delivered_at', precision: 3, nullable: true })
  deliveredAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}

/** A ticket that has not ended. */
export interface ValidTicket {
  readonly id: string;
  readonly buildId: string;
  readonly reservationId: string;
  /** Whether an earlier use has settled the reservation. */
  readonly settled: boolean;
  /** Whether this service sends the bytes although the store could. */
  readonly streamed: boolean;
  /** The kind of the attachment that it downloads. Null: the artifact. */
  readonly attachmentKind: AttachmentKind | null;
}

/** A use of a ticket that was counted. */
export interface CountedUse {
  readonly isFirst: boolean;
  /** The install link that minted the ticket, null when none did. */
  readonly linkId: string | null;
}

/** The bytes that responses of a settled ticket are about to serve. */
interface TicketUse {
  readonly id: string;
  /** Where the artifact was when the ticket was read. */
  readonly blob: ArtifactFile['blob'];
  readonly bytes: number;
}

/** A file of a build: an attachment, or the artifact when `attachmentId` is null. */
export interface FileId {
  readonly buildId: string;
  readonly attachmentId: string | null;
}

type FileRow = Pick<BuildEntity, 'fileName' | 'sizeBytes' | 'sha256' | 'storageAccount' | 'blobKey'>;

const columnsOfFile = (table: 'a' | 'b'): string =>
  `${table}.file_name AS "fileName", ${table}.size_bytes AS "sizeBytes", ${table}.sha256,
   ${table}.storage_account AS "storageAccount", ${table}.blob_key AS "blobKey"`;

/** The file of a ticket `t`: an attachment `a`, or else the artifact of the build `b`. */
export const TICKET_FILE = 'JOIN build b ON b.id = t.build_id LEFT JOIN attachment a ON a.id = t.attachment_id';
export const FILE_NAME = 'coalesce(a.file_name, b.file_name)';
const FILE_COLUMNS = `${FILE_NAME} AS "fileName", coalesce(a.size_bytes, b.size_bytes) AS "sizeBytes", coalesce(a.sha256, b.sha256) AS sha256,
  coalesce(a.storage_account, b.storage_account) AS "storageAccount", coalesce(a.blob_key, b.blob_key) AS "blobKey"`;

/** A ticket ends when it has served this multiple of the file's size. */
export const MAX_TIMES = 3;

/** A download that began at most this long before its build was moved to the trash may finish. */
const FINISHES = "interval '10 minutes'";

/** Columns of a ticket `t` and its file (`TICKET_FILE`). */
export const IS_VALID = `t.expires_at > app_now() AND (${isLive('b')} OR t.created_at > b.deleted_at - ${FINISHES}) AND t.served_bytes < ${MAX_TIMES} * coalesce(a.size_bytes, b.size_bytes)`;

@Injectable()
export class DownloadsRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Prevents the deletion of a build and the first uses of its other tickets until the end of the transaction. A deletion locks the build,
   * then its tickets, then the billing account, so a transaction that will lock a ticket or the account calls this first.
   */
  async lockBuild(tx: RequestContext, buildId: string): Promise<void> {
    await rows(this.manager(tx), 'SELECT FROM build WHERE id = $1 FOR NO KEY UPDATE', [buildId]);
  }

  /**
   * Prevents the deletion of a build and of its attachment, and returns the file: the artifact when `attachmentId` is null. Null when the
   * project has no such build or the build no such attachment.
   */
  async lockFile(
    tx: RequestContext,
    { organizationId, projectId, buildId, attachmentId }: ProjectScope & FileId,
  ): Promise<ArtifactFile | null> {
    const ofBuild = `FROM build b WHERE b.id = $1 AND b.organization_id = $2 AND b.project_id = $3 AND ${isLive('b')} FOR KEY SHARE`;
    const values = [buildId, organizationId, projectId];
    const build = await one<FileRow>(this.manager(tx), `SELECT ${columnsOfFile('b')} ${ofBuild}`, values);
    if (!build || attachmentId === null) return build && fileFromRow(build);
    const statement = `SELECT ${columnsOfFile('a')} FROM attachment a WHERE a.id = $1 AND a.build_id = $2 FOR KEY SHARE`;
    const attachment = await one<FileRow>(this.manager(tx), statement, [attachmentId, buildId]);
    return attachment && fileFromRow(attachment);
  }

  /** Deletes the tickets that an update key minted. */
  async deleteOfKey(tx: RequestContext, { organizationId, projectId }: ProjectScope, keyId: string): Promise<void> {
    await rows(
      this.manager(tx),
      `DELETE FROM download_ticket t USING build b
       WHERE t.build_id = b.id AND b.organization_id = $1 AND b.project_id = $2
         AND t.minted_by_kind = 'update_key' AND t.minted_by_id = $3`,
      [organizationId, projectId, keyId],
    );
  }

  /** Deletes the valid tickets of a tester. */
  async deleteOfTester(tx: RequestContext, { organizationId, projectId }: ProjectScope, id: string): Promise<void> {
    const statement = `DELETE FROM download_ticket
      WHERE expires_at > app_now() AND organization_id = $1 AND project_id = $2 AND tester_id = $3`;
    await rows(this.manager(tx), statement, [organizationId, projectId, id]);
  }

  /** Deletes the tickets that an install link minted. */
  async deleteOfLink(tx: RequestContext, linkId: string): Promise<void> {
    await rows(this.manager(tx), 'DELETE FROM download_ticket WHERE invite_id = $1', [linkId]);
  }

  /** Deletes the tickets that an install link minted and that no download has used. */
  async deleteUnusedOfLink(tx: RequestContext, linkId: string): Promise<void> {
    const statement = 'DELETE FROM download_ticket WHERE invite_id = $1 AND settled_at IS NULL';
    await rows(this.manager(tx), statement, [linkId]);
  }

  async insert(tx: RequestContext, ticket: DownloadTicketEntity): Promise<void> {
    await insertRow(this.manager(tx), DownloadTicketEntity, ticket);
  }

  /** A valid ticket and its file, in one query, because a download in ranges runs it for every range. */
  async findValid(ctx: RequestContext, digest: Buffer): Promise<{ ticket: ValidTicket; file: ArtifactFile } | null> {
    const row = await one<ValidTicket & FileRow>(
      this.manager(ctx),
      `SELECT t.id, t.build_id AS "buildId", t.reservation_id AS "reservationId", t.settled_at IS NOT NULL AS settled, t.streamed,
              a.kind AS "attachmentKind", ${FILE_COLUMNS}
       FROM download_ticket t ${TICKET_FILE} WHERE t.digest = $1 AND ${IS_VALID}`,
      [digest],
    );
    return row && { ticket: row, file: fileFromRow(row) };
  }

  /**
   * Counts the bytes that a response is about to serve.
   * @returns whether it is the ticket's first use, and the install link that minted the ticket. Null when the ticket has ended.
   */
  async use(ctx: RequestContext, id: string, plannedBytes: number): Promise<CountedUse | null> {
    return one<CountedUse>(
      this.manager(ctx),
      `UPDATE download_ticket t SET served_bytes = t.served_bytes + $2, settled_at = coalesce(t.settled_at, app_now())
       FROM download_ticket old JOIN build b ON b.id = old.build_id LEFT JOIN attachment a ON a.id = old.attachment_id
       WHERE t.id = $1 AND old.id = t.id AND ${IS_VALID}
       RETURNING old.settled_at IS NULL AS "isFirst", old.invite_id AS "linkId"`,
      [id, plannedBytes],
    );
  }

  /**
   * Counts, in one statement, the bytes that responses of several tickets are about to serve. Skips a ticket that has ended, whose
   * artifact is in another place, or which another transaction has locked: waiting for a lock while it holds others could deadlock.
   * @param uses each ticket once.
   * @returns the bytes that each counted ticket had served before, by its id.
   */
  async countAgain(ctx: RequestContext, uses: readonly TicketUse[]): Promise<ReadonlyMap<string, number>> {
    const counted = await rows<{ id: string; before: string }>(
      this.manager(ctx),
      `WITH held AS (
         SELECT t.id, u.bytes
         FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[]) AS u (id, account, key, bytes)
         JOIN download_ticket t ON t.id = u.id ${TICKET_FILE}
         WHERE coalesce(a.storage_account, b.storage_account) = u.account AND coalesce(a.blob_key, b.blob_key) = u.key
           AND ${IS_VALID} FOR NO KEY UPDATE OF t SKIP LOCKED
       )
       UPDATE download_ticket t SET served_bytes = t.served_bytes + held.bytes FROM held WHERE t.id = held.id
       RETURNING t.id, t.served_bytes - held.bytes AS before`,
      [
        uses.map(({ id }) => id),
        uses.map(({ blob }) => blob.account),
        uses.map(({ blob }) => blob.key),
        uses.map(({ bytes }) => bytes),
      ],
    );
    return new Map(counted.map(({ id, before }) => [id, Number(before)]));
  }

  /**
   * Inserts the ticket's first use into the download log and adds it to the build's counters. The caller has called `lockBuild`, so that
   * of concurrent first downloads by one tester exactly one counts the tester.
   */
  async logStart(ctx: RequestContext, { id }: ValidTicket, device: DeviceFamily): Promise<void> {
    await rows(
      this.manager(ctx),
      `WITH logged AS (
         INSERT INTO build_download (id, organization_id, project_id, build_id, ticket_id, minted_by_kind, minted_by_id,
                                     tester_id, channel_id, link_id, device_family, started_at)
         SELECT $2, organization_id, project_id, build_id, id, minted_by_kind, minted_by_id,
                tester_id, channel_id, invite_id, $3, app_now()
         FROM download_ticket WHERE id = $1
         ON CONFLICT (ticket_id) DO NOTHING
         RETURNING build_id, tester_id
       )
       UPDATE build b SET downloads_total = downloads_total + 1,
         downloads_unique_testers = downloads_unique_testers + CASE WHEN l.tester_id IS NOT NULL AND NOT EXISTS (
           SELECT FROM build_download d WHERE d.build_id = b.id AND d.tester_id = l.tester_id) THEN 1 ELSE 0 END
       FROM logged l WHERE b.id = l.build_id`,
      [id, newId(), device],
    );
  }

  /** Deletes tickets a day after they have expired. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteOlder(this.manager(ctx), 'download_ticket', { column: 'expires_at', age: `interval '1 day'` });
  }

  private manager(ctx: RequestContext) {
    return this.transactions.manager(ctx);
  }
}
