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

/** Tells those who pay for an organization how far its budget is used up (contract §10). */
@Injectable()
export class BudgetAlerts implements OnModuleInit {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly members: MembersRepository,
    private readonly developers: DevelopersService,
    private readonly outbox: MailOutbox,
    private readonly jobs: Jobs,
    private readonly transactions: Transactions,
  ) {}

  onModuleInit(): void {
    this.jobs.register(BUDGET_ALERT, (ctx, alert) => this.tell(ctx, alert));
  }

  /** One mail for each of them, all queued or none. */
  private async tell(ctx: RequestContext, alert: BudgetAlert): Promise<void> {
    const { organizationId, period, percent } = alert;
    const name = await this.organizations.findName(ctx, organizationId);
    // Deleted meanwhile: there is nobody to tell.
    if (name === null) return;
    const amounts = { spent: inDollars(BigInt(alert.spent)), budget: inDollars(BigInt(alert.budget)) };
    const mail = renderMail(BUDGET_MAIL, { organization: name, period, percent, ...amounts });
    const payers = await this.members.findWithRoles(ctx, organizationId, ['BILLING', 'ADMIN']);
    const developers = await this.developers.findMany(ctx, payers);
    await this.transactions.run(ctx, async (tx) => {
      for (const { id, email } of developers.values()) {
        await this.outbox.queue(tx, { to: { address: email }, ...mail }, { recipient: { kind: 'developer', id } });
      }
    });
  }
}
