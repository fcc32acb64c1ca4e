import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { StorageService } from '#modules/storage';
import { SchemaVersion } from '#platform/database/schema-version';
import { Transactions } from '#platform/database/transactions';
import { Readiness } from '#platform/lifecycle/readiness';
import { Jobs } from '#platform/jobs/jobs';
import { Logger } from '#platform/logging/logger';

/** One thing that must work before requests are wanted. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'failed';
}

/** Below the two seconds in which the answer must be there. */
const TIMEOUT_MS = 1_500;

/** Whether this process can do its work at this moment. */
@Injectable()
export class HealthService {
  constructor(
    private readonly transactions: Transactions,
    private readonly schema: SchemaVersion,
    private readonly storage: StorageService,
    private readonly jobs: Jobs,
    private readonly readiness: Readiness,
    private readonly logger: Logger,
  ) {}

  /**
   * Every dependency, all within two seconds. The reason of a failure is for the log, not for strangers. A process that drains
   * asks nobody: it says so at once, that a balancer looks away in time.
   */
  async checks(ctx: RequestContext): Promise<readonly Check[]> {
    if (this.readiness.isDraining) return [{ name: 'process', status: 'failed' }];
    const probes: Readonly<Record<string, () => Promise<unknown>>> = {
      database: () => this.transactions.manager(ctx).query('SELECT 1'),
      migrations: () => this.schema.check(),
      storage: () => this.storage.check(),
      queue: () => this.jobs.status(ctx),
    };
    const checks = await Promise.all(Object.entries(probes).map(([name, probe]) => this.check(ctx, name, probe)));
    return [{ name: 'process', status: 'ok' }, ...checks];
  }

  private async check(ctx: RequestContext, name: string, probe: () => Promise<unknown>): Promise<Check> {
    try {
      await withinTime(probe());
      return { name, status: 'ok' };
    } catch (error) {
      this.logger.warn({ err: error, check: name, requestId: ctx.requestId }, 'not ready');
      return { name, status: 'failed' };
    }
  }
}

async function withinTime(probe: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new AppError('storage_backend_unavailable', { cause: 'timed out' })), TIMEOUT_MS);
  });
  try {
    await Promise.race([probe, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
