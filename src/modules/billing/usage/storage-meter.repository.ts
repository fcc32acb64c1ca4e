import { Injectable } from '@nestjs/common';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { deleteInBatches, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { inPage, pageParameters, type ShardPage } from '#infra/jobs/shards/shard';

/**
 * An existing build or open upload, for the storage meter. Intervals are opened for them when an organization becomes metered again. Uploads
 * to an organization's own storage account have no row.
 */
@Entity('stored_build')
@Check('ck_stored_build_size', 'size_bytes >= 0')
@Index('ix_stored_build_organization', ['organizationId'])
@Index('ix_stored_build_open_upload', ['organizationId'], { where: 'is_open_upload' })
export class StoredBuildEntity {
  @PrimaryColumn('uuid', { name: 'build_id', primaryKeyConstraintName: 'pk_stored_build' })
  buildId: string;

  @ForeignKey('BillingAccountEntity', 'organizationId', { name: 'fk_stored_build_account', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('bigint', { name: 'size_bytes' })
  sizeBytes: string;

  /** Whether the row is an upload whose parts are stored; `buildId` is then the id of the upload. */
  @Column('boolean', { name: 'is_open_upload', default: false })
  isOpenUpload: boolean;
}

/**
 * A time span in which the storage of a build, or of the parts of an open upload, was charged to its organization. No foreign key deletes
 * the rows with the account, because an organization can have millions; a job does (`StorageMeterService.forget`).
 */
@Entity('storage_interval')
@Check('ck_storage_interval_size', 'size_bytes >= 0')
@Check('ck_storage_interval_order', 'ended_at >= started_at')
@Index('uq_storage_interval_open', ['buildId'], { unique: true, where: 'ended_at IS NULL' })
@Index('ix_storage_interval_organization', ['organizationId', 'endedAt'])
export class StorageIntervalEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_storage_interval' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'build_id' })
  buildId: string;

  @Column('bigint', { name: 'size_bytes' })
  sizeBytes: string;

  @Column({ type: 'timestamptz', name: 'started_at', precision: 3 })
  startedAt: Date;

  /** Null while the build is stored. */
  @Column({ type: 'timestamptz', name: 'ended_at', precision: 3, nullable: true })
  endedAt: Date | null;
}

/** A build that occupies storage. */
export interface StoredBuild {
  readonly organizationId: string;
  readonly buildId: string;
  readonly sizeBytes: number;
  /** Whether its artifact is in the hosted store. Storage is metered while it is. */
  readonly isHosted: boolean;
}

/** An upload whose parts occupy storage. */
export interface MeteredUpload {
  readonly organizationId: string;
  readonly uploadId: string;
}

/** Milliseconds are whole, so that sums of bytes times milliseconds are exact. */
const NOW = `date_trunc('milliseconds', app_now())`;
/**
 * The end of an interval, by the clock of billing: a doubtful clock could set an end in the future, and storage would be charged until
 * then.
 */
const END = `date_trunc('milliseconds', billing_now())`;

/**
 * The changes of the stored bytes in a month ($1 organization, $2 instants in order, $3 the last of them), summed up per span. A build
 * that was stored before the first instant is a change at that instant, and a build that is stored at the last one never ends, so each
 * interval is read once, by two ranges of an index, however many spans there are.
 */
const CHANGES = `
  SELECT width_bucket(at, $2::timestamptz[]) AS span, sum(bytes) AS bytes,
    trunc(sum(bytes * 1000 * extract(epoch FROM at))) AS "weighted"
  FROM (
    SELECT greatest(started_at, ($2::timestamptz[])[1]) AS at, size_bytes AS bytes FROM (
      SELECT started_at, size_bytes FROM storage_interval WHERE organization_id = $1 AND ended_at IS NULL
      UNION ALL
      SELECT started_at, size_bytes FROM storage_interval WHERE organization_id = $1 AND ended_at > ($2::timestamptz[])[1]
    ) stored WHERE started_at < $3
    UNION ALL
    SELECT ended_at, -size_bytes FROM storage_interval
    WHERE organization_id = $1 AND ended_at > ($2::timestamptz[])[1] AND ended_at < $3
  ) change GROUP BY 1`;

@Injectable()
export class StorageMeterRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Adds a new build, and opens its interval if its organization is metered and its artifact is in the hosted store. The interval of the
   * upload that made it ends at the same instant. Locks the account's row.
   * @returns false when the organization has no account; nothing is added then.
   */
  async addBuild(
    tx: RequestContext,
    { organizationId, buildId, sizeBytes, isHosted }: StoredBuild,
    uploadId: string | null,
  ): Promise<boolean> {
    const added = await rows(
      this.transactions.manager(tx),
      `WITH account AS MATERIALIZED (
           SELECT metered, ${NOW} AS now FROM billing_account WHERE organization_id = $2 FOR NO KEY UPDATE),
         b AS (INSERT INTO stored_build (build_id, organization_id, size_bytes) SELECT $1, $2, $3::bigint FROM account
           RETURNING build_id, organization_id, size_bytes),
         opened AS (INSERT INTO storage_interval (id, organization_id, build_id, size_bytes, started_at)
           SELECT $4, b.organization_id, b.build_id, b.size_bytes, account.now FROM account, b
           WHERE account.metered AND $6::boolean),
         removed AS (DELETE FROM stored_build WHERE build_id = $5 AND organization_id = $2),
         closed AS (UPDATE storage_interval SET ended_at = greatest(least(account.now, ${END}), started_at) FROM account
           WHERE organization_id = $2 AND build_id = $5 AND ended_at IS NULL)
       SELECT FROM b`,
      [buildId, organizationId, sizeBytes, newId(), uploadId, isHosted],
    );
    return added.length === 1;
  }

  /**
   * Sets the size of the parts of an open upload in the hosted store: ends its interval and opens one of the new size. Does nothing when the
   * size is the same. The transaction must hold the account's lock.
   */
  async setOpenUpload(
    tx: RequestContext,
    { organizationId, uploadId }: MeteredUpload,
    sizeBytes: number,
  ): Promise<void> {
    const set = await rows(
      this.transactions.manager(tx),
      `INSERT INTO stored_build AS b (build_id, organization_id, size_bytes, is_open_upload)
       SELECT $1, $2, $3::bigint, true WHERE $3::bigint > 0 OR EXISTS (SELECT FROM stored_build WHERE build_id = $1)
       ON CONFLICT (build_id) DO UPDATE SET size_bytes = $3::bigint WHERE b.size_bytes <> $3::bigint RETURNING 1`,
      [uploadId, organizationId, sizeBytes],
    );
    if (set.length === 0) return;
    await this.close(tx, organizationId, [uploadId]);
    await this.open(tx, organizationId, uploadId);
  }

  /** Removes an open upload and ends its interval. Locks the account's row if the upload is metered. */
  async endOpenUpload(tx: RequestContext, { organizationId, uploadId }: MeteredUpload): Promise<void> {
    await rows(
      this.transactions.manager(tx),
      `WITH account AS MATERIALIZED (
           SELECT organization_id FROM billing_account WHERE organization_id = $1
             AND EXISTS (SELECT FROM stored_build WHERE build_id = $2 AND is_open_upload) FOR NO KEY UPDATE),
         removed AS (DELETE FROM stored_build b USING account a WHERE b.build_id = $2 AND b.organization_id = a.organization_id)
       UPDATE storage_interval i SET ended_at = greatest(${END}, started_at) FROM account a
       WHERE i.organization_id = a.organization_id AND i.build_id = $2 AND i.ended_at IS NULL`,
      [organizationId, uploadId],
    );
  }

  /** The bytes of the parts of an organization's open uploads. */
  async openUploadBytes(ctx: RequestContext, organizationId: string): Promise<bigint> {
    const row = await one<{ bytes: string }>(
      this.transactions.manager(ctx),
      `SELECT coalesce(sum(size_bytes), 0) AS bytes FROM stored_build WHERE organization_id = $1 AND is_open_upload`,
      [organizationId],
    );
    return BigInt(row?.bytes ?? 0);
  }

  /** The bytes of the parts of all open uploads. */
  async totalOpenUploadBytes(ctx: RequestContext): Promise<number> {
    const row = await one<{ bytes: string }>(
      this.transactions.manager(ctx),
      `SELECT coalesce(sum(size_bytes), 0) AS bytes FROM stored_build WHERE is_open_upload`,
    );
    return Number(row?.bytes ?? 0);
  }

  findOpenUploads(ctx: RequestContext): Promise<readonly MeteredUpload[]> {
    return rows(
      this.transactions.manager(ctx),
      `SELECT organization_id AS "organizationId", build_id AS "uploadId" FROM stored_build WHERE is_open_upload`,
    );
  }

  async removeBuilds(ctx: RequestContext, organizationId: string, buildIds: readonly string[]): Promise<void> {
    const statement = 'DELETE FROM stored_build WHERE build_id = ANY ($1::uuid[]) AND organization_id = $2';
    await rows(this.transactions.manager(ctx), statement, [buildIds, organizationId]);
  }

  /** Ids of deleted organizations that still have intervals. Reads one row of the index per organization. */
  async findDeletedOrganizations(ctx: RequestContext): Promise<readonly string[]> {
    const deleted = await rows<{ id: string }>(
      this.transactions.manager(ctx),
      `WITH RECURSIVE organization_with_intervals AS (
         (SELECT organization_id AS id FROM storage_interval ORDER BY organization_id LIMIT 1)
         UNION ALL
         SELECT (SELECT organization_id FROM storage_interval WHERE organization_id > o.id ORDER BY organization_id LIMIT 1)
         FROM organization_with_intervals o WHERE o.id IS NOT NULL)
       SELECT id FROM organization_with_intervals o
       WHERE id IS NOT NULL AND NOT EXISTS (SELECT FROM billing_account a WHERE a.organization_id = o.id)`,
    );
    return deleted.map(({ id }) => id);
  }

  /** Deletes the intervals of an organization that was deleted, step by step. */
  async deleteIntervals(ctx: RequestContext, organizationId: string): Promise<void> {
    await deleteInBatches(this.transactions.manager(ctx), 'storage_interval', 'organization_id = $1', [organizationId]);
  }

  /**
   * Opens the interval of a build in the hosted store if its organization is metered. Does nothing when one is open.
   * @param buildId null opens the intervals of all builds of the organization, except those outside the hosted store.
   */
  async open(
    ctx: RequestContext,
    organizationId: string,
    buildId: string | null,
    outsideHostedStore: readonly string[] = [],
  ): Promise<void> {
    const manager = this.transactions.manager(ctx);
    const builds = await rows<{ buildId: string }>(
      manager,
      `SELECT b.build_id AS "buildId" FROM stored_build b JOIN billing_account a USING (organization_id)
       WHERE organization_id = $1 AND ($2::uuid IS NULL OR build_id = $2) AND a.metered
         AND NOT EXISTS (SELECT FROM unnest($3::uuid[]) AS outside (id) WHERE outside.id = b.build_id)
         AND NOT EXISTS (SELECT FROM storage_interval i WHERE i.build_id = b.build_id AND i.ended_at IS NULL)`,
      [organizationId, buildId, outsideHostedStore],
    );
    await rows(
      manager,
      `INSERT INTO storage_interval (id, organization_id, build_id, size_bytes, started_at)
       SELECT n.id, b.organization_id, b.build_id, b.size_bytes, ${NOW}
       FROM unnest($1::uuid[], $2::uuid[]) AS n (id, build_id) JOIN stored_build b USING (build_id)`,
      [builds.map(() => newId()), builds.map((build) => build.buildId)],
    );
  }

  /** Closes the open intervals of builds. @param buildIds null closes those of all builds of the organization. */
  async close(ctx: RequestContext, organizationId: string, buildIds: readonly string[] | null): Promise<void> {
    await rows(
      this.transactions.manager(ctx),
      `UPDATE storage_interval SET ended_at = greatest(${END}, started_at)
       WHERE organization_id = $1 AND ended_at IS NULL AND ($2::uuid[] IS NULL OR build_id = ANY ($2))`,
      [organizationId, buildIds],
    );
  }

  /** Ids of the organizations that stored something after an instant. */
  async findOrganizationsSince(ctx: RequestContext, since: Date, page: ShardPage): Promise<readonly string[]> {
    const organizations = await rows<{ organizationId: string }>(
      this.transactions.manager(ctx),
      `SELECT a.organization_id AS "organizationId" FROM billing_account a
       CROSS JOIN LATERAL (
         SELECT FROM storage_interval i WHERE i.organization_id = a.organization_id AND ended_at IS NULL
         UNION ALL
         SELECT FROM storage_interval i WHERE i.organization_id = a.organization_id AND ended_at > $3
         LIMIT 1
       ) stored WHERE ${inPage('a.organization_id', 1)} ORDER BY 1 LIMIT $4`,
      [...pageParameters(page), since, page.limit],
    );
    return organizations.map(({ organizationId }) => organizationId);
  }

  /**
   * Exact bytes times milliseconds that were stored in each span between two consecutive instants.
   * @param instants one more than there are spans, in order.
   */
  async byteMs(ctx: RequestContext, organizationId: string, instants: readonly Date[]): Promise<readonly bigint[]> {
    const changes = await rows<{ span: number; bytes: string; weighted: string }>(
      this.transactions.manager(ctx),
      CHANGES,
      [organizationId, instants, instants.at(-1)],
    );
    const bySpan = new Map(changes.map(({ span, ...change }) => [span, change]));
    let stored = 0n;
    return instants.slice(1).map((until, index) => {
      const { bytes, weighted } = bySpan.get(index + 1) ?? { bytes: 0, weighted: 0 };
      const before = stored * BigInt(until.getTime() - instants[index]!.getTime());
      stored += BigInt(bytes);
      return before + BigInt(bytes) * BigInt(until.getTime()) - BigInt(weighted);
    });
  }
}
