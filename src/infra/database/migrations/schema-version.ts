import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppError } from '#kernel/errors/app-error';
import { programVersion } from '#infra/lifecycle/program-version';
import { Logger } from '#infra/logging/logger';

interface AppliedMigration {
  readonly name: string;
  /** The lowest version of the service that works with the schema after it; null for any. */
  readonly minVersion: string | null;
}

/** Also reads a table of versions before the column `min_version`. */
const APPLIED = `SELECT name, to_jsonb(m) ->> 'min_version' AS "minVersion" FROM migration m`;

/** Checks that the database has a schema that works with this version. */
@Injectable()
export class SchemaVersion {
  private readonly version = programVersion();

  constructor(
    private readonly dataSource: DataSource,
    private readonly logger: Logger,
  ) {}

  /** The names of all migrations of this version. */
  get knownMigrations(): readonly string[] {
    return this.dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name);
  }

  /** @throws AppError storage_backend_unavailable while migrations are pending, and when a later version's schema needs that version. */
  async check(): Promise<void> {
    const applied = await this.applied();
    const done = new Set(applied.map(({ name }) => name));
    const pending = this.knownMigrations.filter((name) => !done.has(name));
    if (pending.length > 0) throw unusable(`${pending.length} migrations pending`);
    const needed = this.unknownIn(applied).find(
      ({ minVersion }) => minVersion !== null && isBelow(this.version, minVersion),
    );
    if (needed) throw unusable(`the migration ${needed.name} of a later version needs version ${needed.minVersion}`);
  }

  /** Logs a schema of a later version. Called at the start. */
  async reportLaterVersion(): Promise<void> {
    const unknown = this.unknownIn(await this.applied());
    if (unknown.length === 0) return;
    this.logger.warn(
      { version: this.version, unknown: unknown.slice(0, 5).map(({ name }) => name) },
      `The database was migrated by a later version: ${unknown.length} unknown migrations (docs/backup-and-upgrade.md, "Going back")`,
    );
  }

  private async applied(): Promise<readonly AppliedMigration[]> {
    const [{ isNew }] = await this.dataSource.query<[{ isNew: boolean }]>(
      `SELECT to_regclass('migration') IS NULL AS "isNew"`,
    );
    return isNew ? [] : this.dataSource.query<AppliedMigration[]>(APPLIED);
  }

  private unknownIn(applied: readonly AppliedMigration[]): readonly AppliedMigration[] {
    const known = new Set(this.knownMigrations);
    return applied.filter(({ name }) => !known.has(name));
  }
}

const isBelow = (version: string, other: string): boolean => version.localeCompare(other, 'en', { numeric: true }) < 0;

const unusable = (cause: string): AppError => new AppError('storage_backend_unavailable', { cause });
