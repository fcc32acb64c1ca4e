import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Logger } from '#infra/logging/logger';
import { Metrics } from '#infra/metrics/metrics';
import { Sealer, SealError } from './sealer';

/** The maximum number of damaged secrets that are remembered, so that each is logged once. */
const MAX_REMEMBERED = 1_000;

/**
 * Opens secrets that lists show beside other data. A secret that does not open, because its row is damaged or its master key is missing,
 * hides nothing else.
 */
@Injectable()
export class ListedSecrets {
  private readonly logged = new LRUCache<string, true>({ max: MAX_REMEMBERED });

  constructor(
    private readonly sealer: Sealer,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Like `Sealer.open`, for text. Null when the value cannot be opened.
   * @param context the table and the id of the row, for example `invite|<id>`.
   */
  open(sealed: Buffer, context: string): string | null {
    try {
      return this.sealer.open(sealed, context).toString();
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      this.report(context, error);
      return null;
    }
  }

  private report(context: string, error: SealError): void {
    const [table = '', id] = context.split('|');
    this.metrics.count('agate_unreadable_secrets_total', { table });
    if (this.logged.has(context)) return;
    this.logged.set(context, true);
    this.logger.error({ err: error, table, id }, 'A secret in the database cannot be opened');
  }
}
