import { Pool, type PoolClient, type PoolConfig, type QueryResult } from 'pg';
import { AppError } from '#kernel/errors/app-error';
import { FairLine, type Place } from '#infra/concurrency/fair-line';
import { TICK_MS } from '#infra/concurrency/ticks';
import { IdleConnections } from './idle-connections';
import { type QueryDeadlineConfig } from './query-deadline-client';

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (broken?: unknown) => void,
) => void;

/** The place of a caller in the line before the pool. */
export interface PoolTurn extends Place {
  /** A developer or customer network, to which the limit of a lane applies, too: for all organizations or addresses whose lanes it uses. */
  readonly account?: string;
  /** Whether the statement reads much. Such statements leave one connection of their lane, and of their account, to others. */
  readonly isHeavy?: boolean;
  /** Ends the waiting, with its reason as the error. It does not stop a statement. */
  readonly signal?: AbortSignal;
}

/** A part of the pool: a share, a lane or account, or the heavy statements of one. */
interface Part {
  readonly name: string;
  /** The number of connections that it may hold. */
  readonly most: number;
  /** The number of callers that may wait for one of them. */
  readonly mostWaiting: number;
  readonly isHeavy: boolean;
}

interface TurnWithParts extends PoolTurn {
  /** The parts that hold the connection of the turn, narrow ones first. The service itself has none. */
  readonly parts: readonly Part[];
}

interface Waiter extends Place {
  readonly turn: TurnWithParts;
  /** In ticks. */
  readonly since: number;
  readonly resolve: () => void;
  readonly expire: () => void;
  readonly stopListening: () => void;
}

interface Holder {
  connections: number;
  /** The tick at which it got the last one. */
  lastConnectedAt: number;
}

/** A pool as TypeORM's driver uses it, with the turn of its callers. */
export type TurnOfPool = {
  connect(callback: Connected): void;
} & Pick<FairPool, 'send'>;

export interface FairPoolConfig extends PoolConfig {
  /** Whether a connection that was idle must respond before it is handed out. */
  readonly checksIdle?: boolean;
}

/** The service itself. It may hold all connections. */
const SERVICE: TurnWithParts = { lane: '', parts: [] };

/** A waiter is rejected when no connection that it could have was handed out for two seconds: the connections are stuck. */
const STALLED_TICKS = 2_000 / TICK_MS;
/** A heavy statement waits longer for another one, which usually ends after its `statement_timeout` at the latest. */
const HEAVY_STALLED_TICKS = 12_000 / TICK_MS;
/** A waiter is rejected after half a minute in any case. */
const MAX_WAIT_TICKS = 30_000 / TICK_MS;
/** The callers of a lane or account that wait. Each connection that is handed out may cost a look at all of them. */
const MAX_WAITING = 1_000;
/** Heavy ones have fewer, because they wait long behind a slow statement while the connections of others are handed out. */
const MAX_HEAVY_WAITING = 100;

/** The waiters are those of one organization, developer or address, so the database is not unavailable for others. */
const tooManyWaiting = (): AppError =>
  new AppError('rate_limit_exceeded', {
    message: 'Too many requests wait for the database. Wait for the seconds in Retry-After, then retry.',
    retryAfterSeconds: 2,
    details: { retry_after_seconds: 2 },
  });

/**
 * A pool whose callers take turns by lane (docs/decisions/0059-turns-for-the-database.md). A lane, or an account, holds at most a third of
 * the connections, at least two. Heavy statements hold one less. A share leaves at least one connection to the others. Callers without a
 * turn are the service itself.
 *
 * pg's own pool gives every caller the same timeout, so in a burst it rejects the last callers although connections are being handed out.
 * This pool rejects a caller only when for two seconds no connection was handed out that it could have had, or after half a minute
 * (docs/decisions/0022-a-line-before-the-pool.md). Time is counted in ticks, so that a stall of this process counts as one tick: the holders
 * of connections can finish first, and so can the opening of a connection.
 */
