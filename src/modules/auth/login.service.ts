import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { DevelopersService, type FactorOutcome, SecondFactorsService } from '#modules/developers';
import { AuditRecorder } from '#platform/audit/audit-recorder';
import { Transactions } from '#platform/database/transactions';
import { Metrics } from '#platform/metrics/metrics';
import { SessionsService, type TokenPair } from './sessions.service';

export interface Login {
  readonly email: string;
  readonly password: string;
  readonly mfaCode?: string | undefined;
}

/** Logging in by e-mail, password and, where one is set up, a second factor. */
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
   * @throws AppError unauthorized, the same and as slow whether the e-mail is unknown or the password wrong; with
   * `details.mfa_required` when both are right and only the code of the second factor is missing or wrong.
   */
  async logIn(ctx: RequestContext, { email, password, mfaCode }: Login): Promise<TokenPair> {
    const found = await this.developers.findByCredentials(ctx, email, password);
    const outcome = await this.transactions.run(ctx, async (tx) => {
      // A password that is changed while it is being checked ends this login like every session before.
      const developer = (await found?.stillProven(tx)) ? found : null;
      const factor = developer && (await this.factors.check(tx, developer.id, mfaCode));
      if (developer && (factor === 'passed' || factor === 'not_required')) return this.sessions.begin(tx, developer);
      const payload = developer ? { developer_id: developer.id, reason: `mfa_${factor}` } : {};
      await this.audit.record(tx, { type: 'login.failed', organizationId: null, payload });
      return factor;
    });
    if (outcome !== null && typeof outcome !== 'string') return outcome;
    this.metrics.count('agate_logins_failed_total', { reason: outcome === null ? 'credentials' : `mfa_${outcome}` });
    throw outcome === null ? wrongCredentials() : codeRequired(outcome);
  }
}

const wrongCredentials = (): AppError =>
  new AppError('unauthorized', { message: 'The e-mail address or the password is wrong.' });

const codeRequired = (outcome: FactorOutcome): AppError =>
  new AppError('unauthorized', {
    message:
      outcome === 'missing'
        ? 'Send the code of your second factor as mfa_code.'
        : 'The code of the second factor is wrong.',
    details: { mfa_required: true },
  });
