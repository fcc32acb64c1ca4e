import { createHmac } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import * as bcrypt from 'bcrypt';
import { AppError } from '#kernel/errors/app-error';
import { RuntimeConfig } from '#infra/config/config';
import { Secrets } from './secrets';

const COST = { production: 12, development: 12, test: 4 };
const QUEUE = 20;

/** The default size of libuv's thread pool, which hashes share with file I/O and DNS lookups. */
const THREADS = 4;

/**
 * Password hashing: bcrypt of base64(HMAC-SHA-256(pepper, password)), which always fits into bcrypt's 72 bytes.
 *
 * bcrypt runs on the threads that file I/O needs, too, so the number of concurrent hashes is one less than the cores and
 * threads. Further calls wait in a short queue; when it is full they are rejected with `429`.
 */
@Injectable()
export class PasswordHasher implements OnModuleInit {
  private readonly cost: number;
  private readonly slots = Math.max(1, Math.min(availableParallelism(), THREADS) - 1);
  private readonly waiting: (() => void)[] = [];
  private running = 0;
  private dummyHash: string;

  constructor(
    private readonly secrets: Secrets,
    runtime: RuntimeConfig,
  ) {
    this.cost = COST[runtime.environment];
  }

  /** The hash that is compared for an unknown e-mail, so that an unknown e-mail takes as long as a known one. */
  async onModuleInit(): Promise<void> {
    this.dummyHash = await bcrypt.hash(this.peppered('nobody'), this.cost);
  }

  async hash(password: string): Promise<string> {
    return this.runLimited(() => bcrypt.hash(this.peppered(password), this.cost));
  }

  /** @param hash null when the account does not exist. The result is then false, after the same time. */
  async matches(password: string, hash: string | null): Promise<boolean> {
    const same = await this.runLimited(() => bcrypt.compare(this.peppered(password), hash ?? this.dummyHash));
    return same && hash !== null;
  }

  /** @throws AppError rate_limit_exceeded when the queue is full. Call it first to reject before querying the database. */
  rejectWhenBusy(): void {
    if (this.running < this.slots || this.waiting.length < QUEUE) return;
    throw new AppError('rate_limit_exceeded', { retryAfterSeconds: 2, details: { retry_after_seconds: 2 } });
  }

  private peppered(password: string): string {
    return createHmac('sha256', this.secrets.passwordPepper).update(password, 'utf8').digest('base64');
  }

  private async runLimited<T>(work: () => Promise<T>): Promise<T> {
    this.rejectWhenBusy();
    if (this.running >= this.slots) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running++;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
