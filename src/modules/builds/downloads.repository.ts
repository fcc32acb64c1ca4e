import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/scope/scope';
import { Transactions } from '#platform/database/transactions';
import { DownloadTicketEntity } from './download-ticket.entity';

/** A ticket that is still good. */
export interface LivingTicket extends ProjectScope {
  readonly id: string;
  readonly buildId: string;
  readonly reservationId: string;
}

/** A ticket ends when it has carried three times its artifact (contract §7). */
const MOST_TIMES = 3;

const LIVING = `t.expires_at > app_now() AND t.served_bytes < ${MOST_TIMES} * b.size_bytes`;

@Injectable()
export class DownloadsRepository {
  constructor(private readonly transactions: Transactions) {}

  async insert(ctx: RequestContext, ticket: DownloadTicketEntity): Promise<void> {
    await this.transactions.manager(ctx).insert(DownloadTicketEntity, ticket);
  }

  async findLiving(ctx: RequestContext, digest: Buffer): Promise<LivingTicket | null> {
    const rows: LivingTicket[] = await this.transactions.manager(ctx).query(
      `SELECT t.id, t.organization_id AS "organizationId", t.project_id AS "projectId", t.build_id AS "buildId",
              t.reservation_id AS "reservationId"
       FROM download_ticket t JOIN build b ON b.id = t.build_id WHERE t.digest = $1 AND ${LIVING}`,
      [digest],
    );
    return rows[0] ?? null;
  }

  /**
   * Counts what an answer is going to carry. @returns 'first' for the ticket's first use, 'again' for later ones, null when
   * the ticket has ended meanwhile.
   */
  async use(ctx: RequestContext, id: string, plannedBytes: number): Promise<'first' | 'again' | null> {
    const [rows]: [{ first: boolean }[], number] = await this.transactions.manager(ctx).query(
      `UPDATE download_ticket t SET served_bytes = t.served_bytes + $2, settled_at = coalesce(t.settled_at, app_now())
       FROM download_ticket old JOIN build b ON b.id = old.build_id
       WHERE t.id = $1 AND old.id = t.id AND ${LIVING}
       RETURNING old.settled_at IS NULL AS first`,
      [id, plannedBytes],
    );
    if (!rows[0]) return null;
    return rows[0].first ? 'first' : 'again';
  }

  /** Forgets tickets that ran out more than a day ago. */
  async prune(ctx: RequestContext): Promise<void> {
    await this.transactions
      .manager(ctx)
      .query(`DELETE FROM download_ticket WHERE expires_at < app_now() - interval '1 day'`);
  }
}
