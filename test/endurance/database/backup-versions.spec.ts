import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { newId } from '#kernel/ids';
import { migrationDataSourceOptions } from '#infra/database/data-source-options';
import { migrateDatabase } from '#infra/database/migrations/migrate';
import { migrateTo } from '#infra/database/migrations/migrate-to';
import { BackupService } from '#modules/backups';
import { commands, copyKeys, type EmptyPlace, emptyPlace, refuses } from '../../support/actors/backup-fixture';
import { TestApp } from '../../support/app/test-app';
import { TestClock } from '../../support/app/test-clock';

jest.setTimeout(240_000);

/** The first migration that the earlier version does not have. */
const FIRST_LATER = 1763668893000;

describe('a backup of another version', () => {
  let old: EmptyPlace;
  let app: TestApp;
  let folder: string;
  let names: string[];
  const email = 'ann@example.com';
  const places: EmptyPlace[] = [];

  beforeAll(async () => {
    old = await emptyPlace();
    folder = await mkdtemp(join(tmpdir(), 'agate-old-backup-'));
    const { ownerUrl } = old.database!;
    names = await namesOfMigrations(ownerUrl);
    const earlier = names.filter((name) => Number(/\d+$/.exec(name)?.[0]) < FIRST_LATER);
    expect(earlier.length).toBeGreaterThan(30);
    await migrateTo(ownerUrl, new Set(earlier));
    const database = { ...old.database!, url: ownerUrl };
    const beside = { database, dataDirectory: old.dataDirectory, clock: new TestClock(ownerUrl) };
    app = await TestApp.start({ worker: false, beside: beside as unknown as TestApp });
    await app.sql(
      `INSERT INTO developer (id, email, email_key, password_hash, min_issued_at, created_at)
       VALUES ($1, $2, $2, 'none', now(), now())`,
      [newId(), email],
    );
    await app.nest
      .get(BackupService, { strict: false })
      .create(app.systemContext, folder, { databaseOnly: false }, () => undefined);
  });
  afterAll(async () => {
    await app.stop();
    await rm(folder, { recursive: true, force: true });
    for (const place of [old, ...places]) await place.remove();
  });

  const place = async (): Promise<EmptyPlace> => {
    const made = await emptyPlace();
    places.push(made);
    await copyKeys(old, made);
    return made;
  };
  const ask = async <Row>({ database }: EmptyPlace, statement: string): Promise<Row[]> => {
    const client = new Client({ connectionString: database!.ownerUrl });
    await client.connect();
    return (await client.query(statement).finally(() => client.end())).rows as Row[];
  };

  // red when: a backup of an earlier version is refused; the later migrations run before the rows are loaded, or not at all
  it.each(['without a schema', 'that this version has migrated'])(
    'is restored into an empty database %s, and brought up to this version',
    async (state) => {
      const elsewhere = await place();
      const { url, ownerUrl } = elsewhere.database!;
      if (state === 'that this version has migrated') await migrateDatabase(ownerUrl, url);
      const restored = await commands<{ checks: { status: string }[] }>(elsewhere, [
        'backup',
        'restore',
        folder,
        '--yes',
      ]);
      expect(restored.checks.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed']);
      expect(await ask(elsewhere, 'SELECT email, trial_credits FROM developer')).toEqual([{ email, trial_credits: 0 }]);
      const applied = await ask<{ name: string }>(elsewhere, 'SELECT name FROM migration ORDER BY id');
      expect(applied.map(({ name }) => name).sort()).toEqual([...names].sort());
      // A repeated restore neither reverts nor loads anything.
      expect(await commands(elsewhere, ['backup', 'restore', folder, '--yes'])).toMatchObject({ copied: 0 });
      expect(await ask(elsewhere, 'SELECT email FROM developer')).toHaveLength(1);
    },
  );

  // red when: the message does not say which version to install
  it('is refused when a later version made it, and the message names the version', async () => {
    const elsewhere = await place();
    const file = join(folder, 'manifest.json');
    const manifest = await readFile(file, 'utf8');
    const later = JSON.parse(manifest) as { version: string; database: { migrations: string[] } };
    later.version = '9.8.7';
    later.database.migrations.push('CreateFutures1999999999999');
    await writeFile(file, JSON.stringify(later));
    try {
      expect(await refuses(elsewhere, 'backup', 'restore', folder, '--yes')).toContain(
        'Install version 9.8.7 or later, and restore it again.',
      );
      expect(await ask(elsewhere, `SELECT FROM pg_class WHERE relname = 'developer'`)).toEqual([]);
    } finally {
      await writeFile(file, manifest);
    }
  });
});

async function namesOfMigrations(url: string): Promise<string[]> {
  const dataSource = await new DataSource(migrationDataSourceOptions(url, 1)).initialize();
  try {
    return dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name);
  } finally {
    await dataSource.destroy();
  }
}
