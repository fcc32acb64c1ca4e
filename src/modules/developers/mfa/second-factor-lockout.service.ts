import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { DevelopersRepository } from '../developers.repository';
import { DeveloperMailsService } from '../mailed-links/mails/developer-mails.service';
import { type SecondFactorEntity, SecondFactorsRepository } from './second-factors.repository';

/**
 * The number of wrong codes, from all networks together, that starts the first lockout. It is higher than the number that one network may
 * send without a captcha, so that an attacker on one network does not lock the owner out.
 */
const WRONG_CODES_ALLOWED = 20;
const FIRST_LOCKOUT_SECONDS = 60;
const MAX_LOCKOUT_SECONDS = 3600;
/** The owner gets a mail after this many wrong codes, and then after each further `WRONG_CODES_PER_MAIL`. */
const WRONG_CODES_BEFORE_MAIL = 5;
const WRONG_CODES_PER_MAIL = 20;

/**
 * Limits how many codes an attacker who knows the password can try: at any time three of a million codes are correct. After twenty wrong
 * codes no code is checked for a minute, then for two, up to an hour, which allows about thirty attempts a day.
 *
 * The lockout does not lock the owner out: recovery codes are always checked, because they cannot be guessed; codes from devices with an
 * earlier login to the account are checked; and a new password, set with a mailed link, ends the lockout.
 */
@Injectable()
export class SecondFactorLockoutService {
  constructor(
    private readonly repository: SecondFactorsRepository,
    private readonly developers: DevelopersRepository,
    private readonly mails: DeveloperMailsService,
    private readonly audit: AuditRecorder,
  ) {}

  /** Returns the remaining seconds of the lockout; 0 when there is none. The caller must have locked the row of the factor. */
  async remainingSeconds(tx: RequestContext, { developerId, blockedUntil }: SecondFactorEntity): Promise<number> {
    return blockedUntil === null ? 0 : this.repository.lockoutSeconds(tx, developerId);
  }

  /** Counts a wrong code. The caller must have locked the row of the factor. */
  async countWrongCode(tx: RequestContext, { developerId, wrongCodes: before }: SecondFactorEntity): Promise<void> {
    const wrongCodes = before + 1;
    const blockedSeconds = lockoutAfter(wrongCodes);
    await this.repository.countWrongCode(tx, developerId, blockedSeconds);
    if (wrongCodes % WRONG_CODES_PER_MAIL === WRONG_CODES_BEFORE_MAIL) {
      const owner = await this.developers.findById(tx, developerId);
      if (owner) await this.mails.wrongCodes(tx, owner);
    }
    if (blockedSeconds === 0) return;
    const payload = { developer_id: developerId, wrong_codes: wrongCodes, blocked_seconds: blockedSeconds };
    await this.audit.record(tx, { type: 'developer.mfa_blocked', organizationId: null, payload });
  }
}

/** The seconds of lockout after this many wrong codes in a row. */
const lockoutAfter = (wrongCodes: number): number =>
  wrongCodes < WRONG_CODES_ALLOWED
    ? 0
    : Math.min(FIRST_LOCKOUT_SECONDS * 2 ** (wrongCodes - WRONG_CODES_ALLOWED), MAX_LOCKOUT_SECONDS);

export const tooManyWrongCodes = (waitSeconds: number): AppError =>
  new AppError('rate_limit_exceeded', {
    message: 'Too many wrong codes were sent. Wait before you send the next one, or send a recovery code.',
    details: { retry_after_seconds: waitSeconds },
    retryAfterSeconds: waitSeconds,
  });
