import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { AuditRecorder } from '#infra/audit/audit-recorder';
import { Transactions } from '#infra/database/transactions';
import { OrphanReport } from '#modules/builds';
import { BucketOwnershipService, HOSTED } from '#modules/storage';
import {
  type OperatorCommand,
  type OperatorCommandGroup,
  type OperatorInput,
  type ReportProgress,
} from '../operator-command';

const ACCOUNT = {
  name: 'account',
  describe: 'the id of an organization’s own storage account; without it, the hosted storage',
};

const ALONE = {
  name: 'alone',
  describe: 'remove the markers of other installations from the hosted storage, because they no longer exist',
  flag: true,
} as const;

const VERIFY = {
  name: 'verify',
  describe:
    'also read every artifact and compare its SHA-256 with the upload: takes as long as downloading all of them',
  flag: true,
} as const;

/** Compares the blob stores with the database. */
@Injectable()
export class BlobCommands implements OperatorCommandGroup {
  readonly commands: readonly OperatorCommand[];

  constructor(
    private readonly orphans: OrphanReport,
    private readonly ownership: BucketOwnershipService,
    private readonly transactions: Transactions,
    private readonly audit: AuditRecorder,
  ) {
    this.commands = [
      {
        name: 'blobs check',
        summary: 'List artifacts without a database row, and builds with a missing or damaged artifact',
        options: [ACCOUNT, VERIFY],
        run: (ctx, input, report) => this.check(ctx, input, report),
        hasFaults: (faults) => Array.isArray(faults) && faults.length > 0,
      },
      {
        name: 'blobs clean',
        summary: 'Delete artifacts older than a day that no database row of any account names',
        options: [ACCOUNT, ALONE],
        effect: async (ctx, input) => {
          if (!isAlone(input)) await this.requireAlone(ctx, accountOf(input));
          const { blobs } = await orphans.run(ctx, accountOf(input), { delete: false });
          return `${blobs.length} artifacts without a database row will be deleted.`;
        },
        run: (ctx, input, report) => this.clean(ctx, input, report),
      },
    ];
  }

  private async check(ctx: RequestContext, input: OperatorInput, report: ReportProgress): Promise<readonly object[]> {
    const account = accountOf(input);
    const verify = input[VERIFY.name] === 'true';
    const { blobs, builds, damaged } = await this.orphans.run(ctx, account, { delete: false, verify, report });
    const others = account === HOSTED ? await this.ownership.otherOwners(ctx) : [];
    return [
      ...others.map((key) => ({ fault: 'another installation', key, size_bytes: null, build_id: null })),
      ...blobs.map(({ key, sizeBytes }) => ({ fault: 'unknown artifact', key, size_bytes: sizeBytes, build_id: null })),
      ...builds.map(({ key, buildId }) => ({ fault: 'missing artifact', key, size_bytes: null, build_id: buildId })),
      ...damaged.map(({ key, buildId }) => ({ fault: 'damaged artifact', key, size_bytes: null, build_id: buildId })),
    ];
  }

  private async clean(ctx: RequestContext, input: OperatorInput, report: ReportProgress): Promise<object> {
    const account = accountOf(input);
    if (!isAlone(input)) await this.requireAlone(ctx, account);
    await this.record(ctx, 'blobs.clean_started', { account });
    if (isAlone(input)) await this.ownership.removeOtherOwners(ctx);
    const { blobs } = await this.orphans.run(ctx, account, { delete: true, report });
    await this.record(ctx, 'blobs.cleaned', { account, deleted: blobs.length });
    return { deleted: blobs.length };
  }

  /** The artifacts of another installation have no row in this database. @throws AppError operation_not_allowed `shared_store`. */
  private async requireAlone(ctx: RequestContext, account: string): Promise<void> {
    const others = account === HOSTED ? await this.ownership.otherOwners(ctx) : [];
    if (others.length === 0) return;
    throw new AppError('operation_not_allowed', {
      message:
        'Another installation of Agate keeps artifacts in this store, and they would be deleted. Use a separate store for each ' +
        'installation. If the other installation no longer exists, use --alone.',
      details: { reason: 'shared_store', installations: others },
    });
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
const isAlone = (input: OperatorInput): boolean => input[ALONE.name] === 'true';
