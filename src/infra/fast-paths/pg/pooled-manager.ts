import { QueryFailedError } from 'typeorm';
import { AppError } from '#kernel/errors/app-error';
import { TurnManager } from '#infra/database/pool/turn-manager';

/**
 * Sends statements that are in no transaction to the pool. TypeORM would create a query runner and an entity manager for each statement,
 * and would notify subscribers, although the service has none. Results and errors are like those of TypeORM.
 */
export class PooledManager extends TurnManager {
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
