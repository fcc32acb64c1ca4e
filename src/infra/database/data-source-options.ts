import { join } from 'node:path';
import * as pg from 'pg';
import { type DataSourceOptions } from 'typeorm';
import { QueryDeadlineClient } from './pool/query-deadline-client';
import { FifoPool } from './pool/fifo-pool';

/** No wait is for ever: for a connection, a statement, a lock, or a transaction that does nothing. */
export const TIMEOUTS = {
  connectionTimeoutMillis: 2_000,
  statement_timeout: 10_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 15_000,
} as const;

/** How this service talks to PostgreSQL: bounded waits everywhere (contract §14: a hang is never the answer). */
export const dataSourceOptions = (url: string, poolSize: number): DataSourceOptions & { type: 'postgres' } => ({
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
  driver: { ...pg, Pool: FifoPool },
  // Connections stay open, and are kept from being forgotten by what stands between.
  extra: { Client: QueryDeadlineClient, min: poolSize, keepAlive: true, ...TIMEOUTS },
});

/** The same for work that may take its time: migrations, backups. */
export function migrationDataSourceOptions(url: string, poolSize: number): DataSourceOptions & { type: 'postgres' } {
  const options = dataSourceOptions(url, poolSize);
  const patience = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };
  return { ...options, extra: { ...(options.extra as object), ...patience } };
}
