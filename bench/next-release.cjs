// The migrations of a fictitious next release, for `bench migrations`: some of each kind that test/support/checks/migration-lint.ts permits.
// test/architecture/migrations/released-migrations.spec.ts runs the lint on them.

const migrations = {};

/** Defines a migration by its SQL statements. */
function migration(name, up, down, more = {}) {
  migrations[name] = {
    [name]: class {
      constructor() {
        Object.assign(this, more);
      }

      async up(runner) {
        for (const statement of up) await runner.query(statement);
      }

      async down(runner) {
        for (const statement of down) await runner.query(statement);
      }
    },
  }[name];
}

// New columns, none of which rewrites rows.
migration(
  'LanguagesOfTesters1900000000001',
  ['ALTER TABLE tester ADD COLUMN next_language text'],
  ['ALTER TABLE tester DROP COLUMN next_language'],
);
migration(
  'WeightsOfDownloads1900000000002',
  [
    `ALTER TABLE build_download
       ADD COLUMN next_weight integer NOT NULL DEFAULT 1, ADD COLUMN next_at timestamptz(3) DEFAULT now()`,
  ],
  ['ALTER TABLE build_download DROP COLUMN next_weight, DROP COLUMN next_at'],
);
migration(
  'LabelsOfEntries1900000000003',
  [`ALTER TABLE ledger_entry ADD COLUMN next_labels jsonb NOT NULL DEFAULT '{}'`],
  ['ALTER TABLE ledger_entry DROP COLUMN next_labels'],
);
migration(
  'ZonesOfBuilds1900000000004',
  ['ALTER TABLE build ADD COLUMN next_zone_id uuid'],
  ['ALTER TABLE build DROP COLUMN next_zone_id'],
);

// A new table. It locks the table that it references, and the service's role needs privileges on it.
migration(
  'CreateZones1900000000005',
  [
    `CREATE TABLE next_zone (
       id uuid NOT NULL,
       organization_id uuid NOT NULL,
       project_id uuid NOT NULL,
       CONSTRAINT pk_next_zone PRIMARY KEY (id),
       CONSTRAINT fk_next_zone_project FOREIGN KEY (organization_id, project_id) REFERENCES project (organization_id, id)
     )`,
    'CREATE INDEX ix_next_zone_project ON next_zone (project_id)',
  ],
  ['DROP TABLE next_zone'],
);

// Indexes, and a constraint based on one.
migration(
  'IndexTesters1900000000006',
  [
    'DROP INDEX CONCURRENTLY IF EXISTS ix_tester_next',
    'CREATE INDEX CONCURRENTLY ix_tester_next ON tester (project_id, name, created_at)',
  ],
  ['DROP INDEX ix_tester_next'],
  { transaction: false },
);
migration(
  'IndexEntries1900000000007',
  [
    'DROP INDEX CONCURRENTLY IF EXISTS uq_ledger_entry_next',
    'CREATE UNIQUE INDEX CONCURRENTLY uq_ledger_entry_next ON ledger_entry (organization_id, id)',
  ],
  ['DROP INDEX IF EXISTS uq_ledger_entry_next'],
  { transaction: false },
);
migration(
  'UniqueEntries1900000000008',
  ['ALTER TABLE ledger_entry ADD CONSTRAINT uq_ledger_entry_next UNIQUE USING INDEX uq_ledger_entry_next'],
  ['ALTER TABLE ledger_entry DROP CONSTRAINT uq_ledger_entry_next'],
);

// Constraints that are enforced for new rows first, and validated for old rows without blocking writers.
migration(
  'CheckTesters1900000000009',
  [`ALTER TABLE tester ADD CONSTRAINT ck_tester_next CHECK (email_key <> '') NOT VALID`],
  ['ALTER TABLE tester DROP CONSTRAINT ck_tester_next'],
);
migration(
  'ReferToProjects1900000000010',
  [
    `ALTER TABLE build_download ADD CONSTRAINT fk_build_download_next
       FOREIGN KEY (organization_id, project_id) REFERENCES project (organization_id, id) NOT VALID`,
  ],
  ['ALTER TABLE build_download DROP CONSTRAINT fk_build_download_next'],
);
migration(
  'ReferToZones1900000000011',
  ['ALTER TABLE build ADD CONSTRAINT fk_build_next FOREIGN KEY (next_zone_id) REFERENCES next_zone (id) NOT VALID'],
  ['ALTER TABLE build DROP CONSTRAINT fk_build_next'],
);
migration('ValidateTesters1900000000012', ['ALTER TABLE tester VALIDATE CONSTRAINT ck_tester_next'], []);
migration(
  'ValidateDownloads1900000000013',
  ['ALTER TABLE build_download VALIDATE CONSTRAINT fk_build_download_next'],
  [],
);
migration('ValidateBuilds1900000000014', ['ALTER TABLE build VALIDATE CONSTRAINT fk_build_next'], []);

/** Updates old rows in batches, each in a transaction of its own. */
class FillLanguages1900000000015 {
  transaction = false;

  async up(runner) {
    for (let last = '00000000-0000-0000-0000-000000000000'; last !== undefined;) {
      const rows = await runner.query(
        `WITH few AS (SELECT id FROM tester WHERE id > $1 ORDER BY id LIMIT 2000),
           done AS (UPDATE tester SET next_language = 'en' FROM few WHERE tester.id = few.id)
         SELECT id FROM few ORDER BY id DESC LIMIT 1`,
        [last],
      );
      last = rows[0]?.id;
    }
  }

  async down() {}
}

module.exports = { ...migrations, FillLanguages1900000000015 };
