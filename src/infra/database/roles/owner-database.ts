import { type PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { type RequestContext, type TransactionHandle } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { isForbidden } from '../database-errors';
import { migrationDataSourceOptions } from '../data-source-options';
import { migrateDatabase } from '../migrations/migrate';

/** One connection, with the rights of whoever owns the tables. */
export interface OwnerSession {
  /** The driver's own client: for COPY, locks and what else lasts as long as a session. */
  readonly client: PoolClient;
  /** A context whose statements go through this connection: repositories and the audit recorder work with it. */
  readonly ctx: RequestContext;
}

/**
 * The database as its owner sees it: every row of every table, and the schema. For operators' long work (backup, export), apart
 * from the pool and without its time limits. The caller begins and ends transactions.
 */
export class OwnerDatabase {
  /** @param applicationUrl as the role that the service runs as. */
  constructor(
    private readonly url: string,
    private readonly applicationUrl: string,
  ) {}

  /** Brings the schema up to date. @returns how many migrations ran. */
  migrate(): Promise<number> {
    return migrateDatabase(this.url, this.applicationUrl);
  }

  /**
   * Lends a connection; whatever transaction is open at the end is rolled back.
   * @throws AppError operation_not_allowed, saying what to do, when the role may not do what is to be done.
   */
  async session<T>(ctx: RequestContext, work: (session: OwnerSession) => Promise<T>): Promise<T> {
    const dataSource = new DataSource({ ...migrationDataSourceOptions(this.url, 1), migrations: [] });
    await dataSource.initialize();
    const runner = dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as PoolClient;
      return await work({ client, ctx: { ...ctx, transaction: runner.manager as unknown as TransactionHandle } });
    } catch (error) {
      throw isForbidden(error) ? notTheOwner(error) : error;
    } finally {
      await runner.release();
      await dataSource.destroy();
    }
  }
}

const notTheOwner = (cause: unknown): AppError =>
  new AppError('operation_not_allowed', {
    message: 'This needs the rights of the role that owns the schema: name it in DATABASE_OWNER_URL.',
    cause,
  });
