import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { totalBytes } from '#infra/blob/part-uploads';
import { Transactions } from '#infra/database/transactions';
import { forEachCollectingErrors } from '#infra/jobs/for-each-collecting-errors';
import { BillingService } from '#modules/billing';
import { HOSTED, StorageService } from '#modules/storage';
import { UploadLifecycleService } from './upload-lifecycle.service';
import { type MeasurableUpload, UploadsRepository } from './uploads.repository';

/**
 * Meters the parts of open uploads in the hosted store like stored builds, for as long as they are stored
 * (docs/decisions/0061-bytes-of-open-uploads.md).
 */
@Injectable()
export class OpenBytesService {
  constructor(
    private readonly repository: UploadsRepository,
    private readonly lifecycle: UploadLifecycleService,
    private readonly billing: BillingService,
    private readonly storage: StorageService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Counts the parts of open uploads whose parts may have changed, and meters them. Parts may go to the store without passing through this
   * service, so the store is asked. A store that fails leaves the number of the last run.
   */
  async measure(ctx: RequestContext): Promise<void> {
    await this.endEnded(ctx);
    await this.lifecycle.expireOfDeletedProjects(ctx);
    await forEachCollectingErrors(await this.repository.findUnmeasured(ctx), async (id) => {
      const upload = await this.repository.findMeasurable(ctx, id);
      if (upload) await this.measureOne(ctx, upload);
    });
  }

  /** Ends the meters of uploads that ended without `endOpenUpload`: a process of an earlier release ended them, or a restore. */
  private async endEnded(ctx: RequestContext): Promise<void> {
    const metered = await this.billing.meteredUploads(ctx);
    if (metered.length === 0) return;
    const pending = await this.repository.findPending(
      ctx,
      metered.map(({ uploadId }) => uploadId),
    );
    for (const upload of metered.filter(({ uploadId }) => !pending.has(uploadId))) {
      await this.transactions.run(ctx, (tx) => this.billing.endOpenUpload(tx, upload));
    }
  }

  private async measureOne(ctx: RequestContext, upload: MeasurableUpload): Promise<void> {
    const { id: uploadId, organizationId, key, storeUploadId } = upload;
    const measuredAt = await this.repository.now(ctx);
    const { parts } = await this.storage.storeOf(ctx, HOSTED);
    const bytes = totalBytes(await parts.listParts(key, storeUploadId));
    await this.transactions.run(ctx, async (tx) => {
      if (!(await this.repository.saveMeasured(tx, uploadId, measuredAt))) return;
      await this.billing.meterOpenUpload(tx, { organizationId, uploadId }, bytes);
    });
  }
}
