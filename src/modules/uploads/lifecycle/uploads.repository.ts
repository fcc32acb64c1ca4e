import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { changed, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { HOSTED, receivingAccount, type StorageAccount } from '#modules/storage';
import { type ExpiredUpload } from './upload';

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

  /** The developer or project access token of an upload in one request, for the limit of concurrent uploads. Null: not limited. */
  @Column('text', { nullable: true })
  uploader: string | null;

  @Column('text')
  state: 'pending' | 'abandoned';

  /** While pending: end of the lease. Once abandoned: when the sweep deletes the bytes a second time. */
  @Column({ type: 'timestamptz', name: 'leased_until', precision: 3 })
  leasedUntil: Date;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** The announced size, or the maximum for a body without a length. Null for uploads of an earlier release. */
  @Column('bigint', { name: 'expected_bytes', nullable: true })
  expectedBytes: string | null;

  /** The time after which no part of a resumable upload arrives without another request. Null until parts may arrive. */
  @Column({ type: 'timestamptz', name: 'parts_until', precision: 3, nullable: true })
  partsUntil: Date | null;

  /** When the stored parts were last counted for the storage meter. */
  @Column({ type: 'timestamptz', name: 'measured_at', precision: 3, nullable: true })
  measuredAt: Date | null;
}

interface ExpiredRow extends ProjectScope {
  readonly id: string;
  readonly state: 'pending' | 'abandoned';
  readonly account: string;
  readonly key: string;
  readonly isResumable: boolean;
  readonly storeUploadId: string | null;
}

/** The lease of an upload in one request. */
export const LEASE_SECONDS = 120;
/** The time after which no more bytes of an abandoned upload in one request arrive in the store. */
const LAST_DELETE_SECONDS = 900;

/** The lease of a resumable upload. */
export const RESUMABLE_LEASE_SECONDS = 24 * 3600;
/** The time after which no more bytes of an abandoned resumable upload arrive. Its part URLs are valid for half an hour. */
export const RESUMABLE_LAST_DELETE_SECONDS = 45 * 60;
/** The limit of the lifetime of a resumable upload. */
const RESUMABLE_MAX_SECONDS = 7 * 24 * 3600;

/** The uploads of this moment, before another one is inserted. */
export interface RunningUploads {
  /** The organization's uploads in one request. */
  readonly organization: number;
  /** The uploader's uploads in one request, in all organizations. */
  readonly uploader: number;
  /** The bytes that the organization's open uploads may hold in the hosted store. 0 when they are not limited. */
  readonly openBytes: number;
}

/** What a transaction counts before it inserts an upload. */
interface CountedUploads {
  readonly organizationId: string;
  readonly uploader: string | null;
  readonly openBytes: boolean;
}

/** The limits of an insert. Null: not limited. */
export interface InsertLimits {
  readonly leaseSeconds: number;
  /** The maximum number of uploads in one request. */
  readonly limit: number | null;
  /** The maximum number of bytes of the organization's open uploads in the hosted store. */
  readonly maxOpenBytes: number | null;
}

/** An open upload whose parts are stored in the hosted store. */
export interface MeasurableUpload {
  readonly id: string;
  readonly organizationId: string;
  readonly key: string;
  readonly storeUploadId: string;
}

type NewUpload = Omit<
  ArtifactUploadEntity,
  'storageAccount' | 'leasedUntil' | 'createdAt' | 'state' | 'partsUntil' | 'measuredAt'
>;

/** The reservation of a resumable upload, and the end of its lease. */
export interface RenewedLease {
  readonly reservationId: string;
  readonly leasedUntil: Date;
}

/** Selects the bytes that open uploads of an organization may hold in the hosted store. */
const openBytesOf = (organizationId: '$1' | '$2'): string => `
  SELECT coalesce(sum(expected_bytes), 0)::bigint AS bytes FROM artifact_upload
  WHERE organization_id = ${organizationId} AND storage_account = '${HOSTED}' AND state = 'pending' AND leased_until > app_now()`;

const MAX_INT = 2_147_483_647;
const INSERT = `
  WITH running AS (
    SELECT count(*) FILTER (WHERE organization_id = $2)::int AS organization, count(*) FILTER (WHERE uploader = $6)::int AS uploader
    FROM artifact_upload
    WHERE $8::int IS NOT NULL AND state = 'pending' AND leased_until > app_now() AND uploader IS NOT NULL
      AND (organization_id = $2 OR uploader = $6)),
  open AS (${openBytesOf('$2')} AND $11::bigint IS NOT NULL),
  account AS MATERIALIZED (SELECT ${receivingAccount('$2')} AS id),
  inserted AS (
    INSERT INTO artifact_upload (id, organization_id, project_id, storage_account, blob_key, reservation_id, uploader, state, leased_until, created_at, expected_bytes)
    SELECT $1, $2, $3, account.id, $4, $5, $6, 'pending', app_now() + make_interval(secs => $7), $9, $10 FROM running, account, open
    WHERE greatest(organization, running.uploader) < coalesce($8::int, ${MAX_INT})
      AND (account.id <> '${HOSTED}' OR $11::bigint IS NULL OR open.bytes + $10::bigint <= $11::bigint))
  SELECT organization, uploader, open.bytes::float8 AS "openBytes", account.id AS account FROM running, account, open`;

