import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { ClockGuardService } from '#infra/clock/clock-guard.service';
import { SchemaVersion } from '#infra/database/migrations/schema-version';
import { one } from '#infra/database/sql';
import { Transactions } from '#infra/database/transactions';

interface ReadOnlyState {
  readonly inRecovery: boolean;
  readonly readOnly: boolean;
}

const READ_ONLY = `
  SELECT pg_is_in_recovery() AS "inRecovery", current_setting('transaction_read_only')::boolean AS "readOnly"`;

const onlyReadable = (cause: string): AppError => new AppError('storage_backend_unavailable', { cause });

/** The readiness checks of the database. Each rejects with the reason. */
@Injectable()
export class DatabaseProbesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly schema: SchemaVersion,
    private readonly clockGuard: ClockGuardService,
  ) {}

  /** Rejects when the database cannot be reached, or rejects writes: a standby after a failover, or a server whose disk is full. */
  async check(ctx: RequestContext): Promise<void> {
    const state = await one<ReadOnlyState>(this.transactions.manager(ctx), READ_ONLY);
    if (state?.inRecovery) throw onlyReadable('the database is a standby');
    if (state?.readOnly) throw onlyReadable('the database has default_transaction_read_only');
  }

  checkMigrations(): Promise<void> {
    return this.schema.check();
  }

  /** Rejects when the clocks of this process and of the database differ by more than 30 seconds. */
  async checkClock(ctx: RequestContext): Promise<void> {
    await this.clockGuard.readAgreeing(ctx);
  }
}
