import { Injectable } from '@nestjs/common';
import { generateSecret, generateURI } from 'otplib';
import { toString as qrCode } from 'qrcode';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { AccountService } from '../account/account.service';
import { AccountNoticesService } from '../mailed-links/mails/account-notices.service';
import { SecondFactorCodesService } from './second-factor-codes.service';
import { SecondFactorLockoutService, tooManyWrongCodes } from './second-factor-lockout.service';
import { SecondFactorsRepository } from './second-factors.repository';

/** The data for an authenticator app. */
interface Enrolment {
  /** In base 32. */
  readonly secret: string;
  readonly otpauthUrl: string;
  /** The URL as an SVG image. */
  readonly qrCode: string;
  /** Valid as soon as the factor is confirmed. */
  readonly recoveryCodes: readonly string[];
}

/** The result of checking a code. `blocked`: the code was not checked, because the factor is locked for `waitSeconds`. */
export type FactorVerdict =
  | { readonly outcome: 'not_required' | 'passed' | 'missing' | 'wrong' }
  | { readonly outcome: 'blocked'; readonly waitSeconds: number };

/** Second factors: TOTP (RFC 6238) with ten one-time recovery codes. Every change ends all sessions. */
@Injectable()
export class SecondFactorsService {
  constructor(
    private readonly repository: SecondFactorsRepository,
    private readonly account: AccountService,
    private readonly notices: AccountNoticesService,
    private readonly codes: SecondFactorCodesService,
    private readonly lockout: SecondFactorLockoutService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  async isEnabled(ctx: RequestContext, developerId: string): Promise<boolean> {
    return ((await this.repository.find(ctx, developerId))?.confirmedAt ?? null) !== null;
  }

  /**
   * Creates a secret. It has no effect until it is confirmed.
   * @throws AppError invalid_input when the password is wrong; already_exists when a factor is confirmed.
   */
  async enrol(ctx: RequestContext, password: string): Promise<Enrolment> {
    const developer = await this.account.requirePassword(ctx, password);
    const { id, email } = developer;
    const secret = generateSecret();
    await this.transactions.run(ctx, async (tx) => {
      await this.account.lockUnchanged(tx, developer);
      if (!(await this.repository.replaceUnconfirmed(tx, id, this.codes.seal(id, secret)))) {
        throw new AppError('already_exists', { message: 'A second factor is already enabled. Disable it first.' });
      }
      await this.audit.record(tx, {
        type: 'developer.mfa_enrolled',
        organizationId: null,
        payload: { developer_id: id },
      });
    });
    const otpauthUrl = generateURI({ issuer: 'Agate', label: email, secret });
    const recoveryCodes = this.codes.recoveryCodesOf(id, secret);
    return { secret, otpauthUrl, qrCode: await qrCode(otpauthUrl, { type: 'svg' }), recoveryCodes };
  }

  /**
   * Enables the second factor.
   * @returns the recovery codes of the enrolment, of which only digests are stored.
   * @throws AppError operation_not_allowed when there is no secret to confirm; invalid_input when the password or the code is wrong.
   */
  async confirm(ctx: RequestContext, password: string, code: string): Promise<readonly string[]> {
    const developer = await this.account.requirePassword(ctx, password);
    const developerId = developer.id;
    return this.transactions.run(ctx, async (tx) => {
      // A login locks the account before the factor, so this does too.
      await this.account.lockUnchanged(tx, developer);
      await this.account.endSessions(tx, developerId);
      const factor = await this.repository.lock(tx, developerId);
      if (!factor || factor.confirmedAt)
        throw new AppError('operation_not_allowed', {
          message: 'There is no second factor to confirm. Get a secret first.',
        });
      const step = await this.codes.stepOf(tx, factor, code);
      if (step === null) throw wrongCode();
      await this.repository.update(tx, developerId, { confirmedAt: tx.clock.now(), lastStep: String(step) });
      const codes = this.codes.recoveryCodesOf(developerId, this.codes.open(factor));
      await this.repository.insertRecoveryCodes(
        tx,
        developerId,
        codes.map((recovery) => this.codes.digestOf(developerId, recovery)),
      );
      await this.audit.record(tx, {
        type: 'developer.mfa_enabled',
        organizationId: null,
        payload: { developer_id: developerId },
      });
      await this.notices.secondFactor(tx, developerId, 'on');
      return codes;
    });
  }

  /** @throws AppError invalid_input when the password or the code is wrong; rate_limit_exceeded during a lockout. */
  async disable(ctx: RequestContext, password: string, code: string): Promise<void> {
    const developer = await this.account.requirePassword(ctx, password);
    const { id } = developer;
    const verdict = await this.transactions.run(ctx, async (tx) => {
      await this.account.lockUnchanged(tx, developer);
      const result = await this.check(tx, id, code);
      if (result.outcome !== 'passed') return result;
      await this.repository.delete(tx, id);
      await this.account.endSessions(tx, id);
      await this.audit.record(tx, {
        type: 'developer.mfa_disabled',
        organizationId: null,
        payload: { developer_id: id },
      });
      await this.notices.secondFactor(tx, id, 'off');
      return result;
    });
    // Thrown after the commit, because a rollback would undo the count of wrong codes.
    if (verdict.outcome === 'blocked') throw tooManyWrongCodes(verdict.waitSeconds);
    if (verdict.outcome !== 'passed') throw wrongCode();
  }

  /**
   * Checks a code or recovery code. The caller must commit the transaction for every verdict, because an accepted code is marked as used,
   * and a wrong one is counted.
   * @param options `isKnownDevice`: whether the caller's device has an earlier login to the account. Such devices are not locked; the
   * caller must limit their wrong codes.
   */
  async check(
    tx: RequestContext,
    developerId: string,
    code: string | undefined,
    { isKnownDevice = false } = {},
  ): Promise<FactorVerdict> {
    const factor = await this.repository.lock(tx, developerId);
    if (!factor?.confirmedAt) return { outcome: 'not_required' };
    if (code === undefined) return { outcome: 'missing' };
    const waitSeconds = isKnownDevice ? 0 : await this.lockout.remainingSeconds(tx, factor);
    const step = waitSeconds > 0 ? null : await this.codes.stepOf(tx, factor, code);
    if (step === null && !(await this.useRecoveryCode(tx, developerId, code))) {
      if (waitSeconds > 0) return { outcome: 'blocked', waitSeconds };
      await this.lockout.countWrongCode(tx, factor);
      return { outcome: 'wrong' };
    }
    const used = step === null ? {} : { lastStep: String(step) };
    await this.repository.update(tx, developerId, { ...used, wrongCodes: 0, blockedUntil: null });
    return { outcome: 'passed' };
  }

  private async useRecoveryCode(tx: RequestContext, developerId: string, code: string): Promise<boolean> {
    const digest = this.codes.digestOf(developerId, code);
    if (!(await this.repository.useRecoveryCode(tx, developerId, digest))) return false;
    await this.audit.record(tx, {
      type: 'developer.recovery_code_used',
      organizationId: null,
      payload: { developer_id: developerId },
    });
    return true;
  }
}

const wrongCode = (): AppError =>
  AppError.invalidInput('wrong_code', 'The code is wrong, too old, or was used before.');
