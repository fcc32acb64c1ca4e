import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { newId } from '#kernel/ids';
import { RateLimitConfig } from '#infra/config/config';
import { Sealer } from '#infra/crypto/sealer';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { type Claim, IdempotencyRepository } from './idempotency.repository';
import { type IdempotencyScope } from './idempotency-scope';

const LEASE_SECONDS = 30;
const RENEW_MS = 10_000;
const WAIT_MS = 10_000;
const POLL_MS = { first: 25, max: 200 };

/** A response that is kept for replays. */
export interface StoredResponse {
  readonly status: number;
  readonly body: unknown;
  /** Digest of the request's form. It is not part of the fingerprint, because the form is read after the key is claimed. */
  readonly received?: string | undefined;
}

/** A stored response to replay, or the claim to run the request now. */
export type Admission = { readonly replay: StoredResponse } | { readonly attempt: Attempt };

/** A claim of a key, held under a lease. */
export interface Attempt {
  /** Runs `work` and stores the response in one transaction. */
  commit<T>(
    ctx: RequestContext,
    work: (ctx: RequestContext) => Promise<T>,
    responseOf: (result: T) => StoredResponse,
  ): Promise<T>;
  /** Deletes the claim after a failed attempt, so that the key can be used again. */
  release(ctx: RequestContext): Promise<void>;
  /** Stops the renewal of the lease. */
  stop(): void;
}

/**
 * Idempotency of mutating routes: claims keys, waits for a running first request, replays stored responses
 * (docs/decisions/0004-idempotency-as-unit-of-work.md).
 */
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
   * Claims the key or finds its stored response. Waits up to ten seconds for a running first request.
   * @throws AppError invalid_input when the key was used for another request; already_exists when the first request is still
   * running after ten seconds; rate_limit_exceeded when a new key would exceed the owner's stored responses (replays still work).
   */
  async admit(ctx: RequestContext, scope: IdempotencyScope): Promise<Admission> {
    const { id, owner, fingerprint } = scope;
    const claim: Claim = { id, owner, fingerprint, attempt: newId() };
    const terms = { leaseSeconds: LEASE_SECONDS, maxBytes: this.config.storedResponseBytes };
    for (let waited = 0, pause = POLL_MS.first; ; waited += pause, pause = Math.min(pause * 2, POLL_MS.max)) {
      if (await this.repository.claim(ctx, claim, terms)) return { attempt: this.attempt(ctx, claim, scope) };
      const existing = await this.repository.find(ctx, scope.id);
      if (existing && !existing.fingerprint.equals(scope.fingerprint)) throw keyReused();
      if (existing?.answer) return { replay: this.open(existing.answer, scope) };
      if (!existing) await this.requireRoom(ctx, owner);
      if (waited >= WAIT_MS) throw stillInFlight();
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** The stored response to exactly this request, null when there is none. Claims nothing. */
  async recall(ctx: RequestContext, scope: IdempotencyScope): Promise<StoredResponse | null> {
    const sealed = await this.repository.findResponse(ctx, scope);
    return sealed && this.open(sealed, scope);
  }

  /**
   * Called when the claim failed without an existing record: the owner is over the limit, or the first request has just released the key.
   */
  private async requireRoom(ctx: RequestContext, owner: Buffer): Promise<void> {
    const seconds = await this.repository.secondsUntilRoom(ctx, owner, this.config.storedResponseBytes);
    if (seconds !== null) throw tooManyStored(seconds);
  }

  private attempt(ctx: RequestContext, claim: Claim, scope: IdempotencyScope): Attempt {
    const renewal = setInterval(() => {
      this.repository.renew(ctx, claim, LEASE_SECONDS).catch(() => undefined);
    }, RENEW_MS);
    renewal.unref();
    const stop = (): void => clearInterval(renewal);
    return {
      stop,
      commit: (outer, work, responseOf) =>
        this.transactions.run(outer, async (inner) => {
          const result = await work(inner);
          const sealed = this.seal(responseOf(result), scope);
          if (!(await this.repository.finish(inner, claim, sealed))) throw stillInFlight();
          return result;
        }),
      release: async (outer) => {
        stop();
        await this.repository.release(outer, claim);
      },
    };
  }

  private seal(stored: StoredResponse, scope: IdempotencyScope): Buffer {
    return this.sealer.seal(Buffer.from(JSON.stringify(stored)), scope.sealContext);
  }

  private open(sealed: Buffer, scope: IdempotencyScope): StoredResponse {
    return JSON.parse(this.sealer.open(sealed, scope.sealContext).toString('utf8')) as StoredResponse;
  }
}

export const keyReused = (): AppError =>
  AppError.invalidInput(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Generate a new key for each operation.',
  );

const tooManyStored = (retryAfterSeconds: number): AppError =>
  new AppError('rate_limit_exceeded', {
    message: 'Too many idempotent responses are stored for you today. Retry later, or send no Idempotency-Key.',
    details: { retry_after_seconds: retryAfterSeconds },
    retryAfterSeconds,
  });

const stillInFlight = (): AppError =>
  new AppError('already_exists', {
    message: 'The first request with this Idempotency-Key is still running. Retry shortly.',
    details: { reason: 'idempotency_in_flight' },
    retryAfterSeconds: 1,
  });
