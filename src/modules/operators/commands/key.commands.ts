import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { SealedColumns } from '#infra/crypto/sealed-columns';
import { Transactions } from '#infra/database/transactions';
import { type OperatorCommand, type OperatorCommandGroup, type ReportProgress } from '../operator-command';

/** The master keys, which encrypt (seal) the secrets in the database. */
@Injectable()
export class KeyCommands implements OperatorCommandGroup {
  readonly commands: readonly OperatorCommand[];

  constructor(
    private readonly sealed: SealedColumns,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {
    this.commands = [
      {
        name: 'keys rotate',
        summary:
          'Re-encrypt all sealed secrets with the first of MASTER_KEYS; run it again to continue after an interruption',
        effect: async (ctx) =>
          `${totalOf(await sealed.outdated(ctx))} secrets will be re-encrypted with the first master key.`,
        run: (ctx, _input, report) => this.rotate(ctx, report),
      },
    ];
  }

  private async rotate(ctx: RequestContext, report: ReportProgress): Promise<object> {
    const total = totalOf(await this.sealed.outdated(ctx));
    const resealed = await this.sealed.reseal(ctx, (done) => report(done, total));
    await this.transactions.run(ctx, (tx) =>
      this.audit.record(tx, { type: 'keys.rotated', organizationId: null, payload: { resealed } }),
    );
    return resealed;
  }
}

const totalOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
