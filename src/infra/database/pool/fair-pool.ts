import { Pool, type PoolClient, type PoolConfig, type QueryResult } from 'pg';
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
  /** Ends the waiting, with its reason as the error. It does not stop a statement. */
  readonly signal?: AbortSignal;
}

interface NamedTurn extends PoolTurn {
  readonly share: string;
  /** The parts of the pool that the turn uses: its account, its lane, and the share of the lane. The service itself uses none. */
  readonly names: readonly string[];
}

interface Waiter extends Place {
  readonly turn: NamedTurn;
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
const SERVICE: NamedTurn = { lane: '', share: '', names: [] };

/** A waiter is rejected when no connection that it could have was handed out for two seconds: the connections are stuck. */
const STALLED_TICKS = 2_000 / TICK_MS;
/** A waiter is rejected after half a minute in any case. */
const MAX_WAIT_TICKS = 30_000 / TICK_MS;

/**
 * A pool whose callers take turns by lane (docs/decisions/0059-turns-for-the-database.md). A lane, or an account, holds at most a third of
 * the connections, at least two; a share leaves at least one connection to the others. Callers without a turn are the service itself.
 *
 * pg's own pool gives every caller the same timeout, so in a burst it rejects the last callers although connections are being handed out.
 * This pool rejects a caller only when for two seconds no connection was handed out that it could have had, or after half a minute
 * (docs/decisions/0022-a-line-before-the-pool.md). Time is counted in ticks, so that a stall of this process counts as one tick: the holders
 * of connections can finish first, and so can the opening of a connection.
 */
export class FairPool extends Pool {
  private readonly line = new FairLine<Waiter>();
  private readonly waiters = new Set<Waiter>();
  /** The turns with which connections are held. */
  private readonly turns = new WeakMap<object, NamedTurn>();
  /** The shares, lanes and accounts that hold connections. */
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
    const named = { ...turn, share: turn.share ?? '', names: namesOf(turn) };
    return {
      connect: (callback) => this.callBack(named, callback),
      send: (statement, values) => this.send(statement, values, named),
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

  private callBack(turn: NamedTurn, callback: Connected): void {
    this.take(turn).then(
      (client) => callback(undefined, client, (broken) => client.release(broken as Error | boolean | undefined)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  }

  private async take(turn: NamedTurn): Promise<PoolClient> {
    if (!this.entersNow(turn)) await this.enter(turn);
    const client = await this.open(turn);
    if (!this.idle || (await this.idle.isAlive(client))) return client;
    client.release(true);
    return this.take(turn);
  }

  private async open(turn: NamedTurn): Promise<PoolClient> {
    try {
      const client = await super.connect();
      this.turns.set(client, turn);
      this.lastConnectedAt = this.ticks;
      for (const name of turn.names) this.holders.get(name)!.lastConnectedAt = this.ticks;
      return client;
    } catch (error) {
      this.leave(turn);
      throw error;
    }
  }

  /** Takes a free connection without entering the line when nobody waits. @returns whether it could. */
  private entersNow(turn: NamedTurn): boolean {
    turn.signal?.throwIfAborted();
    if (this.waiters.size > 0 || this.inUse >= this.options.max || !this.mayHold(turn)) return false;
    this.line.startNow(turn);
    this.hold(turn, 1);
    return true;
  }

  /** Resolves when a connection is free for this caller. */
  private enter(turn: NamedTurn): Promise<void> {
    return new Promise((resolve, reject) => {
      const { signal } = turn;
      const giveUp = (reason: Error): void => {
        this.stopWaiting(waiter);
        this.line.remove(waiter);
        reject(reason);
      };
      const onAbort = (): void => giveUp(signal?.reason as Error);
      const waiter: Waiter = {
        lane: turn.lane,
        share: turn.share,
        turn,
        since: this.ticks,
        resolve,
        expire: () => giveUp(new Error('timeout exceeded when trying to connect')),
        stopListening: () => signal?.removeEventListener('abort', onAbort),
      };
      this.line.add(waiter);
      this.waiters.add(waiter);
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

  private leave(turn: NamedTurn): void {
    this.line.end(turn);
    this.hold(turn, -1);
    this.next();
  }

  private hold(turn: NamedTurn, change: 1 | -1): void {
    this.inUse += change;
    for (const name of turn.names) {
      const holder = this.holders.get(name) ?? { connections: 0, lastConnectedAt: this.ticks };
      holder.connections += change;
      if (holder.connections > 0) this.holders.set(name, holder);
      else this.holders.delete(name);
    }
  }

  private mayHold(turn: NamedTurn): boolean {
    return turn.names.every((name) => !this.isFull(name, turn));
  }

  /** Whether the share, lane or account holds as many connections as it may. */
  private isFull(name: string, { share }: PoolTurn): boolean {
    const { max } = this.options;
    const ofShare = Math.max(1, max - 1);
    const most = name === share ? ofShare : Math.min(ofShare, Math.max(2, Math.floor(max / 3)));
    return (this.holders.get(name)?.connections ?? 0) >= most;
  }

  private stopWaiting(waiter: Waiter): void {
    waiter.stopListening();
    this.waiters.delete(waiter);
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

  /** A waiter whose share, lane or account is full waits for that one, others wait for any connection. */
  private hasExpired(waiter: Waiter): boolean {
    const { since, turn } = waiter;
    const full = turn.names.find((name) => this.isFull(name, turn));
    const connectedAt = full === undefined ? this.lastConnectedAt : this.holders.get(full)!.lastConnectedAt;
    return this.ticks >= Math.min(Math.max(since, connectedAt) + STALLED_TICKS, since + MAX_WAIT_TICKS);
  }
}

const namesOf = ({ share, lane, account }: PoolTurn): readonly string[] => {
  if (share === undefined) return [];
  return account === undefined || account === lane ? [lane, share] : [account, lane, share];
};
