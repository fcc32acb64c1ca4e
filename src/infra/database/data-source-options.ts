import { join } from 'node:path';
import * as pg from 'pg';
import { type DataSourceOptions } from 'typeorm';
import { DeferredBeginClient } from '#infra/fast-paths/pg/deferred-begin-client';
import { PreparingClient } from '#infra/fast-paths/pg/preparing-client';
import { FairPool } from './pool/fair-pool';
import { QueryDeadlineClient } from './pool/query-deadline-client';

/** Bounds every wait: for a connection, a statement, a lock, an idle transaction. */
export const TIMEOUTS = {
  connectionTimeoutMillis: 2_000,
  statement_timeout: 10_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 15_000,
} as const;

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
    Client: fastPaths === 'on' ? (prepare ? PreparingClient : DeferredBeginClient) : QueryDeadlineClient,
    min: poolSize,
    keepAlive: true,
    ...TIMEOUTS,
  },
});

/** Options without time limits and fast paths, for migrations and backups. */
export function migrationDataSourceOptions(url: string, poolSize: number): DataSourceOptions & { type: 'postgres' } {
  const options = dataSourceOptions(url, poolSize, { fastPaths: 'off' });
  const unlimited = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };
  return { ...options, extra: { ...(options.extra as object), ...unlimited } };
}
