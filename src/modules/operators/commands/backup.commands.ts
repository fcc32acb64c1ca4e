import { resolve } from 'node:path';
import { Injectable } from '@nestjs/common';
import { AppError } from '#kernel/errors/app-error';
import {
  type BackupReport,
  BackupService,
  type RestoreOptions,
  type RestoreReport,
  RestoreService,
  type SelfCheck,
  SelfChecksService,
} from '#modules/backups';
import {
  type OperatorCommand,
  type OperatorCommandGroup,
  type OperatorInput,
  type OperatorResult,
} from '../operator-command';

const FOLDER = { name: 'folder', describe: 'the folder of the backup' };

/** Backup, restore and self-checks (docs/backup-and-upgrade.md). */
@Injectable()
export class BackupCommands implements OperatorCommandGroup {
  readonly commands: readonly OperatorCommand[];

  constructor(
    private readonly backup: BackupService,
    private readonly restore: RestoreService,
    private readonly checks: SelfChecksService,
  ) {
    this.commands = [this.createCommand(), this.restoreCommand(), this.checkCommand()];
  }

  private createCommand(): OperatorCommand {
    return {
      name: 'backup create',
      summary:
        'Back up the database and the artifacts into a folder while the service runs; a repeated backup copies new artifacts only',
      parameters: [FOLDER],
      options: [
        {
          name: 'database_only',
          describe: 'do not copy the artifacts, because the store has its own backup',
          flag: true,
        },
      ],
      effect: async (_ctx, input) => {
        const before = await this.backup.find(folderOf(input));
        const replaced = before ? ` It will replace the backup of ${before.createdAt}.` : '';
        return `The ${isDatabaseOnly(input) ? 'database' : 'database and the artifacts'} will be backed up to ${folderOf(input)}.${replaced}`;
      },
      run: async (ctx, input, report) =>
        toBackupResult(await this.backup.create(ctx, folderOf(input), { databaseOnly: isDatabaseOnly(input) }, report)),
      hasFaults: (result) => 'faults' in result && Array.isArray(result.faults) && result.faults.length > 0,
    };
  }

  private restoreCommand(): OperatorCommand {
    return {
      name: 'backup restore',
      summary: 'Restore a backup into an empty database and the store, and run the self-checks; stop the service first',
      parameters: [FOLDER],
      options: [
        {
          name: 'unauthenticated',
          describe:
            'accept a backup of a version that did not authenticate backups; only if no other person could write to it',
          flag: true,
        },
      ],
      onAnySchema: true,
      effect: async (ctx, input) => {
        const plan = await this.restore.plan(ctx, folderOf(input), restoreOptionsOf(input));
        const { createdAt, artifacts, database, authentication } = plan;
        const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
        const copied = artifacts ? `${artifacts.count} artifacts` : 'no artifacts';
        const warning =
          authentication === undefined
            ? ' It is not authenticated: anyone who could write to its folder could change it.'
            : '';
        return `The backup of ${createdAt} (${rows} rows, ${copied}) will be restored.${warning}`;
      },
      run: async (ctx, input, report) =>
        toRestoreResult(await this.restore.restore(ctx, folderOf(input), restoreOptionsOf(input), report)),
      hasFaults: (result) => 'checks' in result && hasFailedCheck(result.checks as object[]),
    };
  }

  private checkCommand(): OperatorCommand {
    return {
      name: 'check',
      summary:
        'Check that balances agree with the ledger, that no audit feed was changed, and that every build has its artifact',
      run: async (ctx, _input, report) => toSelfCheckResult(await this.checks.run(ctx, report)),
      hasFaults: hasFailedCheck,
    };
  }
}

function folderOf({ folder = '' }: OperatorInput): string {
  if (folder.trim() === '') throw AppError.invalidInput('folder', 'Name a folder.');
  return resolve(folder);
}

const restoreOptionsOf = (input: OperatorInput): RestoreOptions => ({
  unauthenticated: input['unauthenticated'] === 'true',
});

const isDatabaseOnly = (input: OperatorInput): boolean => input['database_only'] === 'true';

const toBackupResult = ({ manifest, rows, copied, kept }: BackupReport): OperatorResult => ({
  backup_id: manifest.id,
  created_at: manifest.createdAt,
  tables: manifest.database.tables.length,
  rows,
  artifacts: manifest.artifacts?.count ?? null,
  artifact_bytes: manifest.artifacts?.sizeBytes ?? null,
  copied,
  kept,
  faults: manifest.faults.map(({ key, buildId, reason }) => ({ key, build_id: buildId, reason })),
  not_included: 'MASTER_KEYS, PASSWORD_PEPPER and the signing keys: store them separately',
});

const toRestoreResult = ({ manifest, copied, kept, checks }: RestoreReport): OperatorResult => ({
  backup_id: manifest.id,
  created_at: manifest.createdAt,
  authenticated: manifest.authentication !== undefined,
  rows: manifest.database.tables.reduce((sum, table) => sum + table.rows, 0),
  copied,
  kept,
  checks: toSelfCheckResult(checks),
});

/** The self-checks as table rows. */
const toSelfCheckResult = (checks: readonly SelfCheck[]): object[] =>
  checks.map(({ check, faults }) => ({
    check,
    status: faults.length === 0 ? 'passed' : 'failed',
    faults: faults.map((fault) =>
      Object.fromEntries(Object.entries(fault).map(([name, value]) => [snakeCase(name), toJsonValue(value)])),
    ),
  }));

/** True when a self-check failed. */
const hasFailedCheck = (result: OperatorResult): boolean =>
  Array.isArray(result) && result.some((check) => (check as { status?: string }).status === 'failed');

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** JSON has no bigint. Positions of audit events fit into a number. */
const toJsonValue = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