/** Open uploads that may have parts in the hosted store. */
const MEASURABLE = `artifact_upload u JOIN resumable_upload r ON r.id = u.id
  WHERE u.state = 'pending' AND u.leased_until > app_now() AND u.storage_account = '${HOSTED}' AND r.store_upload_id IS NOT NULL`;

/** The intent rows of uploads. Leases use the database's clock. */
@Injectable()
export class UploadsRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Inserts an upload into the account for new artifacts, unless the organization or the uploader, in all organizations, has as many
   * uploads in one request at this moment as the limit, or the organization's open uploads would hold more bytes than the limit. Exact
   * only if the transaction has locked them: see `lockCounts`.
   * @returns the account, and the numbers before the insert.
   */
  async insert(
    tx: RequestContext,
    upload: NewUpload,
    { leaseSeconds, limit, maxOpenBytes }: InsertLimits,
  ): Promise<RunningUploads & { readonly account: StorageAccount }> {
    const { id, organizationId, projectId, blobKey, reservationId, uploader, expectedBytes } = upload;
    const [inserted] = (await rows(this.manager(tx), INSERT, [
      id,
      organizationId,
      projectId,
      blobKey,
      reservationId,
      uploader,
      leaseSeconds,
      limit,
      tx.clock.now(),
      expectedBytes,
      maxOpenBytes,
    ])) as [RunningUploads & { readonly account: StorageAccount }];
    return inserted;
  }

  /** The bytes that open uploads of the organization may hold in the hosted store. */
  async openBytes(ctx: RequestContext, organizationId: string): Promise<number> {
    return Number((await one<{ bytes: string }>(this.manager(ctx), openBytesOf('$1'), [organizationId]))?.bytes);
  }

  /**
   * Lets no other transaction count the running uploads of the organization or the uploader, or the bytes of the organization's open
   * uploads, until this one ends.
   * @param counted what this transaction counts. `uploader` null: no running uploads.
   * @param following the key of a lock that the transaction will need afterwards.
   */
  async lockCounts(tx: RequestContext, counted: CountedUploads, following: string): Promise<void> {
    const { organizationId, uploader, openBytes } = counted;
    const running = uploader === null ? [] : [organizationId, uploader].map((id) => `uploads-at-once|${id}`);
    const keys = [...(openBytes ? [`open-upload-bytes|${organizationId}`] : []), ...running];
    if (keys.length > 0) await this.transactions.advisoryLock(tx, ...keys, following);
  }

  /** Extends the lease of an upload in one request. */
  async renewLease(ctx: RequestContext, id: string): Promise<void> {
    await changed(
      this.manager(ctx),
      `UPDATE artifact_upload SET leased_until = app_now() + make_interval(secs => $2) WHERE id = $1 AND state = 'pending'`,
      [id, LEASE_SECONDS],
    );
  }

  /** Extends the lease of a resumable upload, whose parts may arrive now. @returns null when it is not pending, or has expired. */
  renewResumableLease(ctx: RequestContext, id: string): Promise<RenewedLease | null> {
    return one<RenewedLease>(
      this.manager(ctx),
      `UPDATE artifact_upload
       SET leased_until = least(app_now() + make_interval(secs => $2), created_at + make_interval(secs => $3)),
           parts_until = app_now() + make_interval(secs => $4)
       WHERE id = $1 AND state = 'pending' AND leased_until > app_now()
       RETURNING reservation_id AS "reservationId", leased_until AS "leasedUntil"`,
      [id, RESUMABLE_LEASE_SECONDS, RESUMABLE_MAX_SECONDS, RESUMABLE_LAST_DELETE_SECONDS],
    );
  }

  /** The ids of open uploads of the hosted store whose parts may have changed since they were last counted. */
  async findUnmeasured(ctx: RequestContext): Promise<readonly string[]> {
    const unmeasured = await rows<{ id: string }>(
      this.manager(ctx),
      `SELECT u.id FROM ${MEASURABLE} AND (u.measured_at IS NULL OR u.measured_at < coalesce(u.parts_until, u.leased_until))
       ORDER BY u.measured_at NULLS FIRST`,
    );
    return unmeasured.map(({ id }) => id);
  }

  /** Null when the upload has ended. */
  findMeasurable(ctx: RequestContext, id: string): Promise<MeasurableUpload | null> {
    return one(
      this.manager(ctx),
      `SELECT u.id, u.organization_id AS "organizationId", u.blob_key AS key, r.store_upload_id AS "storeUploadId"
       FROM ${MEASURABLE} AND u.id = $1`,
      [id],
    );
  }

  /** The database's clock, for `saveMeasured`. */
  async now(ctx: RequestContext): Promise<Date> {
    const [row] = (await rows(this.manager(ctx), 'SELECT app_now() AS now')) as [{ now: Date }];
    return row.now;
  }

  /** Locks an open upload and saves when its parts were counted. False when it has ended. */
  async saveMeasured(tx: RequestContext, id: string, measuredAt: Date): Promise<boolean> {
    const statement = `UPDATE artifact_upload SET measured_at = $2 WHERE id = $1 AND state = 'pending'`;
    return (await changed(this.manager(tx), statement, [id, measuredAt])) === 1;
  }

  async setReservation(ctx: RequestContext, id: string, reservationId: string): Promise<void> {
    await changed(this.manager(ctx), `UPDATE artifact_upload SET reservation_id = $2 WHERE id = $1`, [
      id,
      reservationId,
    ]);
  }

  /** Deletes the row of a pending upload. @returns its reservation; null when the lease has expired: the sweep cancels it. */
  finish(ctx: RequestContext, id: string): Promise<string | null> {
    return this.reservationOf(
      ctx,
      `DELETE FROM artifact_upload WHERE id = $1 AND state = 'pending' AND leased_until > app_now()
       RETURNING reservation_id AS "reservationId"`,
      [id],
    );
  }

  /** Marks a pending upload as abandoned. @returns its reservation; null when it is a build, or is already abandoned. */
  abandon(ctx: RequestContext, id: string): Promise<string | null> {
    return this.reservationOf(
      ctx,
      `UPDATE artifact_upload u SET state = 'abandoned', leased_until = app_now() + make_interval(secs =>
         CASE WHEN EXISTS (SELECT FROM resumable_upload r WHERE r.id = u.id) THEN $3::int ELSE $2::int END)
       WHERE id = $1 AND state = 'pending' RETURNING reservation_id AS "reservationId"`,
      [id, LAST_DELETE_SECONDS, RESUMABLE_LAST_DELETE_SECONDS],
    );
  }

  async deleteRow(ctx: RequestContext, id: string): Promise<void> {
    await changed(this.manager(ctx), `DELETE FROM artifact_upload WHERE id = $1 AND state = 'abandoned'`, [id]);
  }

  /** The ids of projects with open uploads. */
  async listProjects(ctx: RequestContext): Promise<readonly string[]> {
    const projects = await rows<{ id: string }>(
      this.manager(ctx),
      `SELECT DISTINCT project_id AS id FROM artifact_upload WHERE state = 'pending' AND leased_until > app_now()`,
    );
    return projects.map(({ id }) => id);
  }

  /** Ends the leases of the open uploads of projects. */
  async expireOfProjects(ctx: RequestContext, projectIds: readonly string[]): Promise<void> {
    await changed(
      this.manager(ctx),
      `UPDATE artifact_upload SET leased_until = app_now()
       WHERE project_id = ANY ($1::uuid[]) AND state = 'pending' AND leased_until > app_now()`,
      [projectIds],
    );
  }

  /** The ids of those uploads that are open. */
  async findPending(ctx: RequestContext, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const pending = await rows<{ id: string }>(
      this.manager(ctx),
      `SELECT id FROM artifact_upload WHERE id = ANY ($1::uuid[]) AND state = 'pending'`,
      [ids],
    );
    return new Set(pending.map(({ id }) => id));
  }

  /** Deletes all uploads that made no build. @returns their reservations. */
  async deleteAll(tx: RequestContext): Promise<readonly string[]> {
    const deleted = await rows<{ reservationId: string }>(
      this.manager(tx),
      'DELETE FROM artifact_upload RETURNING reservation_id AS "reservationId"',
    );
    await rows(this.manager(tx), 'DELETE FROM resumable_upload WHERE build_id IS NULL');
    return deleted.map(({ reservationId }) => reservationId);
  }

  /** The ids of uploads whose lease has expired, the oldest first. */
  async findExpired(ctx: RequestContext): Promise<readonly string[]> {
    const expired = await rows<{ id: string }>(
      this.manager(ctx),
      'SELECT id FROM artifact_upload WHERE leased_until <= app_now() ORDER BY leased_until',
    );
    return expired.map(({ id }) => id);
  }

  /** Locks an upload that `findExpired` has found. Null when it was renewed, or another sweep has locked it. */
  async lockExpired(ctx: RequestContext, id: string): Promise<ExpiredUpload | null> {
    const found = await one<ExpiredRow>(
      this.manager(ctx),
      `SELECT u.id, u.organization_id AS "organizationId", u.project_id AS "projectId", u.state,
              u.storage_account AS account, u.blob_key AS key, r.id IS NOT NULL AS "isResumable",
              r.store_upload_id AS "storeUploadId"
       FROM artifact_upload u LEFT JOIN resumable_upload r ON r.id = u.id
       WHERE u.id = $1 AND u.leased_until <= app_now() FOR UPDATE OF u SKIP LOCKED`,
      [id],
    );
    if (!found) return null;
    const { account, key, isResumable, storeUploadId, ...row } = found;
    return { ...row, blob: { account, key }, parts: isResumable ? { uploadId: storeUploadId } : null };
  }

  private async reservationOf(ctx: RequestContext, statement: string, values: unknown[]): Promise<string | null> {
    return (await one<{ reservationId: string }>(this.manager(ctx), statement, values))?.reservationId ?? null;
  }

  private manager(ctx: RequestContext) {
    return this.transactions.manager(ctx);
  }
}
