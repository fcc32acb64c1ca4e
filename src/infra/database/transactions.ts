import { Injectable } from '@nestjs/common';
import {
  DataSource,
  type EntityManager,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { type RequestContext, type TransactionHandle } from '#kernel/context/request-context';
import { isRetryable, unreachable } from './database-errors';

const MAX_ATTEMPTS = 4;

/** The one way to a database transaction. Opened in services, never around a stream of bytes. */
@Injectable()
export class Transactions {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Runs `work` in a transaction and hands it a context that carries it; joins the one that `ctx` already carries.
   * A serialization failure or deadlock runs the whole unit of work again, in a new transaction (at most four times).
   * @throws AppError storage_backend_unavailable when the connection was lost on the way; else what `work` throws.
   */
  async run<T>(ctx: RequestContext, work: (ctx: RequestContext) => Promise<T>): Promise<T> {
    if (ctx.transaction) return work(ctx);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.dataSource.transaction((manager) => work({ ...ctx, transaction: handleOf(manager) }));
      } catch (error) {
        if (isLostConnection(error)) throw unreachable(error);
        if (attempt >= MAX_ATTEMPTS || !isRetryable(error)) throw error;
        await pause(attempt);
      }
    }
  }

  /**
   * Takes turns: waits until no other transaction holds `turn`, and holds it until this one ends. A statement of its own, so
   * that what is counted after it sees all that the turns before have committed. That is how quotas are exact.
   */
  async advisoryLock(ctx: RequestContext, turn: string): Promise<void> {
    await this.manager(ctx).query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [turn]);
  }

  /** The entity manager that `ctx` works with: its transaction's, or the pool's. For repositories. */
  manager(ctx: RequestContext): EntityManager {
    return ctx.transaction ? (ctx.transaction as unknown as EntityManager) : this.dataSource.manager;
  }
}

const handleOf = (manager: EntityManager): TransactionHandle => manager as unknown as TransactionHandle;

/** Inside a transaction its runner is released before its time only when the connection was lost between two statements. */
const isLostConnection = (error: unknown): boolean =>
  error instanceof QueryRunnerAlreadyReleasedError || error instanceof QueryRunnerProviderAlreadyReleasedError;

/** A growing pause with jitter, so that two transactions which met once do not meet again. */
const pause = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt));
