import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { generateSecret, generateURI, verify } from 'otplib';
import { toString as qrCode } from 'qrcode';
import { developerOf, type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#platform/audit/audit-recorder';
import { Sealer } from '#platform/crypto/sealer';
import { Secrets } from '#platform/crypto/secrets';
import { Transactions } from '#platform/database/transactions';
import { AccountService } from './account.service';
import { DevelopersRepository } from './developers.repository';
import { type SecondFactorEntity } from './second-factor.entity';
import { SecondFactorsRepository } from './second-factors.repository';

/** What an authenticator app needs. */
export interface Enrolment {
  /** Base 32. */
  readonly secret: string;
  readonly otpauthUrl: string;
  /** SVG of the URL. */
  readonly qrCode: string;
}

/** What a login's code was worth. */
export type FactorOutcome = 'not_required' | 'passed' | 'missing' | 'wrong';

const RECOVERY_CODES = 10;
/** A code counts in its own 30 seconds and those before and after: clocks of phones differ. */
const TOLERANCE_SECONDS = 30;

/** Second factors: TOTP (RFC 6238) with ten one-time recovery codes (contract §3). Every change ends all sessions. */
@Injectable()
export class SecondFactorsService {
  constructor(
    private readonly repository: SecondFactorsRepository,
    private readonly developers: DevelopersRepository,
    private readonly account: AccountService,
    private readonly sealer: Sealer,
    private readonly secrets: Secrets,
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
    const sealed = this.sealer.seal(Buffer.from(secret), sealContext(developerId));
    if (!(await this.repository.replaceUnconfirmed(ctx, developerId, sealed))) {
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
      const step = await this.stepOf(tx, factor, code);
      if (step === null) throw wrongCode();
      await this.repository.update(tx, developerId, { confirmedAt: tx.clock.now(), lastStep: String(step) });
      await this.repository.insertRecoveryCodes(
        tx,
        developerId,
        codes.map((recovery) => this.digest(developerId, recovery)),
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
    await this.transactions.run(ctx, async (tx) => {
      await this.account.holdPassword(tx, developer);
      if ((await this.check(tx, id, code)) !== 'passed') throw wrongCode();
      await this.repository.delete(tx, id);
      await this.developers.raiseFloor(tx, id);
      await this.audit.record(tx, {
        type: 'developer.mfa_disabled',
        organizationId: null,
        payload: { developer_id: id },
      });
    });
  }

  /** Judges the code of a login, in its transaction: an accepted code, or recovery code, is used up. */
  async check(tx: RequestContext, developerId: string, code: string | undefined): Promise<FactorOutcome> {
    const factor = await this.repository.lock(tx, developerId);
    if (!factor?.confirmedAt) return 'not_required';
    if (code === undefined) return 'missing';
    const step = await this.stepOf(tx, factor, code);
    if (step !== null) {
      await this.repository.update(tx, developerId, { lastStep: String(step) });
      return 'passed';
    }
    if (!(await this.repository.useRecoveryCode(tx, developerId, this.digest(developerId, code)))) return 'wrong';
    await this.audit.record(tx, {
      type: 'developer.recovery_code_used',
      organizationId: null,
      payload: { developer_id: developerId },
    });
    return 'passed';
  }

  /** The time step of a right code that is newer than the last accepted one, or null. */
  private async stepOf(ctx: RequestContext, factor: SecondFactorEntity, code: string): Promise<number | null> {
    const token = code.replace(/\s/g, '');
    if (!/^\d{6}$/.test(token)) return null;
    const secret = this.sealer.open(factor.sealedSecret, sealContext(factor.developerId)).toString();
    const epoch = Math.floor(ctx.clock.now().getTime() / 1000);
    const afterTimeStep = Number(factor.lastStep);
    const result = await verify({ secret, token, epoch, epochTolerance: TOLERANCE_SECONDS, afterTimeStep });
    return result.valid && 'timeStep' in result ? result.timeStep : null;
  }

  /** Recovery codes are short: without the pepper they cannot be guessed from a copy of the database. */
  private digest(developerId: string, code: string): Buffer {
    const normal = code.toLowerCase().replace(/[^a-z0-9]/g, '');
    return createHmac('sha256', this.secrets.passwordPepper).update(`recovery|${developerId}|${normal}`).digest();
  }
}

/** A second factor's secret opens in its own row only. */
export const sealContext = (developerId: string): string => `second-factor|${developerId}`;

/** Ten characters without those that look alike: 50 bits. */
const newRecoveryCode = (): string => {
  const text = [...randomBytes(10)].map((byte) => 'abcdefghijkmnpqrstuvwxyz23456789'.charAt(byte % 32)).join('');
  return `${text.slice(0, 5)}-${text.slice(5)}`;
};

const wrongCode = (): AppError =>
  AppError.invalidInput('wrong_code', 'This code is wrong, too old, or was used before.');
