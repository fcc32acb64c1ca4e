import { type DataSource, EntityManager, QueryFailedError } from 'typeorm';
import { type FifoPool } from './fifo-pool';

/** The connections of a data source. */
export const poolOf = ({ driver }: DataSource): FifoPool => (driver as unknown as { readonly master: FifoPool }).master;

/**
 * Sends statements that are in no transaction to the pool. TypeORM would create a query runner and an entity manager for each statement,
 * and would notify subscribers, although the service has none. Results and errors are like those of TypeORM.
 */
export class PooledManager extends EntityManager {
  override async query<T = unknown>(statement: string, values?: unknown[]): Promise<T> {
    try {
      const { command, rows, rowCount } = await poolOf(this.dataSource).send(statement, values);
      return (command === 'UPDATE' || command === 'DELETE' ? [rows, rowCount] : rows) as T;
    } catch (error) {
      throw new QueryFailedError(statement, values, error as Error);
    }
  }
}
