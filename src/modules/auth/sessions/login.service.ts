import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { Metrics } from '#infra/metrics/metrics';
import {
  type AuthenticatedDeveloper,
  DevelopersService,
  type FactorVerdict,
  SecondFactorsService,
  tooManyWrongCodes,
} from '#modules/developers';
import { type LoginAttempt, type LoginCaller, LoginProtectionService } from '../login/login-protection.service';
import { SessionsService, type TokenPair } from './sessions.service';

export interface Login extends LoginCaller {
  readonly password: string;
  readonly mfaCode?: string | undefined;
  /** The `User-Agent` header. */
  readonly userAgent?: string | undefined;
}

/** The credentials of a new session. */
export interface LoggedIn extends TokenPair {
  /** The id from the device's cookie; null for a device without a valid one. */
  readonly device: string | null;
}

/** Why a login is rejected. */
interface Rejection {
  readonly reason: 'credentials' | 'suspended' | `mfa_${FactorVerdict['outcome']}`;
  readonly factor: FactorVerdict | null;
  /** The next attempt needs a captcha. */
  readonly captchaRequired: boolean;
}

/** Logs in by e-mail address, password and, if it is enabled, a second factor. */
@Injectable()
export class LoginService {
  constructor(
    private readonly developers: DevelopersService,
    private readonly factors: SecondFactorsService,
    private readonly sessions: SessionsService,
    private readonly protection: LoginProtectionService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly metrics: Metrics,
  ) {}

  /**
   * @throws AppError unauthorized, with the same message and timing whether the address is unknown or the password is wrong;
   * with `details.mfa_required` when both are correct and only the code of the second factor is missing or wrong; with
   * `details.captcha_required` when the next attempt needs a captcha. rate_limit_exceeded with `details.captcha_required` when this
   * attempt needs one, and without it when the second factor is locked after too many wrong codes.
   */
  async logIn(ctx: RequestContext, login: Login): Promise<LoggedIn> {
    const attempt = await this.admit(ctx, login);
    const found = await this.protection.offeringCaptcha(attempt, () =>
      this.developers.findByCredentials(ctx, login, attempt.turn),
    );
    const result = await this.transactions.run(ctx, (tx) => this.decide(tx, { login, attempt, found }));
    if ('token' in result) return { ...result, device: attempt.device };
    this.metrics.count('agate_logins_failed_total', { reason: result.reason });
    throw errorOf(result);
  }

  private async admit(ctx: RequestContext, login: Login): Promise<LoginAttempt> {
    try {
      return await this.protection.admit(ctx, login);
    } catch (error) {
      this.metrics.count('agate_logins_failed_total', { reason: 'captcha_required' });
      throw error;
    }
  }

  /** Starts a session or records the rejection. The transaction must commit in both cases. */
  private async decide(
    tx: RequestContext,
    { login, attempt, found }: { login: Login; attempt: LoginAttempt; found: AuthenticatedDeveloper | null },
  ): Promise<TokenPair | Rejection> {
    // A concurrent change of the password ends all sessions; it must end this login too.
    const developer = (await found?.lockIfUnchanged(tx)) ? found : null;
    const isKnownDevice = attempt.device !== null;
    const factor = developer && (await this.factors.check(tx, developer.id, login.mfaCode, { isKnownDevice }));
    if (developer && factor && isSufficient(factor) && !developer.suspended) {
      await this.protection.forgetFailures(tx, attempt);
      return this.sessions.start(tx, developer, { userAgent: login.userAgent, isKnownDevice });
    }
    const reason = reasonOf(developer, factor);
    const isGuess = reason === 'credentials' || reason === 'mfa_wrong';
    const captchaRequired = isGuess && (await this.protection.countFailure(tx, attempt));
    const payload = developer ? { developer_id: developer.id, reason } : {};
    await this.audit.record(tx, { type: 'login.failed', organizationId: null, payload });
    return { reason, factor, captchaRequired };
  }
}

const isSufficient = ({ outcome }: FactorVerdict): boolean => outcome === 'passed' || outcome === 'not_required';

function reasonOf(developer: AuthenticatedDeveloper | null, factor: FactorVerdict | null): Rejection['reason'] {
  if (!developer || !factor) return 'credentials';
  return isSufficient(factor) ? 'suspended' : `mfa_${factor.outcome}`;
}

function errorOf({ reason, factor, captchaRequired }: Rejection): AppError {
  if (factor?.outcome === 'blocked') return tooManyWrongCodes(factor.waitSeconds);
  if (reason === 'suspended')
    return new AppError('unauthorized', { message: MESSAGES[reason], details: { reason: 'account_suspended' } });
  return new AppError('unauthorized', {
    message: MESSAGES[reason] ?? 'The code of the second factor is wrong.',
    details: {
      ...(reason.startsWith('mfa_') && { mfa_required: true }),
      ...(captchaRequired && { captcha_required: true }),
    },
  });
}

const MESSAGES: Partial<Record<Rejection['reason'], string>> = {
  credentials: 'The e-mail address or the password is wrong.',
  suspended: 'This account is suspended. Contact the operator of this service.',
  mfa_missing: 'A code of your second factor is required. Send it as mfa_code.',
};
