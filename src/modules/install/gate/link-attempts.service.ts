import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { RateLimitConfig } from '#infra/config/config';
import { KeyedDigest } from '#infra/crypto/keyed-digest';
import { clientNetwork } from '#infra/network/client-network';
import { FailedLoginsRepository, type FailureCounter } from '#modules/auth';

const WINDOW_SECONDS = 10 * 60;

/** The number of wrong passwords and codes that are allowed without a captcha. */
const ALLOWED = { link: 10, address: 5 };

/** The number of codes that a client address may request without a captcha. */
const ALLOWED_CODES = 20;

/** Counts the wrong passwords and codes of links: of each link, and of each client address. Beyond their limits an attempt needs a captcha. */
@Injectable()
export class LinkAttemptsService {
  constructor(
    private readonly repository: FailedLoginsRepository,
    private readonly digest: KeyedDigest,
    private readonly config: RateLimitConfig,
  ) {}

  async isCaptchaNeeded(ctx: RequestContext, linkId: string): Promise<boolean> {
    return (await this.secondsAtLimit(ctx, linkId)) > 0;
  }

  /** The time until an attempt needs no captcha, 0 when it needs none. */
  async secondsAtLimit(ctx: RequestContext, linkId: string): Promise<number> {
    return this.isOff ? 0 : this.repository.secondsAtLimit(ctx, this.countersOf(ctx, linkId));
  }

  /**
   * Counts a wrong password or code. A client address adds at most its own limit to the count of the link: otherwise guesses that it sends
   * in parallel, before the first of them is counted, could make all other visitors need a captcha. The counters are locked in one order,
   * so that concurrent failures do not deadlock.
   * @returns whether the failure is within the limits.
   */
  async countFailure(tx: RequestContext, linkId: string): Promise<boolean> {
    if (this.isOff) return true;
    const [link, address] = this.countersOf(tx, linkId);
    if ((await this.repository.add(tx, address)) > address.allowed) return false;
    return (await this.repository.add(tx, link)) <= link.allowed;
  }

  /** Counts the request of a code. */
  async countCode(tx: RequestContext): Promise<void> {
    if (!this.isOff) await this.repository.add(tx, this.codesOf(tx));
  }

  private get isOff(): boolean {
    return this.config.rateLimitFactor === 0;
  }

  private countersOf(ctx: RequestContext, linkId: string): readonly [FailureCounter, FailureCounter, FailureCounter] {
    const address = clientNetwork(ctx.sourceIp);
    return [
      this.counter(['link', linkId], ALLOWED.link),
      this.counter(['address', address], ALLOWED.address),
      this.codesOf(ctx),
    ];
  }

  private codesOf(ctx: RequestContext): FailureCounter {
    return this.counter(['codes', clientNetwork(ctx.sourceIp)], ALLOWED_CODES);
  }

  private counter(subject: readonly [kind: string, id: string], allowed: number): FailureCounter {
    return {
      digest: this.digest.of('failed-link', JSON.stringify(subject)),
      allowed: this.config.scaled(allowed),
      windowSeconds: WINDOW_SECONDS,
    };
  }
}
