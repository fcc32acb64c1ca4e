import { DataSource, type DataSourceOptions } from 'typeorm';
import { dataSourceOptions } from '#infra/database/data-source-options';
import { migrateDatabase } from '#infra/database/migrations/migrate';
import { TestApp } from '../../support/app/test-app';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';

/** All schema objects that a migration can create, as text. */
const SCHEMA = `
  SELECT 'column ' || concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) AS thing
    FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL
  SELECT 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL
  SELECT 'trigger ' || pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'function ' || pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'type ' || t.typname || ' ' || string_agg(enumlabel, ',' ORDER BY enumsortorder)
    FROM pg_type t JOIN pg_enum e ON e.enumtypid = t.oid GROUP BY t.typname
  ORDER BY 1`;

/**
 * Foreign keys without an index that finds rows by the parent's own id (the last column): deleting a parent would scan the
 * whole table.
 */
const UNINDEXED = `
  SELECT f.conname AS name FROM pg_constraint f
  WHERE f.contype = 'f' AND f.connamespace = 'public'::regnamespace AND f.conparentid = 0 AND NOT EXISTS (
    SELECT FROM pg_index i
    CROSS JOIN LATERAL (SELECT array_agg(k.column_number ORDER BY k.n) AS columns
      FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k (column_number, n) WHERE k.n <= i.indnkeyatts) AS key
    WHERE i.indrelid = f.conrelid AND i.indisvalid
      -- All of it, or all that refers to anything.
      AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)',
        (SELECT attname FROM pg_attribute WHERE attrelid = f.conrelid AND attnum = f.conkey[cardinality(f.conkey)])))
      -- It begins with columns of the key, and the last one is among them.
      AND key.columns[1:array_position(key.columns, f.conkey[cardinality(f.conkey)])] <@ f.conkey
      AND f.conkey[cardinality(f.conkey)] = ANY (key.columns))
  ORDER BY 1`;

/** Exceptions, with their reason. */
const SCAN_ALLOWED: Readonly<Record<string, string>> = {
  fk_organization_invitation_inviter: 'few rows: an invitation is open for days and is then deleted',
};

describe('migrations', () => {
  describe('and the entities', () => {
    let app: TestApp;
    let dataSource: DataSource;
    beforeAll(async () => {
      app = await TestApp.start({ worker: false });
      // As the owner, because PostgreSQL hides objects from a role without privileges.
      const { options } = app.nest.get(DataSource);
      dataSource = await new DataSource({ ...options, url: app.database.ownerUrl } as DataSourceOptions).initialize();
    });
    afterAll(async () => {
      await dataSource.destroy();
      await app.stop();
    });

    // red when: an entity gains or loses a column without a migration
    it('describe the same schema', async () => {
      const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
      expect(upQueries.map(({ query }) => query)).toEqual([]);
    });

    // red when: a migration creates a table without an entity
    it('have the same tables', async () => {
      const rows = await app.sql<{ name: string }>(
        `SELECT relname AS name FROM pg_class
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
      );
      const owned = dataSource.entityMetadatas.map(({ tableName }) => tableName);
      expect(rows.map(({ name }) => name).filter((name) => !owned.includes(name))).toEqual(['migration']);
    });

    // PostgreSQL names the constraints of partitions.
    it('prefix the names of constraints with their kind', async () => {
      const rows = await app.sql<{ name: string }>(
        `WITH ours AS (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace
                       AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'migration')
         SELECT conname AS name FROM pg_constraint JOIN ours ON conrelid = ours.oid WHERE contype IN ('p', 'f', 'u', 'c')
         UNION SELECT relname FROM pg_index JOIN ours ON indrelid = ours.oid JOIN pg_class ON pg_class.oid = indexrelid`,
      );
      expect(rows.map(({ name }) => name).filter((name) => !/^(pk|fk|uq|ck|ix)_/.test(name))).toEqual([]);
    });

    // red when: a foreign key has no index
    it('have an index for each foreign key, so that deleting a parent is fast', async () => {
      const rows = await app.sql<{ name: string }>(UNINDEXED);
      expect(rows.map(({ name }) => name)).toEqual(Object.keys(SCAN_ALLOWED));
    });
  });

  describe('on an empty database', () => {
    let database: TestDatabase;
    let dataSource: DataSource;
    beforeAll(async () => {
      database = await createTestDatabase({ migrated: false });
      dataSource = new DataSource(dataSourceOptions(database.ownerUrl, 2));
      await dataSource.initialize();
    });
    afterAll(async () => {
      await dataSource.destroy();
      await database.drop();
    });

    const schema = async (): Promise<string[]> =>
      (await dataSource.query<{ thing: string }[]>(SCHEMA)).map(({ thing }) => thing);

    // red when: a `down` leaves something behind, or drops something that it did not create
    it('can be reverted completely and run again with the same result', async () => {
      const none = await schema();
      const count = await migrateDatabase(database.ownerUrl);
      const first = await schema();
      for (let left = count; left > 0; left -= 1) await dataSource.undoLastMigration();
      const ofTypeOrm = (thing: string): boolean =>
        /^(column|constraint|index .* ON public\.)/.test(thing) && /\bmigration\b/.test(thing);
      expect((await schema()).filter((thing) => !ofTypeOrm(thing))).toEqual(none);
      await migrateDatabase(database.ownerUrl);
      expect(await schema()).toEqual(first);
      expect(first.length).toBeGreaterThan(100);
    });
  });
});
