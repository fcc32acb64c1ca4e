import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { MailConfig } from '#infra/config/config';
import { Jobs } from '#infra/jobs/jobs';
import { renderMail, translatedMail } from '#infra/mail/render-mail';
import { BillingService } from '#modules/billing';
import { OrganizationContactsService } from '#modules/organizations';
import { MailDaysRepository, type TakenMails } from './mail-days.repository';

/** The limit of an organization that has only trial credit: an account that costs nothing must not send much mail. */
const TRIAL_LIMIT = 200;

/** The maximum number of days ahead for which a single mail may be queued. */
const MAX_DAYS_AHEAD = 7;
const DAY_MS = 86_400_000;

/** Limits the mails that an organization sends to testers within a day (UTC). */
@Injectable()
export class MailBudgetService implements OnModuleInit {
  constructor(
    private readonly days: MailDaysRepository,
    private readonly billing: BillingService,
    private readonly contacts: OrganizationContactsService,
    private readonly config: MailConfig,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.schedule('testers.prune-mail-days', '47 3 * * *', (ctx) => this.days.prune(ctx));
  }

  /**
   * Counts mails of today. When some exceed the limit, the people in charge are mailed once a day. The caller queues the granted mails now,
   * and keeps the others for later.
   */
  async take(tx: RequestContext, organizationId: string, wanted: number): Promise<TakenMails> {
    if (wanted === 0) return { granted: 0, before: 0 };
    const { limit, onTrial } = await this.limitOf(tx, organizationId);
    const today = dayOf(tx.clock.now());
    const taken = await this.days.take(tx, organizationId, today, wanted, limit);
    if (taken.granted < wanted) await this.tell(tx, organizationId, today, { limit, onTrial });
    return taken;
  }

  /**
   * Counts one mail of the next day with room, which is today if possible.
   * @returns when to send the mail; null for now.
   * @throws AppError rate_limit_exceeded when no day of the next week has room.
   */
  async takeOne(tx: RequestContext, organizationId: string): Promise<Date | null> {
    const { limit, onTrial } = await this.limitOf(tx, organizationId);
    const now = tx.clock.now();
    for (let ahead = 0; ahead <= MAX_DAYS_AHEAD; ahead++) {
      const day = dayOf(new Date(now.getTime() + ahead * DAY_MS));
      if ((await this.days.take(tx, organizationId, day, 1, limit)).granted === 0) continue;
      if (ahead === 0) return null;
      await this.tell(tx, organizationId, dayOf(now), { limit, onTrial });
      return new Date(`${day}T00:00:00Z`);
    }
    const seconds = Math.ceil((Date.parse(`${dayOf(now)}T00:00:00Z`) + DAY_MS - now.getTime()) / 1000);
    throw new AppError('rate_limit_exceeded', {
      message: `This organization has queued all mails to testers of the next ${MAX_DAYS_AHEAD} days. Try again tomorrow.`,
      retryAfterSeconds: seconds,
      details: { retry_after_seconds: seconds },
    });
  }

  private async limitOf(ctx: RequestContext, organizationId: string): Promise<{ limit: number; onTrial: boolean }> {
    const { maxPerOrganizationPerDay } = this.config;
    const onTrial =
      maxPerOrganizationPerDay > TRIAL_LIMIT && (await this.billing.hasOnlyTrialCredit(ctx, organizationId));
    return { limit: onTrial ? TRIAL_LIMIT : maxPerOrganizationPerDay, onTrial };
  }

  private async tell(
    tx: RequestContext,
    organizationId: string,
    day: string,
    data: Omit<MailLimitData, 'organization'>,
  ): Promise<void> {
    if (!(await this.days.markTold(tx, organizationId, day))) return;
    await this.contacts.mail(tx, organizationId, ['ADMIN', 'MANAGER'], (organization, language) =>
      renderMail(MAIL_LIMIT_MAIL[language], { organization, ...data }),
    );
  }
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

interface MailLimitData {
  readonly organization: string;
  readonly limit: number;
  /** Whether the limit is the lower one of organizations that have only trial credit. */
  readonly onTrial: boolean;
}

/** Tells the people in charge that mails to testers wait. */
export const MAIL_LIMIT_MAIL = translatedMail<MailLimitData>({
  en: ({ organization, limit, onTrial }) => ({
    subject: `Mails to testers of ${organization} wait`,
    title: `Mails to testers of ${organization} wait`,
    paragraphs: [
      `The organization ${organization} has sent ${limit} mails to testers today, which is its limit. Further mails wait and are sent on the next days, as soon as there is room. None is lost.`,
      ...(onTrial
        ? ['The limit is this low because the organization has only trial credit. It rises with the first paid top-up.']
        : []),
      'Did you not expect so many mails? The audit feed shows who promoted builds and imported testers.',
    ],
  }),
  de: ({ organization, limit, onTrial }) => ({
    subject: `E-Mails an Tester von ${organization} warten`,
    title: `E-Mails an Tester von ${organization} warten`,
    paragraphs: [
      `Die Organisation ${organization} hat heute ${limit} E-Mails an Tester verschickt; das ist ihre Grenze. Weitere E-Mails warten und werden in den nächsten Tagen verschickt, sobald Platz ist. Keine geht verloren.`,
      ...(onTrial
        ? [
            'Die Grenze ist so niedrig, weil die Organisation nur Startguthaben hat. Sie steigt mit der ersten bezahlten Aufladung.',
          ]
        : []),
      'Haben Sie nicht so viele E-Mails erwartet? Das Audit-Protokoll zeigt, wer Versionen freigegeben und Tester importiert hat.',
    ],
  }),
});
