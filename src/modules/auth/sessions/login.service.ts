import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { Metrics } from '#infra/metrics/metrics';
import { DevelopersService, type FactorVerdict, SecondFactorsService, tooManyWrongCodes } from '#modules/developers';
import { SessionsService, type TokenPair } from './sessions.service';

export interface Login {
  readonly email: string;
  readonly password: string;
  readonly mfaCode?: string | undefined;
}

/** Logs in by e-mail address, password and, if it is enabled, a second factor. */
@Injectable()
export class LoginService {
  constructor(
    private readonly developers: DevelopersService,
    private readonly factors: SecondFactorsService,
    private readonly sessions: SessionsService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
    private readonly metrics: Metrics,
  ) {}

  /**
   * @throws AppError unauthorized, with the same message and timing whether the address is unknown or the password is wrong;
   * with `details.mfa_required` when both are correct and only the code of the second factor is missing or wrong.
   * rate_limit_exceeded when both are correct and the second factor is locked after too many wrong codes.
   */
  async logIn(ctx: RequestContext, { email, password, mfaCode }: Login): Promise<TokenPair> {
    const found = await this.developers.findByCredentials(ctx, email, password);
    const result = await this.transactions.run(ctx, async (tx) => {
      // A concurrent change of the password ends all sessions; it must end this login too.
      const developer = (await found?.lockIfUnchanged(tx)) ? found : null;
      const factor = developer && (await this.factors.check(tx, developer.id, mfaCode));
      if (developer && factor && isSufficient(factor)) return this.sessions.start(tx, developer);
      const payload = developer ? { developer_id: developer.id, reason: `mfa_${factor?.outcome}` } : {};
      await this.audit.record(tx, { type: 'login.failed', organizationId: null, payload });
      return factor;
    });
    if (result && 'token' in result) return result;
    this.metrics.count('agate_logins_failed_total', { reason: result ? `mfa_${result.outcome}` : 'credentials' });
    throw result ? codeRequired(result) : wrongCredentials();
  }
}

const isSufficient = ({ outcome }: FactorVerdict): boolean => outcome === 'passed' || outcome === 'not_required';

const wrongCredentials = (): AppError =>
  new AppError('unauthorized', { message: 'The e-mail address or the password is wrong.' });

const codeRequired = (verdict: FactorVerdict): AppError =>
  verdict.outcome === 'blocked'
    ? tooManyWrongCodes(verdict.waitSeconds)
    : new AppError('unauthorized', {
        message:
          verdict.outcome === 'missing'
            ? 'A code of your second factor is required. Send it as mfa_code.'
            : 'The code of the second factor is wrong.',
        details: { mfa_required: true },
      });
