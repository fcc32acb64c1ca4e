import { Injectable } from '@nestjs/common';
import { generateSecret, generateURI } from 'otplib';
import { toString as qrCode } from 'qrcode';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { AccountService } from '../account/account.service';
import { DevelopersRepository } from '../developers.repository';
import { newRecoveryCode, SecondFactorCodes } from './second-factor-codes';
import { SecondFactorGuesses, tooManyWrongCodes } from './second-factor-guesses';
import { SecondFactorsRepository } from './second-factors.repository';

/** What an authenticator app needs. */
export interface Enrolment {
  /** Base 32. */
  readonly secret: string;
  readonly otpauthUrl: string;
  /** SVG of the URL. */
  readonly qrCode: string;
}

/** What a code was worth. A blocked one may have been right: it was not looked at, nor will be for some seconds. */
export type FactorVerdict =
  | { readonly outcome: 'not_required' | 'passed' | 'missing' | 'wrong' }
  | { readonly outcome: 'blocked'; readonly waitSeconds: number };

const RECOVERY_CODES = 10;

/** Second factors: TOTP (RFC 6238) with ten one-time recovery codes (contract §3). Every change ends all sessions. */
@Injectable()
export class SecondFactorsService {
  constructor(
    private readonly repository: SecondFactorsRepository,
    private readonly developers: DevelopersRepository,
    private readonly account: AccountService,
    private readonly codes: SecondFactorCodes,
    private readonly guesses: SecondFactorGuesses,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  async isEnabled(ctx: RequestContext, developerId: string): Promise<boolean> {
    return ((await this.repository.find(ctx, developerId))?.confirmedAt ?? null) !== null;
  }

  /** Makes a secret, which asks for nothing until it is confirmed. @throws AppError already_exists when one is confirmed. */
  async enrol(ctx: RequestContext): Promise<Enrolment> {
    const { developerId, email } = developerOf(ctx);
    const secret = generateSecret();
    if (!(await this.repository.replaceUnconfirmed(ctx, developerId, this.codes.seal(developerId, secret)))) {
      throw new AppError('already_exists', { message: 'You have a second factor. Disable it first.' });
    }
    const otpauthUrl = generateURI({ issuer: 'Agate', label: email, secret });
    return { secret, otpauthUrl, qrCode: await qrCode(otpauthUrl, { type: 'svg' }) };
  }

  /** Turns the second factor on. @returns the recovery codes, shown this once. */
  async confirm(ctx: RequestContext, code: string): Promise<readonly string[]> {
    const { developerId } = developerOf(ctx);
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    await this.transactions.run(ctx, async (tx) => {
      // First of all: a login looks at the factor while it holds the account.
      await this.developers.raiseFloor(tx, developerId);
      const factor = await this.repository.lock(tx, developerId);
      if (!factor || factor.confirmedAt) throw new AppError('operation_not_allowed', { message: 'Enroll first.' });
      const step = await this.codes.stepOf(tx, factor, code);
      if (step === null) throw wrongCode();
      await this.repository.update(tx, developerId, { confirmedAt: tx.clock.now(), lastStep: String(step) });
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
    });
    return codes;
  }

  /** Takes the password and a code. */
  async disable(ctx: RequestContext, password: string, code: string): Promise<void> {
    const developer = await this.account.requirePassword(ctx, password);
    const { id } = developer;
    const verdict = await this.transactions.run(ctx, async (tx) => {
      await this.account.holdPassword(tx, developer);
      const judged = await this.check(tx, id, code);
      if (judged.outcome !== 'passed') return judged;
      await this.repository.delete(tx, id);
      await this.developers.raiseFloor(tx, id);
      await this.audit.record(tx, {
        type: 'developer.mfa_disabled',
        organizationId: null,
        payload: { developer_id: id },
      });
      return judged;
    });
    // A wrong code is counted, so its transaction is over.
    if (verdict.outcome === 'blocked') throw tooManyWrongCodes(verdict.waitSeconds);
    if (verdict.outcome !== 'passed') throw wrongCode();
  }

  /**
   * Judges a code in the caller's transaction, which must commit whatever the verdict is: an accepted code, or recovery code, is
   * used up, and a wrong one counted.
   */
  async check(tx: RequestContext, developerId: string, code: string | undefined): Promise<FactorVerdict> {
    const factor = await this.repository.lock(tx, developerId);
    if (!factor?.confirmedAt) return { outcome: 'not_required' };
    if (code === undefined) return { outcome: 'missing' };
    const waitSeconds = await this.guesses.waitSeconds(tx, factor);
    const step = waitSeconds > 0 ? null : await this.codes.stepOf(tx, factor, code);
    if (step === null && !(await this.useRecoveryCode(tx, developerId, code))) {
      if (waitSeconds > 0) return { outcome: 'blocked', waitSeconds };
      await this.guesses.count(tx, factor);
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
  AppError.invalidInput('wrong_code', 'This code is wrong, too old, or was used before.');
