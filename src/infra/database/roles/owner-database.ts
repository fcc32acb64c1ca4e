import { type PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { type RequestContext, type TransactionHandle } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { migrationDataSourceOptions } from '../data-source-options';
import { isForbidden } from '../database-errors';
import { migrateDatabase } from '../migrations/migrate';
import { migrateTo } from '../migrations/migrate-to';

/** One connection outside the pool, as the owner of the tables or as the application's role. */
export interface OwnerSession {
  /** The driver's client, for COPY and session-level locks. */
  readonly client: PoolClient;
  /** A context whose statements use this connection, for repositories and the audit recorder. */
  readonly ctx: RequestContext;
}

/**
 * Connections as the owner of the schema, outside the pool and without its timeouts, for long operator commands (backup, export). The
 * caller begins and ends transactions.
 */
export class OwnerDatabase {
  /**
   * @param url connects as the owner.
   * @param applicationUrl connects as the application's role.
   */
  constructor(
    private readonly url: string,
    private readonly applicationUrl: string,
  ) {}

  /** Runs pending migrations. @returns how many. */
  migrate(): Promise<number> {
    return migrateDatabase(this.url, this.applicationUrl);
  }

  /** Gives a database without data the schema of an earlier version. See `migrateTo`. */
  migrateTo(names: ReadonlySet<string>): Promise<void> {
    return migrateTo(this.url, names);
  }

  /**
   * Runs `work` with a connection of its own. A transaction that is open at the end is rolled back.
   * @throws AppError operation_not_allowed when the role lacks a privilege.
   */
  async session<T>(ctx: RequestContext, work: (session: OwnerSession) => Promise<T>): Promise<T> {
    try {
      return await sessionAt(this.url, ctx, work);
    } catch (error) {
      throw isForbidden(error) ? notTheOwner(error) : error;
    }
  }

  /** As `session`, but as the application's role: for long reads of the service itself, which may not know the owner. */
  applicationSession<T>(ctx: RequestContext, work: (session: OwnerSession) => Promise<T>): Promise<T> {
    return sessionAt(this.applicationUrl, ctx, work);
  }
}

async function sessionAt<T>(url: string, ctx: RequestContext, work: (session: OwnerSession) => Promise<T>): Promise<T> {
  const dataSource = new DataSource({ ...migrationDataSourceOptions(url, 1), migrations: [] });
  await dataSource.initialize();
  const runner = dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as PoolClient;
    return await work({ client, ctx: { ...ctx, transaction: runner.manager as unknown as TransactionHandle } });
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

const notTheOwner = (cause: unknown): AppError =>
  new AppError('operation_not_allowed', {
    message: 'This command needs the role that owns the schema. Set DATABASE_OWNER_URL.',
    cause,
  });
