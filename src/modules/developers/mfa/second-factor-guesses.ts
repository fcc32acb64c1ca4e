import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { DeveloperMails } from '../mailed-links/developer-mails';
import { DevelopersRepository } from '../developers.repository';
import { type SecondFactorEntity } from './second-factor.entity';
import { SecondFactorsRepository } from './second-factors.repository';

/** Wrong codes before one has to wait: people mistype, and send one code twice. */
const FREE = 5;
const FIRST_WAIT_SECONDS = 60;
const LONGEST_WAIT_SECONDS = 3600;
/** The owner is told when it begins, and then once in so many wrong codes: some ten hours. */
const TOLD_EVERY = 10;

/**
 * Keeps those who have the password from guessing the code: of a million three are right at a time. After some wrong ones no code
 * is looked at for a minute, then two, up to an hour, so that there are some thirty a day. Recovery codes, which nobody guesses,
 * are always looked at: that is how the owner comes in meanwhile.
 */
@Injectable()
export class SecondFactorGuesses {
  constructor(
    private readonly repository: SecondFactorsRepository,
    private readonly developers: DevelopersRepository,
    private readonly mails: DeveloperMails,
    private readonly audit: AuditRecorder,
  ) {}

  /** How long no code of a factor is looked at, in whole seconds; 0: they are. The factor must be locked. */
  async waitSeconds(tx: RequestContext, { developerId, blockedUntil }: SecondFactorEntity): Promise<number> {
    return blockedUntil === null ? 0 : this.repository.blockedSeconds(tx, developerId);
  }

  /** A wrong code was given; the factor must be locked. */
  async count(tx: RequestContext, { developerId, wrongCodes: before }: SecondFactorEntity): Promise<void> {
    const wrongCodes = before + 1;
    const blockedSeconds = waitAfter(wrongCodes);
    await this.repository.countWrongCode(tx, developerId, blockedSeconds);
    if (blockedSeconds === 0) return;
    const payload = { developer_id: developerId, wrong_codes: wrongCodes, blocked_seconds: blockedSeconds };
    await this.audit.record(tx, { type: 'developer.mfa_blocked', organizationId: null, payload });
    const owner = wrongCodes % TOLD_EVERY === FREE ? await this.developers.findById(tx, developerId) : null;
    if (owner) await this.mails.wrongCodes(tx, owner);
  }
}

/** How long no code is looked at after so many wrong ones. */
export const waitAfter = (wrongCodes: number): number =>
  wrongCodes < FREE ? 0 : Math.min(FIRST_WAIT_SECONDS * 2 ** (wrongCodes - FREE), LONGEST_WAIT_SECONDS);

export const tooManyWrongCodes = (waitSeconds: number): AppError =>
  new AppError('rate_limit_exceeded', {
    message: 'There were too many wrong codes. Wait before you send another, or send a recovery code.',
    details: { retry_after_seconds: waitSeconds },
    retryAfterSeconds: waitSeconds,
  });
