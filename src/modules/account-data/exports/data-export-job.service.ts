import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { Transactions } from '#infra/database/transactions';
import { defineJob, type JobRun } from '#infra/jobs/job-kind';
import { Jobs } from '#infra/jobs/jobs';
import { HOSTED, StorageService } from '#modules/storage';
import { type Subject, SubjectsService } from '../subjects.service';
import { archiveKeyOf } from './data-export';
import { ArchiveTooLargeError, DataExportArchives } from './data-export-archives';
import { DataExportMailsService } from './data-export-mails.service';
import { DataExportsRepository } from './data-exports.repository';

const MAX_ATTEMPTS = 4;
/** Makes the archive of an export that a developer requested. */
export const DATA_EXPORT = defineJob<{ readonly id: string }>('account-data.export', {
  maxAttempts: MAX_ATTEMPTS,
  jobClass: 'store',
});

/** Makes requested exports and mails their links. */
@Injectable()
export class DataExportJobService implements OnModuleInit {
  constructor(
    private readonly repository: DataExportsRepository,
    private readonly archives: DataExportArchives,
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
   * The job can run again after a crash at any point. An export that fails for good is marked, and its job stays in the queue for the
   * operator.
   */
  private async run(ctx: RequestContext, id: string, { attempt, signal }: JobRun): Promise<void> {
    const requested = await this.repository.find(ctx, id);
    const subject = requested && (await this.subjects.find(ctx, requested.subject.id));
    if (!subject || !(await this.repository.markRunning(ctx, id))) return;
    try {
      await this.make(ctx, id, subject, signal);
    } catch (error) {
      const isTooLarge = error instanceof ArchiveTooLargeError;
      if (isTooLarge || attempt >= MAX_ATTEMPTS) await this.fail(ctx, id, subject, isTooLarge);
      if (!isTooLarge) throw error;
    }
  }

  private async make(ctx: RequestContext, id: string, subject: Subject, signal: AbortSignal): Promise<void> {
    const { sizeBytes, sha256 } = await this.archives.write(ctx, subject, id, signal);
    await this.transactions.run(ctx, async (tx) => {
      const ready = await this.repository.markReady(tx, id, sizeBytes, sha256);
      if (ready) return this.mails.ended(tx, ready, subject);
      // The account or the organization was deleted while the archive was written.
      return this.storage.deleteLater(tx, { account: HOSTED, key: archiveKeyOf(id) });
    });
  }

  private async fail(ctx: RequestContext, id: string, subject: Subject, isTooLarge: boolean): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      await this.repository.markFailed(tx, id, isTooLarge ? 'too_large' : 'failed');
      const failed = await this.repository.find(tx, id);
      if (failed) await this.mails.ended(tx, failed, subject);
    });
  }
}
