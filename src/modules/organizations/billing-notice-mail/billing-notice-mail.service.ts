import { Injectable, type OnModuleInit } from '@nestjs/common';
import { inDollars } from '#kernel/billing/pricing';
import { periodNamed } from '#kernel/billing/period';
import { type RequestContext } from '#kernel/context/request-context';
import { type Language } from '#kernel/text/language';
import { BILLING_NOTICE, type BillingNotice } from '#modules/billing';
import { DevelopersService } from '#modules/developers';
import { PaymentConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { type RenderedMail, renderMail } from '#infra/mail/render-mail';
import { MembersRepository } from '../members/members.repository';
import { OrganizationsRepository } from '../organizations.repository';
import { EXHAUSTED_MAIL, FEE_MAIL } from './billing-notice-mails';

/** Mails the ADMIN and BILLING members of an organization when its uploads and downloads stop, or will stop, because of a charge. */
@Injectable()
export class BillingNoticeMailService implements OnModuleInit {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly members: MembersRepository,
    private readonly developers: DevelopersService,
    private readonly outbox: MailOutbox,
    private readonly payment: PaymentConfig,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.jobs.register(BILLING_NOTICE, (ctx, notice) => this.send(ctx, notice));
  }

  /** Queues all mails in one transaction, so that a retry of the job sends none twice. */
  private async send(ctx: RequestContext, notice: BillingNotice): Promise<void> {
    const { organizationId } = notice;
    const name = await this.organizations.findName(ctx, organizationId);
    // The organization was deleted after the notice was enqueued.
    if (name === null) return;
    const contacts = await this.members.findWithRoles(ctx, organizationId, ['BILLING', 'ADMIN']);
    const developers = await this.developers.findMany(ctx, contacts);
    await this.transactions.run(ctx, async (tx) => {
      for (const { id, email, language } of developers.values()) {
        const mail = this.render(notice, name, language);
        await this.outbox.queue(tx, { to: { address: email }, ...mail }, { recipient: { kind: 'developer', id } });
      }
    });
  }

  private render(notice: BillingNotice, organization: string, language: Language): RenderedMail {
    const { period, balanceMicroUsd } = notice;
    const data = { organization, period, balance: dollarsOf(balanceMicroUsd), payment: this.payment.provider };
    if (notice.kind === 'fee-not-covered') {
      const day = periodNamed(period).start.toISOString().slice(0, 10);
      return renderMail(FEE_MAIL[language], { ...data, day, fee: dollarsOf(notice.feeMicroUsd) });
    }
    const { cause, chargeMicroUsd, spendCapMicroUsd } = notice;
    const cap = spendCapMicroUsd === null ? null : dollarsOf(spendCapMicroUsd);
    return renderMail(EXHAUSTED_MAIL[language], { ...data, cause, charge: dollarsOf(chargeMicroUsd), cap });
  }
}

const dollarsOf = (microUsd: string): string => inDollars(BigInt(microUsd));
