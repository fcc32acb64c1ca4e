import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { ClockGuardService } from '#infra/clock/clock-guard.service';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { type OperatorCommand, type OperatorCommandGroup, type ReportProgress } from '../operator-command';

/** The outcome of one scheduled job. */
interface Swept {
  readonly schedule: string;
  readonly status: 'done' | 'failed';
  readonly reason: string | null;
}

/** The job queue: mails, deletions, sweeps. */
@Injectable()
export class JobCommands implements OperatorCommandGroup {
  readonly commands: readonly OperatorCommand[];

  constructor(
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly clockGuard: ClockGuardService,
  ) {
    this.commands = [
      {
        name: 'jobs status',
        summary: 'Count the jobs that wait, run, and have failed permanently',
        run: async (ctx) => {
          const { waiting, running, failed, oldestDueSeconds } = await jobs.status(ctx);
          return { waiting, running, failed, oldest_due_seconds: oldestDueSeconds };
        },
      },
      {
        name: 'jobs failed',
        summary: 'List the jobs that have used up their attempts, mails included, with the last error of each',
        run: async (ctx) =>
          (await jobs.failed(ctx)).map(({ id, kind, attempts, lastError, failedAt }) => ({
            id,
            kind,
            attempts,
            last_error: lastError,
            failed_at: failedAt.toISOString(),
          })),
      },
      {
        name: 'jobs retry',
        summary: 'Retry a failed job, or all of them',
        parameters: [{ name: 'job_id', describe: 'the id that "jobs failed" shows, or "all"' }],
        effect: ({}, { job_id: id = '' }) => `${id === 'all' ? 'Every failed job' : `Job ${id}`} will be retried.`,
        run: (ctx, { job_id: id = '' }) => this.retry(ctx, jobId(id)),
      },
      {
        name: 'sweep',
        summary: 'Run all scheduled jobs now: cancel stalled uploads, release reservations, close periods and others',
        effect: async (ctx) => {
          await clockGuard.requireTrusted(ctx);
          return `${jobs.schedules.length} scheduled jobs will run now: ${this.names().join(', ')}.`;
        },
        run: (ctx, _input, report) => this.sweep(ctx, report),
      },
    ];
  }

  private names(): string[] {
    return this.jobs.schedules.map(({ name }) => name);
  }

  private retry(ctx: RequestContext, id: string | null): Promise<{ retried: number }> {
    return this.transactions.run(ctx, async (tx) => {
      const retried = await this.jobs.retry(tx, id);
      if (id !== null && retried === 0) throw AppError.notFound('failed job');
      await this.audit.record(tx, { type: 'jobs.retried', organizationId: null, payload: { job_id: id, retried } });
      return { retried };
    });
  }

  /** A job that fails does not stop the others. */
  private async sweep(ctx: RequestContext, report: ReportProgress): Promise<Swept[]> {
    await this.clockGuard.requireTrusted(ctx);
    const names = this.names();
    const swept: Swept[] = [];
    for (const schedule of names) {
      const run = { id: ctx.requestId, attempt: 1, signal: new AbortController().signal };
      try {
        await this.jobs.handlers.get(schedule)?.(ctx, {}, run);
        swept.push({ schedule, status: 'done', reason: null });
      } catch (error) {
        swept.push({ schedule, status: 'failed', reason: String(error) });
      }
      report(swept.length, names.length);
    }
    const payload = { schedules: names.length };
    await this.transactions.run(ctx, (tx) =>
      this.audit.record(tx, { type: 'jobs.swept', organizationId: null, payload }),
    );
    return swept;
  }
}

/** The id of a job; null for all jobs. @throws AppError invalid_input */
function jobId(text: string): string | null {
  if (text === 'all') return null;
  if (/^\d{1,18}$/.test(text)) return text;
  throw AppError.invalidInput('job_id', 'job_id must be a number that "jobs failed" shows, or "all".');
}
