import { join } from 'node:path';
import * as pg from 'pg';
import { type DataSourceOptions } from 'typeorm';
import { DeferredBeginClient } from '#infra/fast-paths/pg/deferred-begin-client';
import { PreparingClient } from '#infra/fast-paths/pg/preparing-client';
import { FairPool, type FairPoolConfig } from './pool/fair-pool';
import { QueryDeadlineClient } from './pool/query-deadline-client';

/** Bounds every wait: for a connection, a statement, a lock, an idle transaction. */
export const TIMEOUTS = {
  connectionTimeoutMillis: 2_000,
  statement_timeout: 10_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 15_000,
} as const;

/**
 * Timeouts of the statements of jobs. A nightly sum over millions of rows may take longer than a request may wait. Locks are waited for
 * as long as by requests, because others queue behind the waiting statement.
 */
const JOB_TIMEOUTS = { ...TIMEOUTS, connectionTimeoutMillis: 5_000, statement_timeout: 120_000 } as const;

/** The time after which a connection that nothing uses is closed. */
export const IDLE_MS = 30_000;

/** The connections that a process keeps for requests although nothing uses them. */
const KEPT_CONNECTIONS = 2;

export interface ConnectionOptions {
  /** Whether frequent statements are prepared. Without fast paths, none is. */
  readonly prepare?: boolean;
  readonly fastPaths?: 'on' | 'off';
}

/** Options of the service's pool. Every wait is bounded, so that a request fails with 503 instead of hanging. */
export const dataSourceOptions = (
  url: string,
  poolSize: number,
  { prepare = true, fastPaths = 'on' }: ConnectionOptions = {},
): DataSourceOptions & { type: 'postgres' } => ({
  type: 'postgres',
  url,
  poolSize,
  // TypeORM would create an extension for uuids; PostgreSQL has gen_random_uuid() built in.
  installExtensions: false,
  uuidExtension: 'pgcrypto',
  migrations: [join(__dirname, '../../../migrations/*.{ts,js}')],
  migrationsTableName: 'migration',
  migrationsTransactionMode: 'each',
  applicationName: 'agate',
  driver: { ...pg, Pool: FairPool },
  // Keep-alive prevents firewalls and proxies from dropping idle connections.
  extra: {
    Client: clientOf({ prepare, fastPaths }),
    min: KEPT_CONNECTIONS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    ...TIMEOUTS,
  },
});

/** Options of the pool for the handlers of jobs. */
export const jobPoolOptions = (url: string, max: number, connections: ConnectionOptions = {}): FairPoolConfig => ({
  Client: clientOf(connections),
  connectionString: url,
  max,
  application_name: 'agate-work',
  idleTimeoutMillis: IDLE_MS,
  keepAlive: true,
  // A dead server is noticed before the statement's timeout: by keep-alive while a statement runs, by a check before the first statement.
  keepAliveInitialDelayMillis: 15_000,
  checksIdle: true,
  ...JOB_TIMEOUTS,
});

const clientOf = ({ prepare = true, fastPaths = 'on' }: ConnectionOptions): typeof QueryDeadlineClient => {
  if (fastPaths === 'off') return QueryDeadlineClient;
  return prepare ? PreparingClient : DeferredBeginClient;
};

/** Options without time limits and fast paths, for migrations and backups. */
export function migrationDataSourceOptions(url: string, poolSize: number): DataSourceOptions & { type: 'postgres' } {
  const options = dataSourceOptions(url, poolSize, { fastPaths: 'off' });
  const unlimited = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };
  return { ...options, extra: { ...(options.extra as object), ...unlimited } };
}
