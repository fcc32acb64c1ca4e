import { resolve } from 'node:path';
import { Injectable } from '@nestjs/common';
import { AppError } from '#kernel/errors/app-error';
import {
  type BackupReport,
  BackupService,
  type RestoreReport,
  RestoreService,
  SelfChecksService,
} from '#modules/backups';
import {
  type OperatorAnswer,
  type OperatorCommand,
  type OperatorCommandGroup,
  type OperatorInput,
} from '../operator-command';
import { checksAnswer, foundSomething } from '../self-check-answer';

const FOLDER = { name: 'folder', describe: 'where it is' };

/** Copies of everything, and how they come back (docs/backup-and-upgrade.md). */
@Injectable()
export class BackupCommands implements OperatorCommandGroup {
  readonly commands: readonly OperatorCommand[];

  constructor(
    private readonly backup: BackupService,
    private readonly restore: RestoreService,
    private readonly checks: SelfChecksService,
  ) {
    this.commands = [this.create(), this.bringBack(), this.check()];
  }

  private create(): OperatorCommand {
    return {
      name: 'backup create',
      summary:
        'Back up database and artifacts into a folder, while the service runs; said again, only new artifacts are copied',
      parameters: [FOLDER],
      options: [{ name: 'database_only', describe: 'leave the artifacts to whoever keeps the store', flag: true }],
      effect: async (_ctx, input) => {
        const before = await this.backup.find(folderOf(input));
        const replaced = before ? ` It takes the place of the one of ${before.createdAt}.` : '';
        return `The ${isDatabaseOnly(input) ? 'database' : 'database and the artifacts'} will be backed up to ${folderOf(input)}.${replaced}`;
      },
      run: async (ctx, input, report) =>
        createdAnswer(await this.backup.create(ctx, folderOf(input), { databaseOnly: isDatabaseOnly(input) }, report)),
      finds: (answer) => 'faults' in answer && Array.isArray(answer.faults) && answer.faults.length > 0,
    };
  }

  private bringBack(): OperatorCommand {
    return {
      name: 'backup restore',
      summary:
        'Restore a backup into an empty database and the store, and check that all is whole; stop the service before',
      parameters: [FOLDER],
      onAnySchema: true,
      effect: async (ctx, input) => {
        const { createdAt, artifacts, database } = await this.restore.look(ctx, folderOf(input));
        const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
        const copied = artifacts ? `${artifacts.count} artifacts` : 'no artifacts';
        return `The backup of ${createdAt} (${rows} rows, ${copied}) will be restored.`;
      },
      run: async (ctx, input, report) => restoredAnswer(await this.restore.restore(ctx, folderOf(input), report)),
      finds: (answer) => 'checks' in answer && foundSomething(answer.checks as object[]),
    };
  }

  private check(): OperatorCommand {
    return {
      name: 'check',
      summary: 'Prove that the books balance, that no audit feed was touched, and that every build has its artifact',
      run: async (ctx, _input, report) => checksAnswer(await this.checks.run(ctx, report)),
      finds: foundSomething,
    };
  }
}

function folderOf({ folder = '' }: OperatorInput): string {
  if (folder.trim() === '') throw AppError.invalidInput('folder', 'Name a folder.');
  return resolve(folder);
}

const isDatabaseOnly = (input: OperatorInput): boolean => input['database_only'] === 'true';

const createdAnswer = ({ manifest, rows, copied, kept }: BackupReport): OperatorAnswer => ({
  backup_id: manifest.id,
  created_at: manifest.createdAt,
  tables: manifest.database.tables.length,
  rows,
  artifacts: manifest.artifacts?.count ?? null,
  artifact_bytes: manifest.artifacts?.sizeBytes ?? null,
  copied,
  kept,
  faults: manifest.faults.map(({ key, buildId, reason }) => ({ key, build_id: buildId, reason })),
  not_included: 'MASTER_KEYS, PASSWORD_PEPPER and the signing keys: keep them elsewhere',
});

const restoredAnswer = ({ manifest, copied, kept, checks }: RestoreReport): OperatorAnswer => ({
  backup_id: manifest.id,
  created_at: manifest.createdAt,
  rows: manifest.database.tables.reduce((sum, table) => sum + table.rows, 0),
  copied,
  kept,
  checks: checksAnswer(checks),
});
