import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { InstallLinksService } from '#modules/install-links';
import { SuppressionsRepository } from '../suppressions/suppressions.repository';
import { hasEnoughUnopened, UNOPENED_MAILS } from '../tester';
import { TestersRepository } from '../testers.repository';
import { suppressedError } from '../testers.service';
import { type InviteTarget } from './invite-target';
import { MailBudgetService } from './mail-budget.service';
import { ReleaseRecipientsRepository } from './release-recipients.repository';

const HOUR_SECONDS = 3600;

/** Decides whether, and when, a tester is mailed an invitation. */
@Injectable()
export class InviteLimitsService {
  constructor(
    private readonly testers: TestersRepository,
    private readonly suppressions: SuppressionsRepository,
    private readonly recipients: ReleaseRecipientsRepository,
    private readonly installLinks: InstallLinksService,
    private readonly budget: MailBudgetService,
  ) {}

  /**
   * Counts one invitation. The caller queues it in the same transaction. An address that bounced is tried again.
   * @returns when to send it; null for now. An organization that reached its limit of today sends it on the next day with room.
   * @throws AppError not_found; operation_not_allowed when the tester unsubscribed, or never opened one of the mails that they got;
   * rate_limit_exceeded when the tester got the maximum of links within the last hour.
   */
  async take(
    tx: RequestContext,
    scope: ProjectScope,
    testerId: string,
    { buildId, channelId }: InviteTarget,
  ): Promise<Date | null> {
    const tester = await this.testers.lock(tx, scope, testerId);
    if (!tester) throw AppError.notFound('tester');
    const suppressed = (await this.suppressions.find(tx, scope, [tester.email]))(tester.email);
    if (suppressed.has(null) || (channelId !== null && suppressed.has(channelId))) throw suppressedError();
    if (hasEnoughUnopened({ isUnopened: tester.openedAt === null, unopenedMails: tester.unopenedMails }))
      throw unopenedError();
    if (await this.installLinks.hasReachedHourlyLimit(tx, testerId)) throw tooManyLinks();
    const sendAt = await this.budget.takeOne(tx, scope.organizationId);
    if (tester.bouncedAt !== null) await this.testers.clearBounce(tx, scope, testerId);
    await this.recipients.countMail(tx, [testerId]);
    if (buildId === null) await this.recipients.recordInvitation(tx, testerId, channelId);
    return sendAt;
  }
}

const unopenedError = (): AppError =>
  new AppError('operation_not_allowed', {
    message:
      `This tester got ${UNOPENED_MAILS} mails and opened none of their links. They get no further mail until they open one. ` +
      'Ask them in another way.',
    details: { reason: 'unopened' },
  });

const tooManyLinks = (): AppError =>
  new AppError('rate_limit_exceeded', {
    message: 'This tester got too many links within the last hour. Try again later.',
    retryAfterSeconds: HOUR_SECONDS,
    details: { retry_after_seconds: HOUR_SECONDS },
  });
