import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { defineJob, type JobRun } from '#infra/jobs/job-kind';
import { Jobs } from '#infra/jobs/jobs';
import { HOSTED, StorageService } from '#modules/storage';
import { ExportService } from '../export.service';
import { type Subject, SubjectsService } from '../subjects.service';
import { archiveKeyOf, type DataExport, keysOf } from './data-export';
import { ArchiveTooLargeError, DataExportArchives, MAX_BYTES_OF_PARTS } from './data-export-archives';
import { DataExportMailsService } from './data-export-mails.service';
import { DataExportParts } from './data-export-parts';
import { DataExportsRepository } from './data-exports.repository';

const MAX_ATTEMPTS = 4;
/** Makes the next part of an export that a developer requested, and after the last one its archive. */
export const DATA_EXPORT = defineJob<{ readonly id: string }>('account-data.export', {
  maxAttempts: MAX_ATTEMPTS,
  jobClass: 'store',
});

/** Makes requested exports in several jobs, one after another, and mails their links. */
@Injectable()
export class DataExportJobService implements OnModuleInit {
  constructor(
    private readonly repository: DataExportsRepository,
    private readonly parts: DataExportParts,
    private readonly archives: DataExportArchives,
    private readonly exports: ExportService,
    private readonly subjects: SubjectsService,
    private readonly mails: DataExportMailsService,
    private readonly storage: StorageService,
    private readonly transactions: Transactions,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.register(DATA_EXPORT, (ctx, { id }, run) => this.run(ctx, id, run));
  }

  /**
   * A job can run again after a crash at any point, and continues then after the last part. An export that fails for good is marked, and its
   * job stays in the queue for the operator.
   */
  private async run(ctx: RequestContext, id: string, { attempt, signal }: JobRun): Promise<void> {
    const requested = await this.repository.find(ctx, id);
    const subject = requested && (await this.subjects.find(ctx, requested.subject.id));
    if (!subject || !(await this.repository.markRunning(ctx, id))) return;
    try {
      await this.make(ctx, requested, subject, signal);
    } catch (error) {
      const isTooLarge = error instanceof ArchiveTooLargeError;
      if (isTooLarge || attempt >= MAX_ATTEMPTS) await this.fail(ctx, id, subject, isTooLarge);
      if (!isTooLarge) throw error;
    }
  }

  private async make(ctx: RequestContext, running: DataExport, subject: Subject, signal: AbortSignal): Promise<void> {
    if (!running.progress) await this.exports.record(ctx, 'export_started', subject, { artifacts: false });
    const progress = await this.parts.read(ctx, subject, running, signal);
    if (!progress) return;
    const { id } = running;
    if (!this.parts.isComplete(subject, progress) && progress.bytes <= MAX_BYTES_OF_PARTS)
      return this.jobs.enqueue(ctx, DATA_EXPORT, { id });
    const { sizeBytes, sha256 } = await this.archives.write(ctx, subject, { id, progress }, signal);
    await this.exports.record(ctx, 'exported', subject, { artifacts: false });
    await this.transactions.run(ctx, async (tx) => {
      const ready = await this.repository.markReady(tx, id, progress, { sizeBytes, sha256 });
      if (ready) await this.mails.ended(tx, ready, subject);
      // Another process has continued it, and makes the archive again.
      else if (await this.repository.find(tx, id)) return;
      // Otherwise the account or the organization was deleted while the archive was written.
      const unneeded = keysOf({ id, progress }).filter((key) => !ready || key !== archiveKeyOf(id));
      await this.deleteLater(tx, unneeded);
    });
  }

  private deleteLater(tx: RequestContext, keys: readonly string[]): Promise<void> {
    return this.storage.deleteAllLater(
      tx,
      keys.map((key) => ({ account: HOSTED, key })),
    );
  }

  private async fail(ctx: RequestContext, id: string, subject: Subject, isTooLarge: boolean): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const unneeded = await this.repository.markFailed(tx, id, isTooLarge ? 'too_large' : 'failed');
      if (unneeded) await this.deleteLater(tx, keysOf(unneeded));
      const failed = await this.repository.find(tx, id);
      if (failed) await this.mails.ended(tx, failed, subject);
    });
  }
}
