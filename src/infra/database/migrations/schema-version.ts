import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppError } from '#kernel/errors/app-error';

/** Checks that the database has the schema of this version. */
@Injectable()
export class SchemaVersion {
  constructor(private readonly dataSource: DataSource) {}

  /** The names of all migrations of this version. */
  get knownMigrations(): readonly string[] {
    return this.dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name);
  }

  /** @throws AppError storage_backend_unavailable while migrations are pending. */
  async check(): Promise<void> {
    const [{ isNew }] = await this.dataSource.query<[{ isNew: boolean }]>(
      `SELECT to_regclass('migration') IS NULL AS "isNew"`,
    );
    const rows: { name: string }[] = isNew ? [] : await this.dataSource.query('SELECT name FROM migration');
    const done = new Set(rows.map(({ name }) => name));
    const pending = this.knownMigrations.filter((name) => !done.has(name));
    if (pending.length > 0)
      throw new AppError('storage_backend_unavailable', { cause: `${pending.length} migrations pending` });
  }
}
