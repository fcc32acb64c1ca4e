import { join } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { inDollars } from '#kernel/billing/pricing';
import { periodNamed } from '#kernel/billing/period';
import { type RequestContext } from '#kernel/context/request-context';
import { BILLING_NOTICE, type BillingNotice, type ExhaustedNotice, type FeeNotice } from '#modules/billing';
import { DevelopersService } from '#modules/developers';
import { PaymentConfig } from '#infra/config/config';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { loadMailTemplate, type RenderedMail, renderMail } from '#infra/mail/render-mail';
import { MembersRepository } from '../members/members.repository';
import { OrganizationsRepository } from '../organizations.repository';

interface ExhaustedMailData {
  readonly organization: string;
  readonly month: string;
  readonly cause: string;
  readonly charge: string;
  readonly balance: string;
  /** Null on a prepaid plan. */
  readonly cap: string | null;
  readonly advice: string;
}

interface FeeMailData {
  readonly organization: string;
  readonly month: string;
  /** The day on which the fee is charged. */
  readonly day: string;
  readonly fee: string;
  readonly balance: string;
  readonly advice: string;
}

const EXHAUSTED_MAIL = loadMailTemplate<ExhaustedMailData>(
  join(__dirname, 'exhausted'),
  ({ organization }) => `${organization} can no longer upload or download builds`,
);

const FEE_MAIL = loadMailTemplate<FeeMailData>(
  join(__dirname, 'fee-not-covered'),
  ({ organization, day }) => `${organization} needs credit before ${day}`,
);

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
    const mail = notice.kind === 'exhausted' ? this.exhaustedMail(name, notice) : this.feeMail(name, notice);
    const contacts = await this.members.findWithRoles(ctx, organizationId, ['BILLING', 'ADMIN']);
    const developers = await this.developers.findMany(ctx, contacts);
    await this.transactions.run(ctx, async (tx) => {
      for (const { id, email } of developers.values()) {
        await this.outbox.queue(tx, { to: { address: email }, ...mail }, { recipient: { kind: 'developer', id } });
      }
    });
  }

  private exhaustedMail(organization: string, notice: ExhaustedNotice): RenderedMail {
    const { period, cause, chargeMicroUsd, balanceMicroUsd, spendCapMicroUsd, mode } = notice;
    return renderMail(EXHAUSTED_MAIL, {
      organization,
      month: monthOf(period),
      cause: cause === 'fee' ? 'fee of the plan' : 'storage',
      charge: dollarsOf(chargeMicroUsd),
      balance: dollarsOf(balanceMicroUsd),
      cap: spendCapMicroUsd === null ? null : dollarsOf(spendCapMicroUsd),
      advice: mode === 'prepaid' ? this.topUpAdvice() : CAP_ADVICE,
    });
  }

  private feeMail(organization: string, { period, feeMicroUsd, balanceMicroUsd }: FeeNotice): RenderedMail {
    const { name, start } = periodNamed(period);
    return renderMail(FEE_MAIL, {
      organization,
      month: monthOf(name),
      day: `1 ${MONTH_AND_YEAR.format(start)}`,
      fee: dollarsOf(feeMicroUsd),
      balance: dollarsOf(balanceMicroUsd),
      advice: this.topUpAdvice(),
    });
  }

  private topUpAdvice(): string {
    return this.payment.provider === 'manual'
      ? 'request a top-up in the billing settings of the organization. An operator of this service approves it.'
      : 'buy credit with a top-up in the billing settings of the organization.';
  }
}

const CAP_ADVICE =
  'raise the spend cap in the billing settings of the organization, ask the operators of this service for a higher one, or wait for the next month.';

const MONTH_AND_YEAR = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const monthOf = (period: string): string => MONTH_AND_YEAR.format(periodNamed(period).start);
const dollarsOf = (microUsd: string): string => inDollars(BigInt(microUsd));
