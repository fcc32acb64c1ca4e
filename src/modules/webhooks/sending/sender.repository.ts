import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { changed, columnsOf, one, rows } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';
import { WebhookEntity } from '../endpoints/webhooks.repository';
import { type Attempt } from './attempt';

/** A process that dies lets other processes continue after this time. An attempt takes half of it at most. */
const CLAIM = `interval '30 seconds'`;
/** The maximum number of quick webhooks of one organization that send at the same time, in all processes. */
const PER_ORGANIZATION = 4;
/**
 * The maximum number of slow webhooks that send at the same time, in all processes, and of one organization. The other slots of each process
 * are for quick ones, so that endpoints that do not respond delay only each other.
 */
const SLOW = 4;
const SLOW_PER_ORGANIZATION = 2;
/** The maximum number of webhooks that one look claims. */
const PER_LOOK = 64;
/** A webhook whose last attempt failed or took longer is slow. */
const QUICK_MS = 2_000;

/** A webhook that had no success for this time is turned off. */
const IS_EXPIRED = `coalesce(failing_since <= app_now() - interval '5 days', false)`;

/** The webhook of a recorded outcome, after it. */
export interface Recorded {
  /** Whether the webhook has had no success for too long. */
  readonly isExpired: boolean;
}

/** A webhook that has something to send, the head of its chain, and whether it is time for a count of downloads. */
export type DueWebhook = WebhookEntity & { readonly head: string; readonly isCountDue: boolean };

/** The statements of the sender. Times are those of the database, so that a wrong clock of one process changes nothing. */
@Injectable()
export class SenderRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Claims webhooks that have something to send, for the run that begins next. Another process that looks at the same time finds others.
   * Locked rows are skipped: waiting for them with other rows locked could deadlock with a deletion of several webhooks.
   */
  async claimDue(tx: RequestContext): Promise<readonly string[]> {
    const found = await rows<{ id: string }>(
      this.transactions.manager(tx),
      `WITH busy AS (
         SELECT organization_id, is_quick, count(*) AS count FROM webhook
         WHERE state = 'on' AND sending_until > (SELECT app_now()) GROUP BY organization_id, is_quick
       ), due AS (
         SELECT w.id, w.next_at, w.is_quick, coalesce(b.count, 0) +
           row_number() OVER (PARTITION BY w.organization_id, w.is_quick ORDER BY w.next_at, w.id) AS turn
         FROM webhook w JOIN audit_chain c ON c.id = w.organization_id
         LEFT JOIN busy b ON b.organization_id = w.organization_id AND b.is_quick = w.is_quick
         WHERE w.state = 'on' AND (w.cursor < c.position OR w.downloads_next_at <= (SELECT app_now())) AND w.next_at <= (SELECT app_now())
           AND (w.sending_until IS NULL OR w.sending_until <= (SELECT app_now()))
       ), chosen AS (
         (SELECT id FROM due WHERE is_quick AND turn <= ${PER_ORGANIZATION} ORDER BY next_at LIMIT ${PER_LOOK})
         UNION ALL
         (SELECT id FROM due WHERE NOT is_quick AND turn <= ${SLOW_PER_ORGANIZATION} ORDER BY turn, next_at
          LIMIT greatest(0, ${SLOW} - (SELECT coalesce(sum(count), 0) FROM busy WHERE NOT is_quick)))
       )
       UPDATE webhook SET sender = NULL, sending_until = app_now() + ${CLAIM}
       WHERE id IN (
         SELECT id FROM webhook WHERE id IN (SELECT id FROM chosen)
           AND (sending_until IS NULL OR sending_until <= app_now()) FOR NO KEY UPDATE SKIP LOCKED
       ) RETURNING id`,
    );
    return found.map(({ id }) => id);
  }

  /**
   * Makes a run of the job the only one that sends for the webhook. A job that waited for a slot for longer than its claim has a second one.
   * @returns false when another run is sending.
   */
  async begin(ctx: RequestContext, id: string, run: string): Promise<boolean> {
    const sql = `
      UPDATE webhook SET sender = $2, sending_until = app_now() + ${CLAIM}
      WHERE id = $1 AND (sender IS NULL OR sending_until IS NULL OR sending_until <= app_now())`;
    return (await changed(this.transactions.manager(ctx), sql, [id, run])) === 1;
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
         AND w.state = 'on' AND (w.cursor < c.position OR w.downloads_next_at <= app_now()) AND w.next_at <= app_now()
       RETURNING ${columnsOf(manager.connection.getMetadata(WebhookEntity), 'w')}, c.position AS head,
         coalesce(w.downloads_next_at <= app_now(), false) AS "isCountDue"`,
      [id, run],
    );
  }

  /**
   * Moves the cursor forward over events that the webhook does not send. A message of one of them, written before the events of the webhook
   * were changed, is not tried again.
   */
  async passTo(ctx: RequestContext, id: string, position: number): Promise<void> {
    await changed(
      this.transactions.manager(ctx),
      `WITH passed AS (UPDATE webhook SET cursor = $2 WHERE id = $1 AND cursor < $2 RETURNING id)
       UPDATE webhook_delivery d SET state = 'failed' FROM passed
       WHERE d.webhook_id = passed.id AND d.position <= $2 AND d.state = 'pending'`,
      [id, position],
    );
  }

  /**
   * Moves the cursor past an event that was sent or parked. A success ends the failures.
   * @returns null when the cursor is past the event already, or the webhook was deleted.
   */
  async advance(
    tx: RequestContext,
    id: string,
    position: number,
    { status, error, tookMs }: Attempt,
  ): Promise<Recorded | null> {
    return one(
      this.transactions.manager(tx),
      `UPDATE webhook SET cursor = $2, attempt = 0, next_at = app_now(), last_status = $3, last_error = $4, last_at = app_now(), is_quick = $5,
         failing_since = CASE WHEN $4::text IS NOT NULL THEN coalesce(failing_since, app_now()) END
       WHERE id = $1 AND cursor < $2 RETURNING ${IS_EXPIRED} AS "isExpired"`,
      [id, position, status, error, error === null && tookMs <= QUICK_MS],
    );
  }

  /** Records a success that moves no cursor. It ends the failures. */
  async succeed(tx: RequestContext, id: string, { status, tookMs }: Attempt): Promise<void> {
    await changed(
      this.transactions.manager(tx),
      `UPDATE webhook SET attempt = 0, next_at = app_now(), last_status = $2, last_error = NULL, last_at = app_now(), failing_since = NULL,
         is_quick = $3 WHERE id = $1`,
      [id, status, tookMs <= QUICK_MS],
    );
  }

  /**
   * Records a failure, after which the webhook waits.
   * @param position of the event; null for a message that is not in the chain. @param failures the number of failures in a row of the same kind, this one included.
   * @returns null when the cursor is past the event already, or the webhook was deleted.
   */
  postpone(
    tx: RequestContext,
    id: string,
    position: number | null,
    { status, error, waitMs, failures }: Attempt & { readonly waitMs: number; readonly failures: number },
  ): Promise<Recorded | null> {
    return one(
      this.transactions.manager(tx),
      `UPDATE webhook SET attempt = $6, failing_since = coalesce(failing_since, app_now()), last_status = $3, last_error = $4,
         last_at = app_now(), is_quick = false, next_at = app_now() + $5::bigint * interval '1 millisecond'
       WHERE id = $1 AND ($2::bigint IS NULL OR cursor < $2) RETURNING ${IS_EXPIRED} AS "isExpired"`,
      [id, position, status, error, Math.round(waitMs), failures],
    );
  }
}
