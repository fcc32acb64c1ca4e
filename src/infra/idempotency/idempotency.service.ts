import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { RateLimitConfig } from '#infra/config/config';
import { Sealer } from '#infra/crypto/sealer';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { type IdempotencyScope } from './idempotency-scope';
import { type Claim, IdempotencyRepository } from './idempotency.repository';

const LEASE_SECONDS = 30;
const RENEW_MS = 10_000;
const WAIT_MS = 10_000;
const POLL_MS = { first: 25, most: 200 };

/** What a request answered. */
export interface StoredResponse {
  readonly status: number;
  readonly body: unknown;
  /** Digest of the form that was answered, which is no part of the fingerprint: it was not read yet. */
  readonly received?: string | undefined;
}

/** A replay of an earlier answer, or the right to make the effect now. */
export type Admission = { readonly replay: StoredResponse } | { readonly attempt: Attempt };

/** The right to make the effect of a key, held under a lease. */
export interface Attempt {
  /** Runs `work` in one transaction that commits its effect together with the answer, or neither. */
  commit<T>(
    ctx: RequestContext,
    work: (ctx: RequestContext) => Promise<T>,
    answerOf: (result: T) => StoredResponse,
  ): Promise<T>;
  /** No effect was made: frees the key for another try. */
  release(ctx: RequestContext): Promise<void>;
  /** Ends the renewal of the lease. */
  stop(): void;
}

/** Idempotency of mutating routes (contract §13): claim, wait, replay, and an answer committed with its effect. */
@Injectable()
export class IdempotencyService implements OnModuleInit {
  constructor(
    private readonly repository: IdempotencyRepository,
    private readonly transactions: Transactions,
    private readonly sealer: Sealer,
    private readonly config: RateLimitConfig,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('idempotency.prune', '11 * * * *', async (ctx) => {
      await this.repository.prune(ctx);
      await this.repository.pruneVolumes(ctx);
    });
  }

  /**
   * @throws AppError invalid_input when the key was used for something else; already_exists when the first attempt is
   * still at work after ten seconds; rate_limit_exceeded when as much is kept for the owner as may be. What was answered is
   * answered again all the same.
   */
  async admit(ctx: RequestContext, scope: IdempotencyScope): Promise<Admission> {
    const { id, owner, fingerprint } = scope;
    const claim: Claim = { id, owner, fingerprint, attempt: newId() };
    const terms = { leaseSeconds: LEASE_SECONDS, maxBytes: this.config.storedResponseBytes };
    for (let waited = 0, pause = POLL_MS.first; ; waited += pause, pause = Math.min(pause * 2, POLL_MS.most)) {
      if (await this.repository.claim(ctx, claim, terms)) return { attempt: this.attempt(ctx, claim, scope) };
      const holder = await this.repository.find(ctx, scope.id);
      if (holder && !holder.fingerprint.equals(scope.fingerprint)) throw keyReused();
      if (holder?.answer) return { replay: this.open(holder.answer, scope) };
      if (!holder) await this.requireRoom(ctx, owner);
      if (waited >= WAIT_MS) throw stillInFlight();
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** What exactly this request was answered, if it was and that is still remembered. Claims nothing. */
  async recall(ctx: RequestContext, scope: IdempotencyScope): Promise<StoredResponse | null> {
    const sealed = await this.repository.findAnswer(ctx, scope);
    return sealed && this.open(sealed, scope);
  }

  /** Nobody holds the key: either there was no room for its answer, or whoever held it has just let go. */
  private async requireRoom(ctx: RequestContext, owner: Buffer): Promise<void> {
    const seconds = await this.repository.secondsUntilRoom(ctx, owner, this.config.storedResponseBytes);
    if (seconds !== null) throw tooMuchKept(seconds);
  }

  private attempt(ctx: RequestContext, claim: Claim, scope: IdempotencyScope): Attempt {
    const renewal = setInterval(() => {
      this.repository.renew(ctx, claim, LEASE_SECONDS).catch(() => undefined);
    }, RENEW_MS);
    renewal.unref();
    const stop = (): void => clearInterval(renewal);
    return {
      stop,
      commit: (outer, work, answerOf) =>
        this.transactions.run(outer, async (inner) => {
          const result = await work(inner);
          const sealed = this.seal(answerOf(result), scope);
          if (!(await this.repository.finish(inner, claim, sealed))) throw stillInFlight();
          return result;
        }),
      release: async (outer) => {
        stop();
        await this.repository.release(outer, claim);
      },
    };
  }

  private seal(answer: StoredResponse, scope: IdempotencyScope): Buffer {
    return this.sealer.seal(Buffer.from(JSON.stringify(answer)), scope.sealContext);
  }

  private open(sealed: Buffer, scope: IdempotencyScope): StoredResponse {
    return JSON.parse(this.sealer.open(sealed, scope.sealContext).toString('utf8')) as StoredResponse;
  }
}

export const keyReused = (): AppError =>
  AppError.invalidInput(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Make a new one for each operation.',
  );

const tooMuchKept = (retryAfterSeconds: number): AppError =>
  new AppError('rate_limit_exceeded', {
    message: 'The answers to your Idempotency-Keys of a day are as much as is kept. Wait, or send no key.',
    details: { retry_after_seconds: retryAfterSeconds },
    retryAfterSeconds,
  });

const stillInFlight = (): AppError =>
  new AppError('already_exists', {
    message: 'The first request with this Idempotency-Key is still at work. Try again shortly.',
    details: { reason: 'idempotency_in_flight' },
    retryAfterSeconds: 1,
  });
