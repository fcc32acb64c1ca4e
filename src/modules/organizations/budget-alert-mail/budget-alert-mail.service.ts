import { join } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { inDollars } from '#kernel/billing/pricing';
import { type RequestContext } from '#kernel/context/request-context';
import { BUDGET_ALERT, type BudgetAlert } from '#modules/billing';
import { DevelopersService } from '#modules/developers';
import { Transactions } from '#infra/database/transactions';
import { Jobs } from '#infra/jobs/jobs';
import { MailOutbox } from '#infra/mail/mail-outbox';
import { loadMailTemplate, renderMail } from '#infra/mail/render-mail';
import { MembersRepository } from '../members/members.repository';
import { OrganizationsRepository } from '../organizations.repository';

interface BudgetMailData {
  readonly organization: string;
  readonly period: string;
  readonly percent: number;
  readonly spent: string;
  readonly budget: string;
}

const BUDGET_MAIL = loadMailTemplate<BudgetMailData>(
  join(__dirname, 'budget-alert'),
  ({ organization, percent }) => `${organization} has used ${percent} % of its budget`,
);

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
    const mail = renderMail(BUDGET_MAIL, { organization: name, period, percent, ...amounts });
    const contacts = await this.members.findWithRoles(ctx, organizationId, ['BILLING', 'ADMIN']);
    const developers = await this.developers.findMany(ctx, contacts);
    await this.transactions.run(ctx, async (tx) => {
      for (const { id, email } of developers.values()) {
        await this.outbox.queue(tx, { to: { address: email }, ...mail }, { recipient: { kind: 'developer', id } });
      }
    });
  }
}
