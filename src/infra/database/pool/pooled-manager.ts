import { type DataSource, EntityManager, QueryFailedError } from 'typeorm';
import { AppError } from '#kernel/errors/app-error';
import { type FairPool, type PoolTurn, type TurnOfPool } from './fair-pool';

/** The connections of a data source. */
export const poolOf = ({ driver }: DataSource): FairPool => (driver as unknown as { readonly master: FairPool }).master;

/**
 * Sends statements that are in no transaction to the pool. TypeORM would create a query runner and an entity manager for each statement,
 * and would notify subscribers, although the service has none. Results and errors are like those of TypeORM.
 */
export class PooledManager extends EntityManager {
  private readonly pool: TurnOfPool;

  /** @param turn the turn of every connection that the manager takes, also for transactions. Default: the service's own. */
  constructor(dataSource: DataSource, turn?: PoolTurn) {
    const pool = turn ? poolOf(dataSource).withTurn(turn) : poolOf(dataSource);
    super(withPool(dataSource, pool));
    this.pool = pool;
  }

  override async query<T = unknown>(statement: string, values?: unknown[]): Promise<T> {
    try {
      const { command, rows, rowCount } = await this.pool.send(statement, values);
      return (command === 'UPDATE' || command === 'DELETE' ? [rows, rowCount] : rows) as T;
    } catch (error) {
      // The reason for which the caller left the line.
      if (error instanceof AppError) throw error;
      throw new QueryFailedError(statement, values, error as Error);
    }
  }
}

/** The data source as seen by a caller that takes its connections from `pool`. It shares everything else. */
function withPool(dataSource: DataSource, pool: TurnOfPool): DataSource {
  const driver: object = Object.create(dataSource.driver, { master: { value: pool } }) as object;
  return Object.create(dataSource, { driver: { value: driver } }) as DataSource;
}
