import { Injectable } from '@nestjs/common';
import { Logger } from '#infra/logging/logger';
import { Metrics } from '#infra/metrics/metrics';
import { type BlobPlace, HOSTED } from './storage.service';

/** Reports artifacts whose stored bytes are not the ones that were uploaded. */
@Injectable()
export class DamageReportService {
  constructor(
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  /** Counts and logs a download that was aborted, because the store sent bytes that differ from the uploaded ones. */
  add(place: BlobPlace): void {
    this.metrics.count('agate_damaged_downloads_total', { owner: place.account === HOSTED ? 'hosted' : 'customer' });
    this.logger.error(
      place,
      'A download was cut off: the store sent other bytes than were uploaded. Run "blobs check --verify", then restore the artifact from a backup.',
    );
  }
}
