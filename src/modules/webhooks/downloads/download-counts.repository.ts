import { Injectable } from '@nestjs/common';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { changed, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { DOWNLOADS_COUNTED } from '../webhook';

/** The downloads of a build that a webhook has counted and not sent yet. */
@Entity('webhook_download_count')
@ForeignKey('WebhookEntity', ['organizationId', 'webhookId'], ['organizationId', 'id'], {
  name: 'fk_webhook_download_count_webhook',
  onDelete: 'CASCADE',
})
export class DownloadCountEntity {
  @PrimaryColumn('uuid', { name: 'webhook_id', primaryKeyConstraintName: 'pk_webhook_download_count' })
  webhookId: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('uuid', { name: 'project_id' })
  projectId: string;

  @PrimaryColumn('uuid', { name: 'build_id', primaryKeyConstraintName: 'pk_webhook_download_count' })
  buildId: string;

  @Column('integer')
  count: number;

  /** Downloads after this time are counted. */
  @Column({ type: 'timestamptz', precision: 3 })
  since: Date;

  /** Downloads up to and including this time are counted. */
  @Column({ type: 'timestamptz', precision: 3 })
  until: Date;
}

export type DownloadCount = DownloadCountEntity;

/** A stretch of time whose downloads a webhook has not counted yet. */
export interface UncountedTime {
  readonly since: Date;
  readonly until: Date;
}

/** The downloads of a build in a stretch of time. */
export interface BuildDownloads {
  readonly projectId: string;
  readonly buildId: string;
  readonly count: number;
}

/** A download is counted when the transaction that recorded it has certainly ended. Its time is that of its insertion. */
const LAG = `interval '1 minute'`;
const INTERVAL = `interval '1 minute'`;

@Injectable()
export class DownloadCountsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Begins to count with the downloads from now on when the webhook names the type, and forgets what was counted when it does not. */
  async follow(tx: RequestContext, webhookId: string): Promise<void> {
    const manager = this.transactions.manager(tx);
    const isWanted = `$2 = ANY (types)`;
    await changed(
      manager,
      `UPDATE webhook SET downloads_cursor = CASE WHEN ${isWanted} THEN coalesce(downloads_cursor, app_now()) END,
         downloads_next_at = CASE WHEN ${isWanted} THEN coalesce(downloads_next_at, app_now() + ${INTERVAL}) END WHERE id = $1`,
      [webhookId, DOWNLOADS_COUNTED],
    );
    const unwanted = `NOT EXISTS (SELECT FROM webhook WHERE id = $1 AND ${isWanted})`;
    await this.drop(tx, unwanted, [webhookId, DOWNLOADS_COUNTED]);
  }

  /** Passes over the downloads until now. */
  async passToNow(tx: RequestContext, webhookId: string): Promise<void> {
    const sql = 'UPDATE webhook SET downloads_cursor = app_now() WHERE id = $1 AND downloads_cursor IS NOT NULL';
    await changed(this.transactions.manager(tx), sql, [webhookId]);
    await this.drop(tx, '$2::text IS NOT NULL', [webhookId, DOWNLOADS_COUNTED]);
  }

  /**
   * Moves the cursor of a webhook to the newest time whose downloads are known. The webhook is locked until the transaction ends, so that a
   * deletion, which locks it before its counts, waits. @returns null when the webhook does not count downloads.
   */
  take(tx: RequestContext, webhookId: string): Promise<UncountedTime | null> {
    return one<UncountedTime>(
      this.transactions.manager(tx),
      `UPDATE webhook w SET downloads_cursor = greatest(old.downloads_cursor, app_now() - ${LAG}) FROM webhook old
       WHERE w.id = $1 AND old.id = w.id AND old.downloads_cursor IS NOT NULL
       RETURNING old.downloads_cursor AS since, w.downloads_cursor AS until`,
      [webhookId],
    );
  }

  /** Adds downloads to those that wait to be sent. */
  async add(
    tx: RequestContext,
    { id, organizationId }: { readonly id: string; readonly organizationId: string },
    downloads: readonly BuildDownloads[],
    { since, until }: UncountedTime,
  ): Promise<void> {
    if (downloads.length === 0) return;
    await changed(
      this.transactions.manager(tx),
      `INSERT INTO webhook_download_count AS c (webhook_id, organization_id, project_id, build_id, count, since, until)
       SELECT $1, $2, project_id, build_id, count, $6, $7 FROM unnest($3::uuid[], $4::uuid[], $5::int[]) AS d (project_id, build_id, count)
       ON CONFLICT (webhook_id, build_id) DO UPDATE SET count = c.count + excluded.count, until = excluded.until`,
      [
        id,
        organizationId,
        downloads.map(({ projectId }) => projectId),
        downloads.map(({ buildId }) => buildId),
        downloads.map(({ count }) => count),
        since,
        until,
      ],
    );
  }

  /** Takes the counts that wait longest out of the table. @returns those of one build; null when none waits. */
  async removeOldest(tx: RequestContext, webhookId: string): Promise<DownloadCount | null> {
    return one<DownloadCount>(
      this.transactions.manager(tx),
      `DELETE FROM webhook_download_count WHERE (webhook_id, build_id) =
         (SELECT webhook_id, build_id FROM webhook_download_count WHERE webhook_id = $1 ORDER BY since, build_id LIMIT 1)
       RETURNING webhook_id AS "webhookId", organization_id AS "organizationId", project_id AS "projectId", build_id AS "buildId",
         count, since, until`,
      [webhookId],
    );
  }

  /** Makes the next count due after a time, by default after the shortest one. */
  async wait(ctx: RequestContext, webhookId: string, milliseconds?: number): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
      `UPDATE webhook SET downloads_next_at = app_now() + coalesce($2::bigint * interval '1 millisecond', ${INTERVAL})
       WHERE id = $1 AND downloads_next_at IS NOT NULL`,
      [webhookId, milliseconds === undefined ? null : Math.round(milliseconds)],
    );
  }

  private async drop(tx: RequestContext, condition: string, values: readonly [string, string]): Promise<void> {
    const manager = this.transactions.manager(tx);
    await rows(manager, `DELETE FROM webhook_download_count WHERE webhook_id = $1 AND ${condition}`, [...values]);
    await rows(
      manager,
      `UPDATE webhook_delivery SET state = 'failed' WHERE webhook_id = $1 AND event_type = $2 AND state = 'pending' AND ${condition}`,
      [...values],
    );
  }
}
