import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { scopeOf } from '#kernel/context/scope';
import { Transactions } from '#infra/database/transactions';
import { Logger } from '#infra/logging/logger';
import { type InstallLink, InstallLinksService, type TesterInstallLink } from '#modules/install-links';
import { TestersRepository } from '../testers.repository';

/** Records that testers open their links: they then get more than the first mails, and the link is kept for longer. */
@Injectable()
export class TesterOpeningsService {
  constructor(
    private readonly installLinks: InstallLinksService,
    private readonly testers: TestersRepository,
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  /** Records the opening of a tester's link, at most once a day. A failure is logged, because the page must be shown anyway. */
  async record(ctx: RequestContext, link: InstallLink): Promise<void> {
    if (link.kind !== 'tester') return;
    try {
      await this.transactions.run(ctx, (tx) => this.recordIn(tx, link));
    } catch (error) {
      this.logger.warn({ err: error }, 'The opening of an install link was not recorded');
    }
  }

  /** Records the opening in the caller's transaction. */
  async recordIn(tx: RequestContext, link: TesterInstallLink): Promise<void> {
    if (await this.installLinks.recordOpening(tx, link))
      await this.testers.recordOpening(tx, scopeOf(link), link.testerId);
  }
}
