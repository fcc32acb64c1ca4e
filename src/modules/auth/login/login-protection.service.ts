import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { emailKeyOf } from '#kernel/text/email-address';
import { RateLimitConfig } from '#infra/config/config';
import { KeyedDigest } from '#infra/crypto/keyed-digest';
import { type HashTurn, knownTurn, openTurn, PasswordHasher, provenTurn } from '#infra/crypto/password-hasher';
import { Jobs } from '#infra/jobs/jobs';
import { widerNetwork } from '#infra/network/client-network';
import { CaptchaService } from '#modules/captcha';
import { DeviceCookies } from './device-cookies';
import { FailedLoginsRepository, type FailureCounter } from './failed-logins.repository';

/** The evidence about its caller that a login attempt carries. */
export interface LoginCaller {
  readonly email: string;
  /** The solution of a captcha. */
  readonly captcha?: string | undefined;
  /** The value of the device cookie. */
  readonly deviceCookie?: unknown;
}

/** An attempt that may check a password. */
export interface LoginAttempt {
  /** The id of a device with an earlier login to the account; null for any other device. */
  readonly device: string | null;
  readonly turn: HashTurn;
  /** Counts the failures of this network, or of this known device. */
  readonly own: FailureCounter;
  /** Counts the failures of all networks; null for a known device. */
  readonly shared: FailureCounter | null;
}

/** The number of failures that are allowed without a captcha, by subject. */
const ALLOWED = {
  /** The count of one e-mail address from one network. */
  network: { allowed: 5, windowSeconds: 15 * 60 },
  /** The count of one e-mail address from all networks, and from devices that are not known for it: limits guessing by a botnet. */
  account: { allowed: 10, windowSeconds: 15 * 60 },
  /** The count of one e-mail address from a known device. Above it, the device is treated like an unknown one. */
  device: { allowed: 10, windowSeconds: 24 * 3600 },
};

/**
 * Slows down the guessing of passwords and codes so that it never hinders the owner of the account
 * (docs/decisions/0029-fair-login.md): failures are counted per e-mail address and network, and per address alone. Beyond their limits an
 * attempt needs a solved captcha. Devices with a device cookie have counters of their own.
 */
@Injectable()
export class LoginProtectionService implements OnModuleInit {
  constructor(
    private readonly repository: FailedLoginsRepository,
    private readonly devices: DeviceCookies,
    private readonly captcha: CaptchaService,
    private readonly passwords: PasswordHasher,
    private readonly digest: KeyedDigest,
    private readonly config: RateLimitConfig,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('auth.prune-failed-logins', '37 * * * *', (ctx) => this.repository.prune(ctx));
  }

  /**
   * Decides whether an attempt may check a password, and how it waits for that. Does not depend on whether the address has an account.
   * @throws AppError rate_limit_exceeded with `details.captcha_required` when a captcha is needed and missing;
   * invalid_input when the captcha is wrong.
   */
  async admit(ctx: RequestContext, caller: LoginCaller): Promise<LoginAttempt> {
    const device = this.devices.deviceOf(ctx, caller.deviceCookie, caller.email);
    if (device !== null) {
      const attempt = this.attemptOfDevice(caller.email, device);
      this.passwords.rejectWhenBusy(attempt.turn);
      if ((await this.secondsAtLimit(ctx, attempt)) === 0) return attempt;
    }
    const attempt = this.attemptOfNetwork(ctx, caller);
    if (caller.captcha !== undefined) {
      this.passwords.rejectWhenBusy(attempt.turn);
      await this.captcha.requireSolution(ctx, caller.captcha, 'login');
      return attempt;
    }
    // Checked before the first query, so that a flood does not reach the database.
    await this.offeringCaptcha(attempt, () => Promise.resolve(this.passwords.rejectWhenBusy(attempt.turn)));
    const seconds = await this.secondsAtLimit(ctx, attempt);
    if (seconds > 0) throw captchaRequired(seconds);
    return attempt;
  }

  /**
   * Runs `check`, which waits for a turn. When too many callers wait for this kind of turn, the error says that a captcha gives access to
   * another kind.
   */
  async offeringCaptcha<T>({ turn }: LoginAttempt, check: () => Promise<T>): Promise<T> {
    try {
      return await check();
    } catch (error) {
      const isFull = error instanceof AppError && error.errorCase === 'rate_limit_exceeded';
      throw isFull && turn.share === 'open' ? captchaRequired(error.retryAfterSeconds ?? 1) : error;
    }
  }

  /**
   * Counts a wrong password or code. One network adds at most its own limit to the count of the address: otherwise guesses that it sends in
   * parallel, before the first of them is counted, could make all other networks need a captcha.
   * @returns true when the next attempt needs a captcha.
   */
  async countFailure(tx: RequestContext, { own, shared }: LoginAttempt): Promise<boolean> {
    if (this.isOff) return false;
    const failures = await this.repository.add(tx, own);
    if (failures > own.allowed || shared === null) return failures >= own.allowed;
    const all = await this.repository.add(tx, shared);
    return failures === own.allowed || all >= shared.allowed;
  }

  /** Resets the failures of the owner on this device or network. Failures from other networks stay counted. */
  async forgetFailures(tx: RequestContext, { own }: LoginAttempt): Promise<void> {
    if (!this.isOff) await this.repository.clear(tx, own);
  }

  private get isOff(): boolean {
    return this.config.rateLimitFactor === 0;
  }

  private async secondsAtLimit(ctx: RequestContext, { own, shared }: LoginAttempt): Promise<number> {
    return this.isOff ? 0 : this.repository.secondsAtLimit(ctx, shared === null ? [own] : [own, shared]);
  }

  private attemptOfDevice(email: string, device: string): LoginAttempt {
    const turn = knownTurn(emailKeyOf(email));
    return { device, turn, own: this.counter('device', email, device), shared: null };
  }

  private attemptOfNetwork(ctx: RequestContext, { email, captcha }: LoginCaller): LoginAttempt {
    const turn = captcha === undefined ? openTurn(ctx) : provenTurn(ctx);
    const own = this.counter('network', email, widerNetwork(ctx.sourceIp));
    return { device: null, turn, own, shared: this.counter('account', email) };
  }

  private counter(kind: keyof typeof ALLOWED, email: string, place = ''): FailureCounter {
    const { allowed, windowSeconds } = ALLOWED[kind];
    return {
      digest: this.digest.of('failed-login', JSON.stringify([kind, emailKeyOf(email), place])),
      allowed: this.config.scaled(allowed),
      windowSeconds,
    };
  }
}

const captchaRequired = (seconds: number): AppError =>
  new AppError('rate_limit_exceeded', {
    message:
      'Too many logins failed or wait. Solve a captcha of GET /api/v1/captcha?for=login and send the solution as captcha, or wait for the seconds in Retry-After.',
    retryAfterSeconds: seconds,
    details: { retry_after_seconds: seconds, captcha_required: true },
  });
