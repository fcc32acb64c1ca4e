import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { systemContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { Clock } from '#kernel/context/clock';
import { Transactions } from '#infra/database/transactions';
import { type DeliveryResult } from '#infra/http/response/blob-response';
import { Logger } from '#infra/logging/logger';
import { Metrics } from '#infra/metrics/metrics';
import { type SentSpan } from './build-download';
import { DownloadLogRepository } from './download-log.repository';

const WRITTEN_AFTER_MS = 250;

/**
 * Adds what went out to the log of downloads: of all of them together, a moment later, so that a download in ranges does not write a
 * row for each of its many answers. A process that is killed forgets that moment, of the log alone: what a download costs is
 * settled before its first byte.
 */
@Injectable()
export class DownloadProgressRecorder implements BeforeApplicationShutdown {
  private readonly spans: SentSpan[] = [];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly repository: DownloadLogRepository,
    private readonly transactions: Transactions,
    private readonly metrics: Metrics,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  add(ticketId: string, { delivery, span }: DeliveryResult): void {
    const bytes = span.end - span.start;
    this.metrics.count('agate_downloads_total', { delivery });
    this.metrics.count('agate_downloaded_bytes_total', { delivery }, bytes);
    // What becomes of a redirect, nobody tells.
    if (delivery === 'redirect' || bytes === 0) return;
    this.spans.push({ ticketId, ...span });
    this.writeSoon();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.write();
  }

  private writeSoon(): void {
    this.timer ??= setTimeout(() => void this.write(), WRITTEN_AFTER_MS).unref();
  }

  /** All that has come until now; one at a time. */
  private write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    return (this.writing = this.writing.then(() => this.writeAll()));
  }

  /** What cannot be written waits for the next time. */
  private async writeAll(): Promise<void> {
    const spans = this.spans.splice(0);
    if (spans.length === 0) return;
    try {
      const ctx = systemContext('download log', this.clock, newId());
      await this.transactions.run(ctx, (tx) => this.repository.addSent(tx, spans));
    } catch (error) {
      this.logger.warn({ err: error }, 'downloads could not be logged yet');
      this.spans.unshift(...spans);
      this.writeSoon();
    }
  }
}
