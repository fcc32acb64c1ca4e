import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { ONE_PLAN } from '#infra/database/pool/statement-names';
import { changed, one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { FILE_NAME, IS_VALID, TICKET_FILE } from './downloads.repository';

/** The open ticket of a link, build and client address. */
export interface OpenTicket {
  readonly id: string;
  readonly sealedToken: Buffer;
  readonly reservationId: string;
  readonly settled: boolean;
  readonly expiresAt: Date;
  /** The file name of the artifact. */
  readonly fileName: string;
  /** Whether less than half of its time is left. */
  readonly isEnding: boolean;
}

/** The tickets of a link, build and client address that were charged in the last half hour and for which no whole delivery is known. */
export interface UnprovenTickets {
  readonly count: number;
  /** The time until the first of them is half an hour old; 0 when there is none. */
  readonly seconds: number;
}

const TICKET_LIFETIME = `interval '30 minutes'`;

/** The tickets that are minted for the clients of install links, which are used again while they are open. */
@Injectable()
export class LinkTicketsRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Serializes the minting of tickets for one link, build and client address until the transaction ends. */
  lockClient(tx: RequestContext, clientKey: Buffer): Promise<void> {
    return this.transactions.advisoryLock(tx, `download-ticket|${clientKey.toString('hex')}`);
  }

  findOpen(ctx: RequestContext, clientKey: Buffer): Promise<OpenTicket | null> {
    return one<OpenTicket>(
      this.manager(ctx),
      `SELECT t.id, t.sealed_token AS "sealedToken", t.reservation_id AS "reservationId",
              t.settled_at IS NOT NULL AS settled, t.expires_at AS "expiresAt",
              t.expires_at < app_now() + ${TICKET_LIFETIME} / 2 AS "isEnding", ${FILE_NAME} AS "fileName"
       FROM download_ticket t ${TICKET_FILE}
       WHERE t.client_key = $1 AND ${IS_VALID} ORDER BY t.id DESC LIMIT 1 ${ONE_PLAN}`,
      [clientKey],
    );
  }

  /**
   * A ticket is extended for a day. Its reservation, with which it is deleted, is kept for a week.
   * @returns when the ticket now expires; null when it is older, and when it ended with its link or key in the meantime.
   */
  async extend(tx: RequestContext, id: string): Promise<Date | null> {
    const row = await one<{ expiresAt: Date }>(
      this.manager(tx),
      `UPDATE download_ticket SET expires_at = app_now() + ${TICKET_LIFETIME}
       WHERE id = $1 AND created_at > app_now() - interval '1 day' RETURNING expires_at AS "expiresAt"`,
      [id],
    );
    return row?.expiresAt ?? null;
  }

  async countUnproven(tx: RequestContext, clientKey: Buffer): Promise<UnprovenTickets> {
    const row = await one<UnprovenTickets>(
      this.manager(tx),
      `SELECT count(*)::int AS count,
              coalesce(ceil(extract(epoch FROM min(settled_at) + ${TICKET_LIFETIME} - app_now())), 0)::int AS seconds
       FROM download_ticket
       WHERE client_key = $1 AND settled_at > app_now() - ${TICKET_LIFETIME} AND delivered_at IS NULL`,
      [clientKey],
    );
    return row ?? { count: 0, seconds: 0 };
  }

  /** Also counts the open tickets that are not used yet, because all of them can be used in the meantime. */
  async countOfNetwork(tx: RequestContext, networkKey: Buffer): Promise<UnprovenTickets> {
    const row = await one<UnprovenTickets>(
      this.manager(tx),
      `SELECT count(*)::int AS count,
              coalesce(ceil(extract(epoch FROM min(coalesce(settled_at + ${TICKET_LIFETIME}, expires_at)) - app_now())), 0)::int AS seconds
       FROM download_ticket
       WHERE network_key = $1 AND expires_at > app_now() - ${TICKET_LIFETIME} AND delivered_at IS NULL
         AND coalesce(settled_at + ${TICKET_LIFETIME}, expires_at) > app_now()`,
      [networkKey],
    );
    return row ?? { count: 0, seconds: 0 };
  }

  /** Records that a response has sent the whole artifact. Only for tickets of install links, which limit charges by it. */
  async markDelivered(ctx: RequestContext, ids: readonly string[]): Promise<void> {
    await changed(
      this.manager(ctx),
      `UPDATE download_ticket SET delivered_at = app_now()
       WHERE id = ANY ($1) AND client_key IS NOT NULL AND delivered_at IS NULL`,
      [ids],
    );
  }

  private manager(ctx: RequestContext) {
    return this.transactions.manager(ctx);
  }
}
