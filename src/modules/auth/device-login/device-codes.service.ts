import { Injectable } from '@nestjs/common';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { RateLimitConfig } from '#infra/config/config';
import { KeyedDigest } from '#infra/crypto/keyed-digest';
import { Transactions } from '#infra/database/transactions';
import { widerNetwork } from '#infra/network/client-network';
import { FailedLoginsRepository, type FailureCounter } from '../login/failed-logins.repository';
import { DEVICE_LOGIN_MINUTES } from './device-login';
import { type DeviceLoginEntity, DeviceLoginsRepository } from './device-logins.repository';
import { lettersOf } from './user-code';

/** Wrong codes that are allowed in the lifetime of a code (RFC 8628, section 5.1). */
const ALLOWED = { developer: 5, network: 50 };

interface Counters {
  readonly own: readonly FailureCounter[];
  readonly network: readonly FailureCounter[];
}

type Opened<T> = { readonly value: T } | { readonly waitSeconds: number };

/** Finds logins by the codes that developers enter, and stops guessing. */
@Injectable()
export class DeviceCodesService {
  constructor(
    private readonly repository: DeviceLoginsRepository,
    private readonly failures: FailedLoginsRepository,
    private readonly transactions: Transactions,
    private readonly digest: KeyedDigest,
    private readonly config: RateLimitConfig,
  ) {}

  digestOf(userCode: string): Buffer {
    return this.digest.of('device-login', lettersOf(userCode));
  }

  /**
   * Runs `work` with the login of a code, in a transaction that locks it. A login that another developer has confirmed or rejected is not
   * found.
   * @throws AppError not_found for a wrong or expired code; rate_limit_exceeded for every code after five wrong codes of the caller,
   * and for wrong codes after fifty of the network, until ten minutes after the first.
   */
  async open<T>(
    ctx: RequestContext,
    userCode: string,
    work: (tx: RequestContext, login: DeviceLoginEntity) => Promise<T>,
  ): Promise<T> {
    // The transaction commits in every case: a wrong code must stay counted.
    const opened = await this.transactions.run(ctx, (tx) => this.tryOpen(tx, userCode, work));
    if ('value' in opened) return opened.value;
    if (opened.waitSeconds > 0) throw tooManyWrongCodes(opened.waitSeconds);
    throw new AppError('not_found', {
      message: 'There is no such code, or it has expired. Check the code that the program shows, or start again there.',
    });
  }

  private async tryOpen<T>(
    tx: RequestContext,
    userCode: string,
    work: (tx: RequestContext, login: DeviceLoginEntity) => Promise<T>,
  ): Promise<Opened<T>> {
    const { developerId } = developerOf(tx);
    // The transactions run one after another, so that codes that are sent in parallel are all counted.
    await this.transactions.advisoryLock(tx, `device-codes|${developerId}`);
    const { own, network } = this.countersOf(tx, developerId);
    const waitSeconds = await this.failures.secondsAtLimit(tx, own);
    if (waitSeconds > 0) return { waitSeconds };
    const login = await this.repository.lock(tx, { userDigest: this.digestOf(userCode) });
    const isTheirs = login !== null && (login.developerId ?? developerId) === developerId;
    if (isTheirs && login.expiresAt > tx.clock.now()) return { value: await work(tx, login) };
    // Only now: wrong codes of other developers in the network must not reject a right code.
    const networkSeconds = await this.failures.secondsAtLimit(tx, network);
    for (const counter of [...own, ...network]) await this.failures.add(tx, counter);
    return { waitSeconds: networkSeconds };
  }

  /** The counters of the caller and of the caller's network. Empty when limits are off. */
  private countersOf({ sourceIp }: RequestContext, developerId: string): Counters {
    if (this.config.rateLimitFactor === 0) return { own: [], network: [] };
    const counter = (kind: keyof typeof ALLOWED, subject: string): FailureCounter => ({
      digest: this.digest.of('failed-login', JSON.stringify(['device-code', kind, subject])),
      allowed: this.config.scaled(ALLOWED[kind]),
      windowSeconds: DEVICE_LOGIN_MINUTES * 60,
    });
    return { own: [counter('developer', developerId)], network: [counter('network', widerNetwork(sourceIp))] };
  }
}

const tooManyWrongCodes = (seconds: number): AppError =>
  new AppError('rate_limit_exceeded', {
    message: 'Too many wrong codes were entered. Wait for the seconds in Retry-After, then start the login again.',
    retryAfterSeconds: seconds,
    details: { retry_after_seconds: seconds },
  });
