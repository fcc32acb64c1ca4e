import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { changed, columnsOf, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { WebhookEntity } from '../endpoints/webhooks.repository';
import { type Attempt } from './attempt';

/** A process that dies lets other processes continue after this time. An attempt takes a quarter of it at most. */
const CLAIM = `interval '60 seconds'`;
/** The maximum number of webhooks of one organization that send at the same time, in all processes. */
const PER_ORGANIZATION = 4;
/** The maximum number of webhooks that one look claims. */
const PER_LOOK = 64;

/** A webhook that had no success for this time is turned off. */
const IS_EXPIRED = `failing_since <= app_now() - interval '5 days'`;

/** A webhook that has something to send, and the head of its chain. */
export type DueWebhook = WebhookEntity & { readonly head: string };

/** The statements of the sender. Times are those of the database, so that a wrong clock of one process changes nothing. */
@Injectable()
export class SenderRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Claims webhooks that have something to send. Another process that looks at the same time finds others. */
  async claimDue(tx: RequestContext): Promise<readonly string[]> {
    const found = await rows<{ id: string }>(
      this.transactions.manager(tx),
      `WITH busy AS (
         SELECT organization_id, count(*) AS count FROM webhook
         WHERE state = 'on' AND sending_until > (SELECT app_now()) GROUP BY organization_id
       ), due AS (
         SELECT w.id, w.next_at, coalesce(b.count, 0) + row_number() OVER (PARTITION BY w.organization_id ORDER BY w.next_at, w.id) AS turn
         FROM webhook w JOIN audit_chain c ON c.id = w.organization_id LEFT JOIN busy b ON b.organization_id = w.organization_id
         WHERE w.state = 'on' AND w.cursor < c.position AND w.next_at <= (SELECT app_now())
           AND (w.sending_until IS NULL OR w.sending_until <= (SELECT app_now()))
       )
       UPDATE webhook SET sending_until = app_now() + ${CLAIM}
       WHERE id IN (SELECT id FROM due WHERE turn <= ${PER_ORGANIZATION} ORDER BY next_at LIMIT ${PER_LOOK})
         AND (sending_until IS NULL OR sending_until <= app_now()) RETURNING id`,
    );
    return found.map(({ id }) => id);
  }

  /** Makes a run of the job the only one that sends for the webhook. */
  async begin(ctx: RequestContext, id: string, run: string): Promise<void> {
    const sql = `UPDATE webhook SET sender = $2, sending_until = app_now() + ${CLAIM} WHERE id = $1`;
    await changed(this.transactions.manager(ctx), sql, [id, run]);
  }

  /** Ends the claim of a run, so that the next look finds the webhook. */
  async end(ctx: RequestContext, id: string, run: string): Promise<void> {
    const sql = 'UPDATE webhook SET sending_until = NULL WHERE id = $1 AND sender = $2';
    await changed(this.transactions.manager(ctx), sql, [id, run]);
  }

  /** Extends the claim of a run. Null when the webhook has nothing to send now, or another run has it. */
  async findDue(ctx: RequestContext, id: string, run: string): Promise<DueWebhook | null> {
    const manager = this.transactions.manager(ctx);
    return one(
      manager,
      `UPDATE webhook w SET sending_until = app_now() + ${CLAIM} FROM audit_chain c
       WHERE w.id = $1 AND w.sender = $2 AND c.id = w.organization_id
         AND w.state = 'on' AND w.cursor < c.position AND w.next_at <= app_now()
       RETURNING ${columnsOf(manager.connection.getMetadata(WebhookEntity), 'w')}, c.position AS head`,
      [id, run],
    );
  }

  /** Moves the cursor forward over events that the webhook does not send. */
  async passTo(ctx: RequestContext, id: string, position: number): Promise<void> {
    const sql = 'UPDATE webhook SET cursor = $2 WHERE id = $1 AND cursor < $2';
    await changed(this.transactions.manager(ctx), sql, [id, position]);
  }

  /**
   * Moves the cursor past an event that was sent or parked. A success ends the failures.
   * @returns whether the webhook has had no success for too long.
   */
  async advance(tx: RequestContext, id: string, position: number, { status, error }: Attempt): Promise<boolean> {
    const found = await one<{ expired: boolean | null }>(
      this.transactions.manager(tx),
      `UPDATE webhook SET cursor = $2, attempt = 0, next_at = app_now(), last_status = $3, last_error = $4, last_at = app_now(),
         failing_since = CASE WHEN $4::text IS NOT NULL THEN coalesce(failing_since, app_now()) END
       WHERE id = $1 AND cursor < $2 RETURNING ${IS_EXPIRED} AS expired`,
      [id, position, status, error],
    );
    return found?.expired ?? false;
  }

  /** Records an answer that turns the webhook off. */
  async answered(tx: RequestContext, id: string, { status, error }: Attempt): Promise<void> {
    await changed(
      this.transactions.manager(tx),
      'UPDATE webhook SET last_status = $2, last_error = $3, last_at = app_now() WHERE id = $1',
      [id, status, error],
    );
  }

  /**
   * Records a failure, after which the webhook waits.
   * @param failures the number of failures in a row of the same kind, this one included.
   * @returns whether the webhook has had no success for too long.
   */
  async postpone(
    tx: RequestContext,
    id: string,
    position: number,
    { status, error, waitMs, failures }: Attempt & { readonly waitMs: number; readonly failures: number },
  ): Promise<boolean> {
    const found = await one<{ expired: boolean }>(
      this.transactions.manager(tx),
      `UPDATE webhook SET attempt = $6, failing_since = coalesce(failing_since, app_now()), last_status = $3, last_error = $4,
         last_at = app_now(), next_at = app_now() + $5::bigint * interval '1 millisecond'
       WHERE id = $1 AND cursor < $2 RETURNING ${IS_EXPIRED} AS expired`,
      [id, position, status, error, Math.round(waitMs), failures],
    );
    return found?.expired ?? false;
  }
}