export class FairPool extends Pool {
  private readonly line = new FairLine<Waiter>();
  private readonly waiters = new Set<Waiter>();
  /** The number of waiters by part. */
  private readonly waitingIn = new Map<string, number>();
  /** The turns with which connections are held. */
  private readonly turns = new WeakMap<object, TurnWithParts>();
  /** The parts of the pool that hold connections. */
  private readonly holders = new Map<string, Holder>();
  /** Connections in use or being opened. */
  private inUse = 0;
  private ticks = 0;
  private lastConnectedAt = 0;
  private ticker: NodeJS.Timeout | undefined;
  private readonly idle: IdleConnections | null;

  constructor({ connectionTimeoutMillis = 0, checksIdle = false, ...config }: FairPoolConfig) {
    const opening: QueryDeadlineConfig = connectionTimeoutMillis
      ? { openTicks: connectionTimeoutMillis / TICK_MS }
      : {};
    super({ ...config, ...opening });
    this.idle = checksIdle ? new IdleConnections() : null;
    this.on('release', (_error, client) => {
      this.idle?.add(client);
      this.leave(this.turns.get(client) ?? SERVICE);
    });
  }

  /** Number of callers that wait for a connection. */
  get waiting(): number {
    return this.waiters.size;
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | void {
    if (!callback) return this.take(SERVICE);
    this.callBack(SERVICE, callback);
  }

  /** This pool for a driver whose statements have a turn. */
  withTurn(turn: PoolTurn): TurnOfPool {
    const withParts = { ...turn, parts: partsOf(turn, this.options.max) };
    return {
      connect: (callback) => this.callBack(withParts, callback),
      send: (statement, values) => this.send(statement, values, withParts),
    };
  }

  /**
   * Sends one statement outside a transaction. pg's own `query` closes the connection when the statement fails, and does not prepare
   * statements.
   */
  async send(statement: string, values: unknown[] = [], turn = SERVICE): Promise<QueryResult> {
    const client = await this.take(turn);
    let broken: Error | undefined;
    const onError = (error: Error): void => void (broken = error);
    client.on('error', onError);
    try {
      return await client.query(statement, values);
    } finally {
      client.off('error', onError);
      client.release(broken);
    }
  }

  private callBack(turn: TurnWithParts, callback: Connected): void {
    this.take(turn).then(
      (client) => callback(undefined, client, (broken) => client.release(broken as Error | boolean | undefined)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  private async take(turn: TurnWithParts): Promise<PoolClient> {
    if (!this.entersNow(turn)) await this.enter(turn);
    const client = await this.open(turn);
    if (!this.idle || (await this.idle.isAlive(client))) return client;
    client.release(true);
    return this.take(turn);
  }

  private async open(turn: TurnWithParts): Promise<PoolClient> {
    try {
      const client = await super.connect();
      this.turns.set(client, turn);
      this.lastConnectedAt = this.ticks;
      for (const { name } of turn.parts) this.holders.get(name)!.lastConnectedAt = this.ticks;
      return client;
    } catch (error) {
      this.leave(turn);
      throw error;
    }
  }

  /** Takes a free connection without entering the line when nobody waits. @returns whether it could. */
  private entersNow(turn: TurnWithParts): boolean {
    turn.signal?.throwIfAborted();
    if (this.waiters.size > 0 || this.inUse >= this.options.max || !this.mayHold(turn)) return false;
    this.line.startNow(turn);
    this.hold(turn, 1);
    return true;
  }

  /** Resolves when a connection is free for this caller. @throws AppError rate_limit_exceeded when too many of its lane or account wait. */
  private enter(turn: TurnWithParts): Promise<void> {
    return new Promise((resolve, reject) => {
      if (turn.parts.some(({ name, mostWaiting }) => this.waitingOf(name) >= mostWaiting)) throw tooManyWaiting();
      const { lane, share = '', signal } = turn;
      const giveUp = (reason: Error): void => {
        this.stopWaiting(waiter);
        this.line.remove(waiter);
        reject(reason);
      };
      const onAbort = (): void => giveUp(signal?.reason as Error);
      const waiter: Waiter = {
        lane,
        share,
        turn,
        since: this.ticks,
        resolve,
        expire: () => giveUp(new Error('timeout exceeded when trying to connect')),
        stopListening: () => signal?.removeEventListener('abort', onAbort),
      };
      this.line.add(waiter);
      this.waiters.add(waiter);
      this.countWaiting(turn, 1);
      this.next();
      if (!this.waiters.has(waiter)) return;
      signal?.addEventListener('abort', onAbort);
      this.ticker ??= setInterval(() => this.tick(), TICK_MS).unref();
    });
  }

  /** Hands free connections, and the slots of failed ones, to the waiters whose turn it is. */
  private next(): void {
    while (this.waiters.size > 0 && this.inUse < this.options.max) {
      const waiter = this.line.start(({ turn }) => this.mayHold(turn));
      if (!waiter) return;
      this.hold(waiter.turn, 1);
      this.stopWaiting(waiter);
      waiter.resolve();
    }
  }

  private leave(turn: TurnWithParts): void {
    this.line.end(turn);
    this.hold(turn, -1);
    this.next();
  }

  private hold(turn: TurnWithParts, change: 1 | -1): void {
    this.inUse += change;
    for (const { name } of turn.parts) {
      const holder = this.holders.get(name) ?? { connections: 0, lastConnectedAt: this.ticks };
      holder.connections += change;
      if (holder.connections > 0) this.holders.set(name, holder);
      else this.holders.delete(name);
    }
  }

  private mayHold(turn: TurnWithParts): boolean {
    return !turn.parts.some((part) => this.isFull(part));
  }

  private isFull({ name, most }: Part): boolean {
    return (this.holders.get(name)?.connections ?? 0) >= most;
  }

  private stopWaiting(waiter: Waiter): void {
    waiter.stopListening();
    this.waiters.delete(waiter);
    this.countWaiting(waiter.turn, -1);
  }

  private waitingOf(part: string): number {
    return this.waitingIn.get(part) ?? 0;
  }

  private countWaiting({ parts }: TurnWithParts, change: 1 | -1): void {
    for (const { name } of parts) {
      const waiting = this.waitingOf(name) + change;
      if (waiting > 0) this.waitingIn.set(name, waiting);
      else this.waitingIn.delete(name);
    }
  }

  /** The ticker ends with the first tick without a waiter: to start one for each waiter costs more than the connection. */
  private tick(): void {
    if (this.waiters.size === 0) {
      clearInterval(this.ticker);
      this.ticker = undefined;
      return;
    }
    this.ticks += 1;
    for (const waiter of [...this.waiters]) if (this.hasExpired(waiter)) waiter.expire();
  }

  /** A waiter waits for the narrowest of its parts that is full, else for any connection. */
  private hasExpired(waiter: Waiter): boolean {
    const { since, turn } = waiter;
    const full = turn.parts.find((part) => this.isFull(part));
    const connectedAt = full ? this.holders.get(full.name)!.lastConnectedAt : this.lastConnectedAt;
    const stalledTicks = full?.isHeavy ? HEAVY_STALLED_TICKS : STALLED_TICKS;
    return this.ticks >= Math.min(Math.max(since, connectedAt) + stalledTicks, since + MAX_WAIT_TICKS);
  }
}

/** @param max the number of connections of the pool. */
function partsOf({ share, lane, account, isHeavy = false }: PoolTurn, max: number): readonly Part[] {
  if (share === undefined) return [];
  const ofShare = Math.max(1, max - 1);
  const ofLane = Math.min(ofShare, Math.max(2, Math.floor(max / 3)));
  const names = account === undefined || account === lane ? [lane] : [account, lane];
  const ofHeavy = { most: Math.max(1, ofLane - 1), mostWaiting: MAX_HEAVY_WAITING, isHeavy: true };
  const heavy = isHeavy ? names.map((name): Part => ({ name: `heavy:${name}`, ...ofHeavy })) : [];
  const all = names.map((name): Part => ({ name, most: ofLane, mostWaiting: MAX_WAITING, isHeavy: false }));
  return [...heavy, ...all, { name: share, most: ofShare, mostWaiting: Infinity, isHeavy: false }];
}
