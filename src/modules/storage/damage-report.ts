import { Injectable } from '@nestjs/common';
import { Logger } from '#infra/logging/logger';
import { Metrics } from '#infra/metrics/metrics';

/** Reports artifacts whose stored bytes are not the ones that were uploaded. */
@Injectable()
export class DamageReport {
  constructor(
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  /** @param owner whose store it is. */
  add(owner: 'hosted' | 'customer', place: { readonly account: string; readonly key: string }): void {
    this.metrics.count('agate_damaged_downloads_total', { owner });
    this.logger.error(
      place,
      'A download was cut off: the store sent other bytes than were uploaded. Run "blobs check --verify", then restore the artifact from a backup.',
    );
  }
}
