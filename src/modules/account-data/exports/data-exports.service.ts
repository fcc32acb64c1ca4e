import { Injectable } from '@nestjs/common';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { RateLimitConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { AccountService } from '#modules/developers';
import { type DataExport, type ExportSubject } from './data-export';
import { DataExportLinks } from './data-export-archives';
import { DATA_EXPORT } from './data-export-job.service';
import { DataExportsRepository } from './data-exports.repository';

/** The maximum number of exports per subject and day. */
const PER_DAY = 3;
const DAY_MS = 24 * 3_600_000;

/** Exports that developers request themselves: of their own data, and of organizations in which they are ADMIN. */
@Injectable()
export class DataExportsService {
  constructor(
    private readonly repository: DataExportsRepository,
    private readonly account: AccountService,
    private readonly links: DataExportLinks,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly jobs: Jobs,
    private readonly rates: RateLimitConfig,
  ) {}

  /**
   * Starts an export. Returns the running one of the same developer, if there is one.
   * @throws AppError invalid_input when the password is wrong; rate_limit_exceeded after three exports within a day.
   */
  async request(ctx: RequestContext, subject: ExportSubject, password: string): Promise<DataExport> {
    const developer = await this.account.requirePassword(ctx, password);
    return this.transactions.run(ctx, async (tx) => {
      await this.account.lockUnchanged(tx, developer);
      const recent = await this.repository.lockRecent(tx, subject);
      const latest = await this.repository.findLatest(tx, subject, developer.id);
      if (latest?.state === 'requested' || latest?.state === 'running') return latest;
      this.requireFew(tx, recent);
      const id = newId();
      await this.repository.insert(tx, id, subject, developer.id);
      await this.jobs.enqueue(tx, DATA_EXPORT, { id });
      await this.recordRequest(tx, subject);
      const started = await this.repository.find(tx, id);
      if (!started) throw AppError.notFound('export');
      return started;
    });
  }

  /** The newest export of the subject that the caller requested. Null when there is none or it has expired. */
  latest(ctx: RequestContext, subject: ExportSubject): Promise<DataExport | null> {
    return this.repository.findLatest(ctx, subject, developerOf(ctx).developerId);
  }

  /** The link to the archive; null unless the export is ready. */
  urlOf({ id, state }: DataExport): string | null {
    return state === 'ready' ? this.links.urlOf(id) : null;
  }

  private requireFew(tx: RequestContext, recent: readonly Date[]): void {
    const limit = this.rates.scaled(PER_DAY);
    const oldest = recent.at(-limit);
    if (this.rates.rateLimitFactor === 0 || !oldest) return;
    const seconds = Math.max(1, Math.ceil((oldest.getTime() + DAY_MS - tx.clock.now().getTime()) / 1000));
    throw new AppError('rate_limit_exceeded', {
      message: `At most ${limit} exports are made in a day. Use the last one, or try again later.`,
      retryAfterSeconds: seconds,
      details: { retry_after_seconds: seconds },
    });
  }

  private async recordRequest(tx: RequestContext, { kind, id }: ExportSubject): Promise<void> {
    await (kind === 'organization'
      ? this.audit.record(tx, { type: 'organization.export_requested', organizationId: id, payload: {} })
      : this.audit.record(tx, {
          type: 'developer.export_requested',
          organizationId: null,
          payload: { developer_id: id },
        }));
  }
}
