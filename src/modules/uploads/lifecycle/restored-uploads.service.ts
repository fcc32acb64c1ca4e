import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { BillingService } from '#modules/billing';
import { UploadsRepository } from './uploads.repository';

/** Ends the uploads of a restored backup. */
@Injectable()
export class RestoredUploadsService {
  constructor(
    private readonly repository: UploadsRepository,
    private readonly billing: BillingService,
  ) {}

  /**
   * Deletes the uploads that were open at the time of the backup, and releases their reservations: their parts are not in the backup, so
   * they could never be completed. The meter ends when the service finds no row. Call it in the transaction that loads the rows.
   */
  async end(tx: RequestContext): Promise<void> {
    await this.billing.releaseMany(tx, await this.repository.deleteAll(tx));
  }
}
