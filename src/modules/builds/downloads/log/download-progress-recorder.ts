import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Clock } from '#kernel/context/clock';
import { systemContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { Transactions } from '#infra/database/transactions';
import { type DeliveryResult } from '#infra/http/response/blob-response';
import { Logger } from '#infra/logging/logger';
import { Metrics } from '#infra/metrics/metrics';
import { LinkTicketsRepository } from '../link-tickets.repository';
import { type SentSpan } from './build-download';
import { DownloadLogRepository } from './download-log.repository';

const WRITE_DELAY_MS = 250;

/**
 * Adds the sent bytes to the download log, for all downloads together after a short delay, so that a download in ranges does
 * not write once per response. A killed process loses the last moment of the log only: a download is paid for before its first
 * byte.
 */
@Injectable()
export class DownloadProgressRecorder implements BeforeApplicationShutdown {
  private readonly spans: SentSpan[] = [];
  private readonly delivered: string[] = [];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly repository: DownloadLogRepository,
    private readonly linkTickets: LinkTicketsRepository,
    private readonly transactions: Transactions,
    private readonly metrics: Metrics,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  add(ticketId: string, { delivery, spans, isWhole }: DeliveryResult): void {
    const bytes = spans.reduce((sum, { start, end }) => sum + end - start, 0);
    this.metrics.count('agate_downloads_total', { delivery });
    this.metrics.count('agate_downloaded_bytes_total', { delivery }, bytes);
    // After a redirect the store sends the bytes, and does not report them.
    if (delivery === 'redirect' || bytes === 0) return;
    this.spans.push(...spans.map((span) => ({ ticketId, ...span })));
    if (isWhole) this.delivered.push(ticketId);
    this.writeSoon();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.write();
  }

  private writeSoon(): void {
    this.timer ??= setTimeout(() => void this.write(), WRITE_DELAY_MS).unref();
  }

  /** Writes the recorded spans, after a running write. */
  private write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    return (this.writing = this.writing.then(() => this.writeAll()));
  }

  /** Spans that cannot be written are kept for the next write. */
  private async writeAll(): Promise<void> {
    const [spans, delivered] = [this.spans.splice(0), this.delivered.splice(0)];
    if (spans.length === 0) return;
    try {
      const ctx = systemContext('download log', this.clock, newId());
      // Runs before the log is written, in a separate transaction: the deletion of a build locks tickets before the rows of the log.
      if (delivered.length > 0) await this.linkTickets.markDelivered(ctx, delivered);
      await this.transactions.run(ctx, (tx) => this.repository.addSent(tx, spans));
    } catch (error) {
      this.logger.warn({ err: error }, 'The download log was not written; it will be retried');
      this.spans.unshift(...spans);
      this.delivered.unshift(...delivered);
      this.writeSoon();
    }
  }
}
