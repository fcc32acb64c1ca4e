import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Logins of programs that a developer confirms in a browser (RFC 8628), until ten minutes after they were started. */
export class CreateDeviceLogins1795600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE device_login (
        device_digest bytea NOT NULL,
        user_digest bytea NOT NULL,
        host text NOT NULL,
        scopes text[] NOT NULL,
        address text,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        interval_seconds integer NOT NULL,
        polled_at timestamptz(3),
        decision text,
        developer_id uuid,
        organization_id uuid,
        used_at timestamptz(3),
        CONSTRAINT pk_device_login PRIMARY KEY (device_digest),
        CONSTRAINT uq_device_login_user_digest UNIQUE (user_digest),
        CONSTRAINT ck_device_login_scopes CHECK (cardinality(scopes) > 0),
        CONSTRAINT ck_device_login_decision CHECK (decision IN ('confirmed', 'denied')),
        CONSTRAINT ck_device_login_developer CHECK ((decision IS NULL) = (developer_id IS NULL)),
        CONSTRAINT ck_device_login_organization CHECK ((decision IS NOT DISTINCT FROM 'confirmed') = (organization_id IS NOT NULL)),
        CONSTRAINT fk_device_login_developer FOREIGN KEY (developer_id) REFERENCES developer (id) ON DELETE CASCADE,
        CONSTRAINT fk_device_login_membership FOREIGN KEY (organization_id, developer_id)
          REFERENCES membership (organization_id, developer_id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX ix_device_login_expires_at ON device_login (expires_at)`);
    await runner.query(`CREATE INDEX ix_device_login_developer ON device_login (developer_id, organization_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE device_login`);
  }
}
