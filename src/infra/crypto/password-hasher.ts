import { createHmac } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import * as bcrypt from 'bcrypt';
import { type RequestContext } from '#kernel/context/request-context';
import { Semaphore, type Turn } from '#infra/concurrency/semaphore';
import { RuntimeConfig } from '#infra/config/config';
import { widerNetwork } from '#infra/network/client-network';
import { Secrets } from './secrets';

const COST = { production: 12, development: 12, test: 4 };

/** The default size of libuv's thread pool, which hashes share with file I/O and DNS lookups. */
const THREADS = 4;

const QUEUE = {
  waitingPerLane: 20,
  waitMs: 15_000,
  retryAfterSeconds: 2,
  messages: {
    laneIsFull:
      'Too many passwords from your network wait to be checked. Wait for the seconds in Retry-After, then retry.',
    noPlaceInTime: 'Too many passwords wait to be checked. Wait for the seconds in Retry-After, then retry.',
  },
};

/**
 * The lane in which a hash waits. The three shares take turns, and in each of them its lanes, so that a flood in one share or lane delays
 * the others by little:
 * - `known`: callers who proved that they are the owner of an account, one lane per account;
 * - `proven`: callers who solved a captcha, one lane per network;
 * - `open`: every other caller, one lane per network.
 */
export type HashTurn = Pick<Turn, 'lane'> & { readonly share: 'known' | 'proven' | 'open' };

/**
 * Password hashing: bcrypt of base64(HMAC-SHA-256(pepper, password)), which always fits into bcrypt's 72 bytes.
 *
 * bcrypt runs on the threads that file I/O needs, too, so the number of concurrent hashes is one less than the cores and threads.
 * Further calls wait in fair lanes (docs/decisions/0029-fair-login.md); when a lane is full they are rejected with `429`.
 */
@Injectable()
export class PasswordHasher {
  private readonly cost: number;
  private readonly queue = new Semaphore({
    places: Math.max(1, Math.min(availableParallelism(), THREADS) - 1),
    ...QUEUE,
  });
  /** Compared for an unknown e-mail address, so that the check takes as long as for a known one. The start does not wait for it. */
  private readonly dummyHash: Promise<string>;

  constructor(
    private readonly secrets: Secrets,
    runtime: RuntimeConfig,
  ) {
    this.cost = COST[runtime.environment];
    this.dummyHash = bcrypt.hash(this.peppered('nobody'), this.cost);
  }

  /** @throws AppError rate_limit_exceeded when too many hashes of the lane wait, or no place was free in time. */
  hash(password: string, turn: HashTurn): Promise<string> {
    return this.queue.run(() => bcrypt.hash(this.peppered(password), this.cost), turn);
  }

  /**
   * @param hash null when the account does not exist. The result is then false, after the same time.
   * @throws AppError rate_limit_exceeded when too many hashes of the lane wait, or no place was free in time.
   */
  async matches(password: string, hash: string | null, turn: HashTurn): Promise<boolean> {
    const compare = async () => bcrypt.compare(this.peppered(password), hash ?? (await this.dummyHash));
    const same = await this.queue.run(compare, turn);
    return same && hash !== null;
  }

  /** @throws AppError rate_limit_exceeded when the lane is full. Call it first to reject before querying the database. */
  rejectWhenBusy(turn: HashTurn): void {
    this.queue.rejectWhenFull(turn);
  }

  private peppered(password: string): string {
    return createHmac('sha256', this.secrets.passwordPepper).update(password, 'utf8').digest('base64');
  }
}

/** The turn of an anonymous caller. */
export const openTurn = (ctx: RequestContext): HashTurn => ({ share: 'open', lane: widerNetwork(ctx.sourceIp) });

/** The turn of a caller who solved a captcha. */
export const provenTurn = (ctx: RequestContext): HashTurn => ({ share: 'proven', lane: widerNetwork(ctx.sourceIp) });

/** @param account identifies the account that the caller proved to own, by a session, a mailed link or a device cookie. */
export const knownTurn = (account: string): HashTurn => ({ share: 'known', lane: account });
