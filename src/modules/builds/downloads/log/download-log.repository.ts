import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { type RequestContext } from '#kernel/context/request-context';
import { decodeCursor, type ListName, type Page, pageOf, type PageRequest } from '#kernel/cursor';
import { type ProjectScope } from '#kernel/context/scope';
import { changed, deleteInBatches } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { type SentSpan } from './build-download';
import { BuildDownloadEntity } from './build-download.entity';

@Injectable()
export class DownloadLogRepository {
  constructor(private readonly transactions: Transactions) {}

  /** One page of a build's log, newest first. */
  async list(
    ctx: RequestContext,
    { organizationId, projectId }: ProjectScope,
    buildId: string,
    { limit, cursor }: PageRequest,
  ): Promise<Page<BuildDownloadEntity>> {
    const list: ListName = `build-downloads|${buildId}`;
    const before = decodeCursor(cursor, list);
    const rows = await this.transactions
      .manager(ctx)
      .getRepository(BuildDownloadEntity)
      .find({
        where: { organizationId, projectId, buildId, ...(before && { id: LessThan(before) }) },
        order: { id: 'DESC' },
        take: limit + 1,
      });
    return pageOf(rows, limit, list);
  }

  /** Deletes entries older than `days`. The counts of the builds stay. */
  prune(ctx: RequestContext, days: number): Promise<void> {
    const condition = `started_at < (SELECT app_now() - make_interval(days => $1))`;
    return deleteInBatches(this.transactions.manager(ctx), 'build_download', condition, [days]);
  }

  /** Adds sent bytes to their downloads. A download is complete when every byte was sent at least once. */
  async addSent(ctx: RequestContext, sent: readonly SentSpan[]): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
      `UPDATE build_download d SET served_bytes = coalesce(d.served_bytes, 0) + s.bytes,
         served_ranges = d.served_ranges + s.ranges,
         completed_at = CASE WHEN d.served_ranges + s.ranges @> int8range(0, b.size_bytes)
                             THEN coalesce(d.completed_at, app_now()) END
       FROM (
         SELECT ticket_id, sum(upper(span) - lower(span))::bigint AS bytes, range_agg(span) AS ranges
         FROM unnest($1::uuid[], $2::int8range[]) AS each (ticket_id, span) GROUP BY ticket_id
       ) s, build b
       WHERE d.ticket_id = s.ticket_id AND b.id = d.build_id`,
      [sent.map(({ ticketId }) => ticketId), sent.map(({ start, end }) => `[${start},${end})`)],
    );
  }
}
