import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { digestsOfMigrations } from '../../../scripts/release/migration-digests';
import { faultsOfMigration, type LintedMigration } from '../../support/checks/migration-lint';

const root = path.resolve(__dirname, '../../..');
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const released = read('docs/releases/migrations.json') as Readonly<Record<string, string>>;
const { version } = read('package.json') as { version: string };
const files = readdirSync(path.join(root, 'migrations')).sort();
const added = files.filter((file) => released[file] === undefined);

const migrationIn = (file: string): LintedMigration => {
  const [type] = Object.values(
    jest.requireActual<Record<string, new () => LintedMigration>>(path.join(root, 'migrations', file)),
  );
  return new type!();
};

/** During a rolling upgrade, the previous release runs on the migrated schema. */
describe('the migrations', () => {
  // red when: a migration that was released is edited or removed
  it('keep the released ones unchanged', () => {
    const now = digestsOfMigrations();
    expect(Object.entries(released).filter(([file, digest]) => now[file] !== digest)).toEqual([]);
  });

  it('order new ones after the released ones', () => {
    const last = Object.keys(released).sort().at(-1)!;
    expect(added.filter((file) => file < last)).toEqual([]);
  });

  // red when: a new migration violates a rule of docs/guides/add-a-migration.md
  it('add only new ones that are compatible with the last release', async () => {
    const faults: Record<string, string[]> = {};
    for (const file of added) {
      const migration = migrationIn(file);
      const found = await faultsOfMigration(migration);
      const { unusedSince } = migration;
      if (unusedSince !== undefined && unusedSince.localeCompare(version, 'en', { numeric: true }) > 0)
        found.push(`unusedSince ${unusedSince}: the last release is ${version}`);
      if (found.length > 0) faults[file] = found;
    }
    expect(faults).toEqual({});
  });

  it('of `bench migrations` pass the checks', async () => {
    const made = Object.values(
      jest.requireActual<Record<string, new () => LintedMigration>>(path.join(root, 'bench/next-release.cjs')),
    );
    expect(made.length).toBeGreaterThan(5);
    for (const type of made) expect(await faultsOfMigration(new type())).toEqual([]);
  });

  it('that were released can be checked, too', async () => {
    for (const file of Object.keys(released)) await faultsOfMigration(migrationIn(file));
    expect(Object.keys(released).length).toBeGreaterThan(20);
  });

  const migrationOf = (sql: readonly string[], more: Partial<LintedMigration> = {}): LintedMigration => ({
    ...more,
    up: async (runner) => {
      for (const each of sql) await runner.query(each);
    },
  });

  // red when: a rule is removed
  it.each([
    ['ALTER TABLE build DROP COLUMN notes'],
    ['ALTER TABLE build DROP notes'],
    ['ALTER TABLE build ADD a text, DROP COLUMN notes'],
    ['ALTER TABLE build RENAME COLUMN notes TO remarks'],
    ['ALTER TABLE build RENAME TO artifact'],
    ['ALTER TABLE build ALTER COLUMN notes TYPE varchar(10)'],
    ['ALTER TABLE build ALTER notes SET NOT NULL'],
    ['ALTER TABLE build ADD COLUMN zone text NOT NULL'],
    ['ALTER TABLE build ADD zone text NOT NULL'],
    [`ALTER TABLE build ADD CONSTRAINT ck_build_zone CHECK (zone <> '')`],
    ['ALTER TABLE build ADD CONSTRAINT fk_build_zone FOREIGN KEY (zone_id) REFERENCES zone (id)'],
    ['ALTER TABLE build ADD CONSTRAINT uq_build_zone UNIQUE (zone)'],
    ['CREATE INDEX ix_build_zone ON build (zone)'],
    ['CREATE UNIQUE INDEX uq_build_zone ON build (zone)'],
    ['ALTER TABLE build ADD COLUMN zone uuid NOT NULL DEFAULT gen_random_uuid()'],
    ['ALTER TABLE build ADD zone bigserial'],
    ['ALTER TABLE build ADD zone text GENERATED ALWAYS AS (notes) STORED'],
    [`UPDATE build SET notes = ''`],
    [`WITH few AS (SELECT id FROM build) UPDATE build SET notes = '' FROM few WHERE build.id = few.id`],
    ['DELETE FROM build WHERE notes IS NULL'],
    [`ALTER TABLE build ADD CONSTRAINT ck_z CHECK (zone <> '') NOT VALID; ALTER TABLE build VALIDATE CONSTRAINT ck_z`],
    ['DROP TABLE build'],
    ['SELECT 1; DROP TABLE build'],
  ])('must not contain %s', async (sql) => expect(await faultsOfMigration(migrationOf([sql]))).toHaveLength(1));

  const INDEX = ['DROP INDEX CONCURRENTLY IF EXISTS ix_z', 'CREATE INDEX CONCURRENTLY ix_z ON build (zone)'];

  // red when: a rule of faultsTogether is removed
  it.each<[string, LintedMigration]>([
    ['an index CONCURRENTLY in a transaction', migrationOf(INDEX)],
    ['an index without dropping the remains of a failed attempt', migrationOf(INDEX.slice(1), { transaction: false })],
    [
      'an index that drops another one',
      migrationOf([INDEX[0]!.replace('ix_z', 'ix_y'), INDEX[1]!], { transaction: false }),
    ],
    ['an index with another statement', migrationOf([...INDEX, 'SELECT 1'], { transaction: false })],
    ['changes of two tables', migrationOf(['ALTER TABLE build ADD zone text', 'ALTER TABLE tester ADD zone text'])],
    [
      'a foreign key with another change',
      migrationOf([
        'ALTER TABLE build ADD zone_id uuid, ADD CONSTRAINT fk_z FOREIGN KEY (zone_id) REFERENCES zone (id) NOT VALID',
      ]),
    ],
    [
      'a change of a table without a transaction',
      migrationOf(['ALTER TABLE build ADD zone text'], { transaction: false }),
    ],
  ])('must not contain %s', async (_what, migration) => expect(await faultsOfMigration(migration)).toHaveLength(1));

  it.each<[string, LintedMigration]>([
    [
      'a table with its indexes',
      migrationOf(['CREATE TABLE zone (id uuid NOT NULL)', 'CREATE INDEX ix_zone ON zone (id)']),
    ],
    ['a column that may be null', migrationOf(['ALTER TABLE build ADD COLUMN zone text'])],
    ['a column with a default', migrationOf([`ALTER TABLE build ADD COLUMN zone text NOT NULL DEFAULT 'x'`])],
    [
      'a constraint that is not validated yet',
      migrationOf([`ALTER TABLE build ADD CONSTRAINT ck_z CHECK (zone <> '') NOT VALID`]),
    ],
    ['the validation of a constraint', migrationOf(['ALTER TABLE build VALIDATE CONSTRAINT ck_z'])],
    ['removed constraints', migrationOf(['ALTER TABLE build ALTER notes DROP NOT NULL, DROP CONSTRAINT ck_z'])],
    ['an index without a transaction', migrationOf(INDEX, { transaction: false })],
    [
      'a foreign key that is not validated yet',
      migrationOf(['ALTER TABLE build ADD CONSTRAINT fk_z FOREIGN KEY (zone_id) REFERENCES zone (id) NOT VALID']),
    ],
    ['updates in batches', migrationOf([`UPDATE build SET zone = '' WHERE id < $1`], { transaction: false })],
    ['a column with now() as its default', migrationOf(['ALTER TABLE build ADD zone timestamptz DEFAULT now()'])],
    ['updates of a table that it creates', migrationOf(['CREATE TABLE zone (id uuid)', 'UPDATE zone SET id = NULL'])],
    [
      'a dropped column that the last release does not use',
      migrationOf(['ALTER TABLE build DROP COLUMN notes'], { unusedSince: '0.1.0' }),
    ],
    ['a function', migrationOf([`CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DROP TABLE x; END $$`])],
  ])('may contain %s', async (_what, migration) => expect(await faultsOfMigration(migration)).toEqual([]));
});
