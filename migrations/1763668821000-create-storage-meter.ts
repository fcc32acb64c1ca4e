import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Intervals of stored bytes. Their integral over time is the storage meter. */
export class CreateStorageMeter1763668821000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Builds belong to a module above, so they are referenced by id only.
    await runner.query(`
      CREATE TABLE stored_build (
        build_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        size_bytes bigint NOT NULL,
        CONSTRAINT pk_stored_build PRIMARY KEY (build_id),
        CONSTRAINT fk_stored_build_account
          FOREIGN KEY (organization_id) REFERENCES billing_account (organization_id) ON DELETE CASCADE,
        CONSTRAINT ck_stored_build_size CHECK (size_bytes >= 0)
      )`);
    await runner.query(`CREATE INDEX ix_stored_build_organization ON stored_build (organization_id)`);
    await runner.query(`
      CREATE TABLE storage_interval (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        build_id uuid NOT NULL,
        size_bytes bigint NOT NULL,
        started_at timestamptz(3) NOT NULL,
        ended_at timestamptz(3),
        CONSTRAINT pk_storage_interval PRIMARY KEY (id),
        CONSTRAINT fk_storage_interval_account
          FOREIGN KEY (organization_id) REFERENCES billing_account (organization_id) ON DELETE CASCADE,
        CONSTRAINT ck_storage_interval_size CHECK (size_bytes >= 0),
        CONSTRAINT ck_storage_interval_order CHECK (ended_at >= started_at)
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX uq_storage_interval_open ON storage_interval (build_id) WHERE ended_at IS NULL`,
    );
    await runner.query(`CREATE INDEX ix_storage_interval_organization ON storage_interval (organization_id, ended_at)`);
    await runner.query(
      `INSERT INTO stored_build (build_id, organization_id, size_bytes) SELECT id, organization_id, size_bytes FROM build`,
    );
    await runner.query(`
      INSERT INTO storage_interval (id, organization_id, build_id, size_bytes, started_at)
      SELECT gen_random_uuid(), organization_id, build_id, size_bytes, app_now() FROM stored_build`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE storage_interval`);
    await runner.query(`DROP TABLE stored_build`);
  }
}
