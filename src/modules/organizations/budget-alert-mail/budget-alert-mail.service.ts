import { Injectable, type OnModuleInit } from '@nestjs/common';
import { inDollars } from '#kernel/billing/pricing';
import { type RequestContext } from '#kernel/context/request-context';
import { BUDGET_ALERT, type BudgetAlert } from '#modules/billing';
import { DevelopersService } from '#modules/developers';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { renderMail } from '#infra/mail/render-mail';
import { MembersRepository } from '../members/members.repository';
import { OrganizationsRepository } from '../organizations.repository';
import { BUDGET_ALERT_MAIL } from './budget-alert-mail';

/** Mails the ADMIN and BILLING members of an organization when its spending reaches a threshold of its budget. */
@Injectable()
export class BudgetAlertMailService implements OnModuleInit {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly members: MembersRepository,
    private readonly developers: DevelopersService,
    private readonly outbox: MailOutbox,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.jobs.register(BUDGET_ALERT, (ctx, alert) => this.send(ctx, alert));
  }

  /** Queues all mails in one transaction, so that a retry of the job sends none twice. */
  private async send(ctx: RequestContext, alert: BudgetAlert): Promise<void> {
    const { organizationId, period, percent } = alert;
    const name = await this.organizations.findName(ctx, organizationId);
    // The organization was deleted after the alert was enqueued.
    if (name === null) return;
    const amounts = { spent: inDollars(BigInt(alert.spent)), budget: inDollars(BigInt(alert.budget)) };
    const data = { organization: name, period, percent, ...amounts };
    const contacts = await this.members.findWithRoles(ctx, organizationId, ['BILLING', 'ADMIN']);
    const developers = await this.developers.findMany(ctx, contacts);
    await this.transactions.run(ctx, async (tx) => {
      for (const { id, email, language } of developers.values()) {
        const mail = renderMail(BUDGET_ALERT_MAIL[language], data);
        await this.outbox.queue(tx, { to: { address: email }, ...mail }, { recipient: { kind: 'developer', id } });
      }
    });
  }
}
