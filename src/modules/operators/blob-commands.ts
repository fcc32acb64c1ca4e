import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { OrphanReport } from '#modules/builds';
import { HOSTED } from '#modules/storage';
import { AuditRecorder } from '#platform/audit/audit-recorder';
import { Transactions } from '#platform/database/transactions';
import {
  type OperatorCommand,
  type OperatorCommandGroup,
  type OperatorInput,
  type ReportProgress,
} from './operator-command';

const ACCOUNT = {
  name: 'account',
  describe: 'the id of an organization’s own storage account; without it, the hosted one',
};

/** What the stores hold against what the database knows. */
@Injectable()
export class BlobCommands implements OperatorCommandGroup {
  readonly commands: readonly OperatorCommand[];

  constructor(
    private readonly orphans: OrphanReport,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {
    this.commands = [
      {
        name: 'blobs check',
        summary: 'List artifacts that no row knows, and builds whose artifact is not there',
        options: [ACCOUNT],
        run: async (ctx, input, report) => {
          const { blobs, builds } = await orphans.run(ctx, accountOf(input), { delete: false, report });
          return [
            ...blobs.map(({ key, sizeBytes }) => ({
              fault: 'unknown artifact',
              key,
              size_bytes: sizeBytes,
              build_id: null,
            })),
            ...builds.map(({ key, buildId }) => ({
              fault: 'missing artifact',
              key,
              size_bytes: null,
              build_id: buildId,
            })),
          ];
        },
        finds: (faults) => Array.isArray(faults) && faults.length > 0,
      },
      {
        name: 'blobs clean',
        summary: 'Delete the artifacts that no row of any account knows and that are older than a day',
        options: [ACCOUNT],
        effect: async (ctx, input) => {
          const { blobs } = await orphans.run(ctx, accountOf(input), { delete: false });
          return `${blobs.length} artifacts that no row of any account knows will be deleted.`;
        },
        run: (ctx, input, report) => this.clean(ctx, accountOf(input), report),
      },
    ];
  }

  private async clean(ctx: RequestContext, account: string, report: ReportProgress): Promise<object> {
    await this.record(ctx, 'blobs.clean_started', { account });
    const { blobs } = await this.orphans.run(ctx, account, { delete: true, report });
    await this.record(ctx, 'blobs.cleaned', { account, deleted: blobs.length });
    return { deleted: blobs.length };
  }

  private record(
    ctx: RequestContext,
    type: 'blobs.clean_started' | 'blobs.cleaned',
    payload: { readonly account: string; readonly deleted?: number },
  ): Promise<void> {
    return this.transactions.run(ctx, (tx) => this.audit.record(tx, { type, organizationId: null, payload }));
  }
}

const accountOf = ({ account }: OperatorInput): string => account ?? HOSTED;
