import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { type Language } from '#kernel/text/language';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { loadTranslatedMail } from '#infra/mail/render-mail';
import { BuildsService } from '#modules/builds';
import { ChannelsService } from '#modules/channels';
import { ProjectsService } from '#modules/projects';
import { InstallLinksService } from '#modules/install-links';
import { ReleaseRecipientsRepository } from '../subscriptions/release-recipients.repository';
import { SuppressionsRepository } from '../subscriptions/suppressions.repository';
import { hasEnoughUnopened, UNOPENED_MAILS } from '../tester';
import { TestersRepository } from '../testers.repository';
import { suppressedError, TestersService } from '../testers.service';
import { MailBudgetService } from './mail-budget.service';
import { installMail, type InstallMailData } from './install-mail';

/** The object that an invitation's link opens: one build, one channel or, when both are null, every build that the tester may install. */
export interface InviteTarget {
  readonly buildId: string | null;
  readonly channelId: string | null;
}

interface InviteMailData {
  readonly channel: string | null;
  readonly build: {
    readonly appName: string | null;
    readonly version: string;
    readonly buildNumber: string | null;
    readonly notes: string | null;
  } | null;
}

/** Reads the names and notes that an invitation mail shows. */
@Injectable()
export class InviteContentService {
  constructor(
    private readonly builds: BuildsService,
    private readonly channels: ChannelsService,
    private readonly projects: ProjectsService,
  ) {}

  /** @throws AppError not_found */
  async read(
    ctx: RequestContext,
    scope: ProjectScope,
    { buildId, channelId }: InviteTarget,
  ): Promise<InviteMailData & { readonly project: string; readonly language: Language }> {
    const { name: project, language } = await this.projects.get(ctx, scope);
    const channel = channelId === null ? null : (await this.channels.get(ctx, scope, channelId)).name;
    if (buildId === null) return { project, language, channel, build: null };
    const { artifact, version, buildNumber, notes } = await this.builds.get(ctx, scope, buildId);
    return { project, language, channel, build: { appName: artifact.name, version, buildNumber, notes } };
  }
}

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
    channelId: string | null,
  ): Promise<Date | null> {
    const tester = await this.testers.lock(tx, scope, testerId);
    if (!tester) throw AppError.notFound('tester');
    const suppressed = (await this.suppressions.find(tx, scope, [tester.email]))(tester.email);
    if (suppressed.has(null) || (channelId !== null && suppressed.has(channelId))) throw suppressedError();
    if (hasEnoughUnopened({ isUnopened: tester.openedAt === null, unopenedMails: tester.unopenedMails }))
      throw unopenedError();
    if (await this.installLinks.hasReachedHourlyLimit(tx, testerId)) throw tooManyLinks();
    if (tester.bouncedAt !== null) await this.testers.clearBounce(tx, scope, testerId);
    const sendAt = await this.budget.takeOne(tx, scope.organizationId);
    await this.recipients.countMail(tx, [testerId]);
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

const nameOf = ({ project, build, channel }: InviteMailData & InstallMailData): string =>
  [project, build?.version ?? channel].filter(Boolean).join(' ');

const INVITE_MAIL = loadTranslatedMail<InviteMailData & InstallMailData>(join(__dirname, 'invite-mail'), {
  en: (data) => `Test ${nameOf(data)}`,
  de: (data) => `${nameOf(data)} testen`,
});

/** Mails install links to testers on request. */
@Injectable()
export class TesterInvitesService {
  constructor(
    private readonly testers: TestersService,
    private readonly limits: InviteLimitsService,
    private readonly content: InviteContentService,
    private readonly installLinks: InstallLinksService,
    private readonly outbox: MailOutbox,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {}

  /**
   * Mails a tester a personal link.
   * @throws AppError not_found; operation_not_allowed when the tester unsubscribed, or opened none of the first mails;
   * rate_limit_exceeded when the tester got the maximum of links within the last hour.
   */
  async invite(ctx: RequestContext, scope: ProjectScope, testerId: string, target: InviteTarget): Promise<void> {
    await this.transactions.run(ctx, async (tx) => {
      const tester = await this.testers.get(tx, scope, testerId);
      const data = await this.content.read(tx, scope, target);
      const runAt = await this.limits.take(tx, scope, testerId, target.channelId);
      // Unsubscribing has its own link, because a link makes only one change.
      const links = {
        url: await this.installLinks.createForTester(tx, scope, testerId, target),
        unsubscribe: await this.installLinks.createForTester(tx, scope, testerId, { channelId: target.channelId }),
      };
      const { channelId } = target;
      const recipient = { kind: 'tester', id: testerId, ...(channelId !== null && { channelId }) } as const;
      const mail = await installMail(INVITE_MAIL[data.language], links, { ...data, tester });
      await this.outbox.queue(tx, mail, { recipient, ...(runAt && { runAt }) });
      const payload = {
        tester_id: testerId,
        ...(target.buildId !== null && { build_id: target.buildId }),
        ...(target.channelId !== null && { channel_id: target.channelId }),
      };
      await this.audit.record(tx, { type: 'tester.invited', ...scopeOf(scope), payload });
    });
  }
}
