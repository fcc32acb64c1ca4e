import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/context/clock';
import { type RequestContext, systemContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { SingleFlightCache } from '#kernel/single-flight-cache';
import { Jobs } from '#infra/jobs/jobs';
import { Readiness } from '#infra/lifecycle/readiness';
import { Logger } from '#infra/logging/logger';
import { StorageService } from '#modules/storage';
import { DatabaseProbesService } from './database-probes.service';

/** The result of checking one dependency, or the process itself. */
interface Check {
  readonly name: string;
  /** `low`: uploads are rejected, everything else works. */
  readonly status: 'ok' | 'low' | 'failed';
}

/**
 * The two times add up to two seconds: a failure is reported at the latest when the cached result has expired and the next check has timed
 * out.
 */
const CACHED_MS = 500;
const TIMEOUT_MS = 1_500;
/** A store is billed per request, and the route is public: a store that works is checked again only after this time. */
const STORE_CACHED_MS = 30_000;

@Injectable()
export class HealthService {
  /** The route is public, and the storage check writes, lists and deletes. The cache limits it to two runs per second. */
  private readonly dependencies: SingleFlightCache<readonly Check[]>;
  private storeWorkedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly database: DatabaseProbesService,
    private readonly storage: StorageService,
    private readonly jobs: Jobs,
    private readonly readiness: Readiness,
    private readonly logger: Logger,
    private readonly clock: Clock,
  ) {
    const check = () => this.checkDependencies(systemContext('health', clock, 'readiness'));
    this.dependencies = new SingleFlightCache(check, CACHED_MS, clock);
  }

  /**
   * Checks the process and every dependency, within two seconds. The reason of a failure is only in the log, because the
   * route is public. While the process drains it skips the dependencies and fails immediately, so that load balancers stop
   * sending requests.
   */
  async checks(): Promise<readonly Check[]> {
    if (this.readiness.isDraining) return [{ name: 'process', status: 'failed' }];
    return [{ name: 'process', status: 'ok' }, ...(await this.dependencies.value())];
  }

  private checkDependencies(ctx: RequestContext): Promise<Check[]> {
    const probes: Readonly<Record<string, () => Promise<unknown>>> = {
      database: () => this.database.check(ctx),
      migrations: () => this.database.checkMigrations(),
      clock: () => this.database.checkClock(ctx),
      storage: () => this.checkStore(),
      queue: () => this.jobs.check(ctx),
    };
    const checks = Object.entries(probes).map(([name, probe]) => this.check(name, probe));
    return Promise.all([...checks, this.checkRoom()]);
  }

  /** Downloads and pages need no room, so a process whose store has none stays ready. */
  private async checkRoom(): Promise<Check> {
    let isLow = false;
    const { status } = await this.check(
      'storage_room',
      async () => (isLow = (await this.storage.isRoomLow()) ?? false),
    );
    return { name: 'storage_room', status: isLow ? 'low' : status };
  }

  /** A success is cached. A failure is not, so that the process is ready again as soon as the store is. */
  private async checkStore(): Promise<void> {
    const now = this.clock.now().getTime();
    if (now - this.storeWorkedAt < STORE_CACHED_MS) return;
    await this.storage.check();
    this.storeWorkedAt = now;
  }

  private async check(name: string, probe: () => Promise<unknown>): Promise<Check> {
    try {
      await withTimeout(probe());
      return { name, status: 'ok' };
    } catch (error) {
      this.logger.warn({ err: error, check: name }, 'Readiness check failed');
      return { name, status: 'failed' };
    }
  }
}

async function withTimeout(probe: Promise<unknown>): Promise<void> {
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
