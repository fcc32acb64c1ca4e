import { Injectable } from '@nestjs/common';
import {
  DataSource,
  type EntityManager,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { type RequestContext, type TransactionHandle } from '#kernel/context/request-context';
import { PooledManager } from '#infra/fast-paths/pg/pooled-manager';
import { isRetryable, isStalePlan, unreachable } from './database-errors';
import { type FairPool } from './pool/fair-pool';
import { type TurnManager } from './pool/turn-manager';
import { turnOf } from './pool/turn-of';

const MAX_ATTEMPTS = 4;
/** The maximum number of organizations, developers and client addresses whose managers are cached. */
const MAX_MANAGERS = 1_000;

/** Opens database transactions. Services open them, never while bytes are streamed. */
@Injectable()
export class Transactions {
  private readonly managers = new Map<string, TurnManager>();
  /** The keys whose advisory locks each open transaction holds. */
  private readonly locked = new WeakMap<TransactionHandle, Set<string>>();

  /**
   * @param Manager the class of the managers of statements and transactions.
   * @param jobPool the connections of jobs. By default jobs share those of requests.
   */
  constructor(
    private readonly dataSource: DataSource,
    private readonly Manager: typeof TurnManager = PooledManager,
    private readonly jobPool?: FairPool,
  ) {}

  /**
   * Runs `work` in a transaction, with a context that carries it. Joins the transaction that `ctx` already carries.
   * After a serialization failure, a deadlock, or a migration that changed a prepared statement, the whole work is retried in a new
   * transaction, up to four attempts.
   * @throws AppError storage_backend_unavailable when the connection is lost; otherwise what `work` throws.
   */
  async run<T>(ctx: RequestContext, work: (ctx: RequestContext) => Promise<T>): Promise<T> {
    if (ctx.transaction) return work(ctx);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.pooled(ctx).transaction((manager) => work({ ...ctx, transaction: handleOf(manager) }));
      } catch (error) {
        if (isLostConnection(error)) throw unreachable(error);
        if (attempt >= MAX_ATTEMPTS || !(isRetryable(error) || isStalePlan(error))) throw error;
        await pause(attempt);
      }
    }
  }

  /**
   * Takes advisory locks on keys, in their order, until the transaction ends. It is a statement of its own, so that the next statement sees
   * everything that earlier holders committed. Exact quotas depend on that. Locks that the transaction holds cost nothing.
   */
  async advisoryLock(ctx: RequestContext, ...keys: readonly string[]): Promise<void> {
    const locked = this.lockedBy(ctx);
    const missing = keys.filter((key) => !locked.has(key));
    if (missing.length === 0) return;
    const locks = missing.map((_, index) => `pg_advisory_xact_lock(hashtextextended($${index + 1}, 0))`);
    await this.manager(ctx).query(`SELECT ${locks.join(', ')}`, missing);
    for (const key of missing) locked.add(key);
  }

  /** The entity manager of the context's transaction, or of the pool when it carries none. For repositories. */
  manager(ctx: RequestContext): EntityManager {
    return ctx.transaction ? (ctx.transaction as unknown as EntityManager) : this.pooled(ctx);
  }

  /** The manager whose connections have the turn of the context. */
  private pooled(ctx: RequestContext): EntityManager {
    const turn = turnOf(ctx);
    const { signal, isJob = false, isHeavy = false } = ctx;
    const pool = isJob ? this.jobPool : undefined;
    if (signal && isHeavy) return new this.Manager(this.dataSource, { ...turn, signal }, pool);
    const key = `${turn.lane}|${turn.account ?? ''}|${isJob}|${isHeavy}`;
    const cached = this.managers.get(key);
    if (cached) return cached;
    if (this.managers.size >= MAX_MANAGERS) this.managers.clear();
    const manager = new this.Manager(this.dataSource, turn, pool);
    this.managers.set(key, manager);
    return manager;
  }

  private lockedBy({ transaction }: RequestContext): Set<string> {
    if (!transaction) return new Set();
    const locked = this.locked.get(transaction) ?? new Set();
    this.locked.set(transaction, locked);
    return locked;
  }
}

const handleOf = (manager: EntityManager): TransactionHandle => manager as unknown as TransactionHandle;

/** TypeORM releases the query runner of an open transaction only when the connection is lost between two statements. */
const isLostConnection = (error: unknown): boolean =>
  error instanceof QueryRunnerAlreadyReleasedError || error instanceof QueryRunnerProviderAlreadyReleasedError;

/** Exponential backoff with jitter, so that two conflicting transactions do not conflict again. */
const pause = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt));
