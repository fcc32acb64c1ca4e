import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AuditChainService } from '#modules/audit';
import { OperatorBillingService } from '#modules/billing';
import { OrphanReport } from '#modules/builds';
import { HOSTED } from '#modules/storage';
import { type Report } from './backup.service';

/** The result of one self-check. */
export interface SelfCheck {
  readonly check: 'money' | 'audit' | 'artifacts';
  /** Empty when the check passed. */
  readonly faults: readonly object[];
}

/** Checks the data of an installation: balances agree with the ledger, audit chains are intact, every build has its artifact. */
@Injectable()
export class SelfChecksService {
  constructor(
    private readonly billing: OperatorBillingService,
    private readonly chain: AuditChainService,
    private readonly orphans: OrphanReport,
  ) {}

  async run(ctx: RequestContext, report: Report): Promise<readonly SelfCheck[]> {
    const money = await this.billing.selfCheck(ctx);
    const audit = await this.chain.verifyAll(ctx, (done, total) => report(done, total, 'audit feeds'));
    const { builds } = await this.orphans.run(ctx, HOSTED, { delete: false });
    return [
      { check: 'money', faults: money },
      { check: 'audit', faults: audit },
      { check: 'artifacts', faults: builds },
    ];
  }
}
