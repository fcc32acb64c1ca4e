import { Injectable } from '@nestjs/common';
import { type RequestContext, systemContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Clock } from '#kernel/context/clock';
import { SingleFlightCache } from '#kernel/single-flight-cache';
import { StorageService } from '#modules/storage';
import { SchemaVersion } from '#infra/database/migrations/schema-version';
import { Transactions } from '#infra/database/transactions';
import { Readiness } from '#infra/lifecycle/readiness';
import { Jobs } from '#infra/jobs/jobs';
import { Logger } from '#infra/logging/logger';

/** One thing that must work before requests are wanted. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'failed';
}

/** What is down is told within two seconds: those for which an answer is remembered, and those for which one is waited for. */
const FRESH_MS = 500;
const TIMEOUT_MS = 1_500;

/** Whether this process can do its work at this moment. */
@Injectable()
export class HealthService {
  /** Anybody may ask, and a store is written to, listed and deleted in: however many ask, it is asked twice a second. */
  private readonly probed: SingleFlightCache<readonly Check[]>;

  constructor(
    private readonly transactions: Transactions,
    private readonly schema: SchemaVersion,
    private readonly storage: StorageService,
    private readonly jobs: Jobs,
    private readonly readiness: Readiness,
    private readonly logger: Logger,
    clock: Clock,
  ) {
    this.probed = new SingleFlightCache(() => this.probe(systemContext('health', clock, 'readiness')), FRESH_MS, clock);
  }

  /**
   * Every dependency, all within two seconds. The reason of a failure is for the log, not for strangers. A process that drains
   * asks nobody: it says so at once, that a balancer looks away in time.
   */
  async checks(): Promise<readonly Check[]> {
    if (this.readiness.isDraining) return [{ name: 'process', status: 'failed' }];
    return [{ name: 'process', status: 'ok' }, ...(await this.probed.value())];
  }

  private probe(ctx: RequestContext): Promise<Check[]> {
    const probes: Readonly<Record<string, () => Promise<unknown>>> = {
      database: () => this.transactions.manager(ctx).query('SELECT 1'),
      migrations: () => this.schema.check(),
      storage: () => this.storage.check(),
      queue: () => this.jobs.check(ctx),
    };
    return Promise.all(Object.entries(probes).map(([name, probe]) => this.check(name, probe)));
  }

  private async check(name: string, probe: () => Promise<unknown>): Promise<Check> {
    try {
      await withinTime(probe());
      return { name, status: 'ok' };
    } catch (error) {
      this.logger.warn({ err: error, check: name }, 'not ready');
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
