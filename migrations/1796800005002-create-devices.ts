import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The devices of testers, and the tickets with which they were registered. */
export class CreateDevices1796800005002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE device (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        tester_id uuid,
        udid_digest bytea NOT NULL,
        udid_sealed bytea NOT NULL,
        product text,
        os_version text,
        name text,
        registered_at timestamptz(3),
        included_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_device PRIMARY KEY (id),
        CONSTRAINT uq_device_project UNIQUE (organization_id, project_id, id),
        CONSTRAINT uq_device_digest UNIQUE (project_id, udid_digest),
        CONSTRAINT fk_device_project FOREIGN KEY (organization_id, project_id)
          REFERENCES project (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_device_tester FOREIGN KEY (organization_id, project_id, tester_id)
          REFERENCES tester (organization_id, project_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX ix_device_project ON device (project_id, id)`);
    await runner.query(`CREATE INDEX ix_device_tester ON device (tester_id) WHERE tester_id IS NOT NULL`);
    await runner.query(`
      CREATE TABLE device_receipt (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        device_id uuid NOT NULL,
        spent_at timestamptz(3),
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_device_receipt PRIMARY KEY (id),
        CONSTRAINT fk_device_receipt_device FOREIGN KEY (organization_id, project_id, device_id)
          REFERENCES device (organization_id, project_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX ix_device_receipt_device ON device_receipt (device_id)`);
    await runner.query(`CREATE INDEX ix_device_receipt_created ON device_receipt (created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE device_receipt`);
    await runner.query(`DROP TABLE device`);
  }
}
