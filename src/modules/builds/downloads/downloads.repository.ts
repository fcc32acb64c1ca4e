import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type DeviceFamily } from '#kernel/builds/device';
import { newId } from '#kernel/ids';
import { deleteInBatches } from '#infra/database/delete-in-batches';
import { Transactions } from '#infra/database/transactions';
import { type ArtifactFile } from '../catalogue/build';
import { type BuildEntity } from '../catalogue/build.entity';
import { DownloadTicketEntity } from './download-ticket.entity';
import { fileFromRow } from '../catalogue/build-from-row';

/** A ticket that is still good. */
export interface ValidTicket {
  readonly id: string;
  readonly buildId: string;
  readonly reservationId: string;
  /** Whether it was used before. */
  readonly settled: boolean;
}

type TicketRow = ValidTicket & Pick<BuildEntity, 'fileName' | 'sizeBytes' | 'sha256' | 'storageAccount' | 'blobKey'>;

/** A ticket ends when it has carried three times its artifact (contract §7). */
const MAX_TIMES = 3;

const LIVING = `t.expires_at > app_now() AND t.served_bytes < ${MAX_TIMES} * b.size_bytes`;

@Injectable()
export class DownloadsRepository {
  constructor(private readonly transactions: Transactions) {}

  /**
   * Keeps a build from being deleted until the end of the transaction. Whoever deletes one takes its row, then those of its tickets,
   * then that of the account: so whoever is going to take one of those takes this before.
   */
  async keepBuild(tx: RequestContext, buildId: string): Promise<void> {
    await this.transactions.manager(tx).query('SELECT FROM build WHERE id = $1 FOR KEY SHARE', [buildId]);
  }

  async insert(ctx: RequestContext, ticket: DownloadTicketEntity): Promise<void> {
    await this.transactions.manager(ctx).insert(DownloadTicketEntity, ticket);
  }

  /** With what it opens, in one question: a download in ranges asks it for each of them. */
  async findLiving(ctx: RequestContext, digest: Buffer): Promise<{ ticket: ValidTicket; file: ArtifactFile } | null> {
    const rows: TicketRow[] = await this.transactions.manager(ctx).query(
      `SELECT t.id, t.build_id AS "buildId", t.reservation_id AS "reservationId", t.settled_at IS NOT NULL AS settled,
              b.file_name AS "fileName", b.size_bytes AS "sizeBytes", b.sha256,
              b.storage_account AS "storageAccount", b.blob_key AS "blobKey"
       FROM download_ticket t JOIN build b ON b.id = t.build_id WHERE t.digest = $1 AND ${LIVING}`,
      [digest],
    );
    return rows[0] ? { ticket: rows[0], file: fileFromRow(rows[0]) } : null;
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

  /**
   * Writes the first use of a ticket into the log of its build, and counts it there. Takes the build's row first, so that
   * simultaneous first downloads of one tester take turns, and one of them is the first.
   */
  async logStart(ctx: RequestContext, { id, buildId }: ValidTicket, device: DeviceFamily): Promise<void> {
    const manager = this.transactions.manager(ctx);
    await manager.query('SELECT FROM build WHERE id = $1 FOR NO KEY UPDATE', [buildId]);
    await manager.query(
      `WITH logged AS (
         INSERT INTO build_download (id, organization_id, project_id, build_id, ticket_id, minted_by_kind, minted_by_id,
                                     tester_id, channel_id, device_family, started_at)
         SELECT $2, organization_id, project_id, build_id, id, minted_by_kind, minted_by_id,
                tester_id, channel_id, $3, app_now()
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

  /** Forgets tickets that ran out more than a day ago. */
  prune(ctx: RequestContext): Promise<void> {
    return deleteInBatches(
      this.transactions.manager(ctx),
      'download_ticket',
      `expires_at < (SELECT app_now() - interval '1 day')`,
    );
  }
}
