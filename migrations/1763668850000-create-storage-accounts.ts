import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Storage accounts of customers, and relocations of artifacts between accounts. */
export class CreateStorageAccounts1763668850000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE storage_account (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        provider text NOT NULL,
        place jsonb NOT NULL,
        sealed_credentials bytea NOT NULL,
        state text NOT NULL,
        receives boolean NOT NULL,
        created_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_storage_account PRIMARY KEY (id),
        CONSTRAINT uq_storage_account_organization UNIQUE (organization_id),
        CONSTRAINT fk_storage_account_organization FOREIGN KEY (organization_id) REFERENCES organization (id),
        CONSTRAINT ck_storage_account_provider CHECK (provider IN ('s3', 'azure')),
        CONSTRAINT ck_storage_account_state CHECK (state IN ('configured', 'active', 'draining')),
        CONSTRAINT ck_storage_account_receives CHECK (state = 'draining' OR receives = (state = 'active'))
      )`);
    // No foreign key to the build, because a build may be deleted during its relocation, and then both blobs must be deleted.
    await runner.query(`
      CREATE TABLE build_move (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        build_id uuid NOT NULL,
        state text NOT NULL,
        from_account text NOT NULL,
        from_key text NOT NULL,
        to_account text NOT NULL,
        to_key text NOT NULL,
        delete_after timestamptz(3),
        CONSTRAINT pk_build_move PRIMARY KEY (id),
        CONSTRAINT ck_build_move_state CHECK (state IN ('copying', 'copied')),
        CONSTRAINT ck_build_move_delete_after CHECK ((delete_after IS NOT NULL) = (state = 'copied'))
      )`);
    await runner.query(`CREATE UNIQUE INDEX uq_build_move_copying ON build_move (build_id) WHERE state = 'copying'`);
    await runner.query(`CREATE INDEX ix_build_move_organization ON build_move (organization_id)`);
    await runner.query(`CREATE INDEX ix_build_move_delete_after ON build_move (delete_after)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE build_move`);
    await runner.query(`DROP TABLE storage_account`);
  }
}
