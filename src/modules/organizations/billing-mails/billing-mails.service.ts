import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type OrganizationRole } from '#kernel/access/roles';
import { periodNamed } from '#kernel/billing/period';
import { inDollars } from '#kernel/billing/pricing';
import { type RequestContext } from '#kernel/context/request-context';
import { type Language } from '#kernel/text/language';
import { HttpConfig, PaymentConfig } from '#infra/config/config';
import { Jobs } from '#infra/jobs/jobs';
import { type RenderedMail, renderMail } from '#infra/mail/render-mail';
import { BILLING_NOTICE, type BillingNotice, BUDGET_ALERT, type BudgetAlert } from '#modules/billing';
import { OrganizationContactsService } from '../members/organization-contacts.service';
import { BUDGET_ALERT_MAIL, EXHAUSTED_MAIL, FEE_MAIL } from './billing-notice-mails';

const RECIPIENTS: readonly OrganizationRole[] = ['BILLING', 'ADMIN'];

/**
 * Mails the ADMIN and BILLING members of an organization when its spending reaches a threshold of its budget, and when its uploads and
 * downloads stop, or will stop, because of a charge.
 */
@Injectable()
export class BillingMailsService implements OnModuleInit {
  constructor(
    private readonly contacts: OrganizationContactsService,
    private readonly payment: PaymentConfig,
    private readonly http: HttpConfig,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.register(BUDGET_ALERT, (ctx, alert) =>
      this.contacts.mail(ctx, alert.organizationId, RECIPIENTS, (organization, language) =>
        renderMail(BUDGET_ALERT_MAIL[language], { organization, ...alertData(alert), ...this.placeOf(alert) }),
      ),
    );
    this.jobs.register(BILLING_NOTICE, (ctx, notice) => this.sendNotice(ctx, notice));
  }

  private sendNotice(ctx: RequestContext, notice: BillingNotice): Promise<void> {
    return this.contacts.mail(ctx, notice.organizationId, RECIPIENTS, (organization, language) =>
      this.renderNotice(notice, organization, language),
    );
  }

  private renderNotice(notice: BillingNotice, organization: string, language: Language): RenderedMail {
    const { period, balanceMicroUsd } = notice;
    const balance = dollarsOf(balanceMicroUsd);
    const data = { organization, period, balance, payment: this.payment.provider, ...this.placeOf(notice) };
    if (notice.kind === 'fee-not-covered') {
      const day = periodNamed(period).start.toISOString().slice(0, 10);
      return renderMail(FEE_MAIL[language], { ...data, day, fee: dollarsOf(notice.feeMicroUsd) });
    }
    const { cause, chargeMicroUsd, spendCapMicroUsd } = notice;
    const cap = spendCapMicroUsd === null ? null : dollarsOf(spendCapMicroUsd);
    return renderMail(EXHAUSTED_MAIL[language], { ...data, cause, charge: dollarsOf(chargeMicroUsd), cap });
  }

  private placeOf({ organizationId }: { readonly organizationId: string }): { readonly billingUrl: string | null } {
    const { baseUrl, servesDashboard } = this.http;
    return { billingUrl: servesDashboard ? `${baseUrl}/o/${organizationId}/billing` : null };
  }
}

const alertData = ({ period, percent, spent, budget }: BudgetAlert) => ({
  period,
  percent,
  spent: dollarsOf(spent),
  budget: dollarsOf(budget),
});

const dollarsOf = (microUsd: string): string => inDollars(BigInt(microUsd));
