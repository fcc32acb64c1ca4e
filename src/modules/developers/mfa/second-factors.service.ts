import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { verify, generateSecret, generateURI } from 'otplib';
import { toString as qrCode } from 'qrcode';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { Sealer } from '#infra/crypto/sealer';
import { Secrets } from '#infra/crypto/secrets';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { AccountService } from '../account/account.service';
import { AccountNoticesService } from '../mailed-links/mails/account-notices.service';
import { type SecondFactorEntity, SecondFactorsRepository } from './second-factors.repository';
import { SecondFactorLockoutService, tooManyWrongCodes } from './second-factor-lockout.service';

/** A code is accepted in its own 30 seconds and in the 30 before and after, because the clocks of phones differ. */
const TOLERANCE_SECONDS = 30;

/** The codes of second factors: TOTP (RFC 6238), and recovery codes. */
@Injectable()
export class SecondFactorCodesService {
  constructor(
    private readonly sealer: Sealer,
    private readonly secrets: Secrets,
  ) {}

  seal(developerId: string, secret: string): Buffer {
    return this.sealer.seal(Buffer.from(secret), sealContext(developerId));
  }

  open({ developerId, sealedSecret }: SecondFactorEntity): string {
    return this.sealer.open(sealedSecret, sealContext(developerId)).toString();
  }

  /**
   * Derives the recovery codes of a secret, so that they can be shown before the factor is confirmed, and again by the confirmation, without
   * being stored. Deriving them needs the pepper and the secret, which is stored encrypted.
   */
  recoveryCodesOf(developerId: string, secret: string): readonly string[] {
    return Array.from({ length: RECOVERY_CODES }, (_, index) =>
      recoveryCodeOf(
        createHmac('sha256', this.secrets.passwordPepper)
          .update(JSON.stringify(['recovery-code', developerId, secret, index]))
          .digest(),
      ),
    );
  }

  /** Returns the time step of a code; null when the code is wrong or not newer than the last accepted one. */
  async stepOf(ctx: RequestContext, factor: SecondFactorEntity, code: string): Promise<number | null> {
    const token = code.replace(/\s/g, '');
    if (!/^\d{6}$/.test(token)) return null;
    const secret = this.open(factor);
    const epoch = Math.floor(ctx.clock.now().getTime() / 1000);
    const afterTimeStep = Number(factor.lastStep);
    const result = await verify({ secret, token, epoch, epochTolerance: TOLERANCE_SECONDS, afterTimeStep });
    return result.valid && 'timeStep' in result ? result.timeStep : null;
  }

  /** Recovery codes are short. The pepper, which is not in the database, prevents guessing them from a copy of the database. */
  digestOf(developerId: string, recoveryCode: string): Buffer {
    const normalized = recoveryCode.toLowerCase().replace(/[^a-z0-9]/g, '');
    return createHmac('sha256', this.secrets.passwordPepper).update(`recovery|${developerId}|${normalized}`).digest();
  }
}

/** Binds a sealed secret to its row: moved to another row, it cannot be opened. */
export const sealContext = (developerId: string): string => `second-factor|${developerId}`;

const RECOVERY_CODES = 10;

/** Ten characters, 50 bits. Characters that look alike are not used. */
const recoveryCodeOf = (bytes: Buffer): string => {
  const text = [...bytes.subarray(0, 10)].map((byte) => 'abcdefghijkmnpqrstuvwxyz23456789'.charAt(byte % 32)).join('');
  return `${text.slice(0, 5)}-${text.slice(5)}`;
};

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
