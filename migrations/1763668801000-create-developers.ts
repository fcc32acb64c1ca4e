import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Developers, their one-time links and their sessions. */
export class CreateDevelopers1763668801000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE developer (
        id uuid NOT NULL,
        email text NOT NULL,
        email_key text NOT NULL,
        name text,
        password_hash text NOT NULL,
        email_verified_at timestamptz(3),
        min_issued_at timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_developer PRIMARY KEY (id),
        CONSTRAINT uq_developer_email_key UNIQUE (email_key)
      )`);
    await runner.query(`
      CREATE TABLE developer_link (
        digest bytea NOT NULL,
        developer_id uuid NOT NULL,
        purpose text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        used_at timestamptz(3),
        CONSTRAINT pk_developer_link PRIMARY KEY (digest),
        CONSTRAINT fk_developer_link_developer FOREIGN KEY (developer_id) REFERENCES developer (id) ON DELETE CASCADE,
        CONSTRAINT ck_developer_link_purpose CHECK (purpose IN ('verify_email', 'reset_password'))
      )`);
    await runner.query(`CREATE INDEX ix_developer_link_developer ON developer_link (developer_id)`);
    await runner.query(`
      CREATE TABLE refresh_family (
        id uuid NOT NULL,
        developer_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        revoked_at timestamptz(3),
        CONSTRAINT pk_refresh_family PRIMARY KEY (id),
        CONSTRAINT fk_refresh_family_developer FOREIGN KEY (developer_id) REFERENCES developer (id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX ix_refresh_family_developer ON refresh_family (developer_id)`);
    await runner.query(`
      CREATE TABLE refresh_token (
        digest bytea NOT NULL,
        family_id uuid NOT NULL,
        generation integer NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        used_at timestamptz(3),
        CONSTRAINT pk_refresh_token PRIMARY KEY (digest),
        CONSTRAINT uq_refresh_token_generation UNIQUE (family_id, generation),
        CONSTRAINT fk_refresh_token_family FOREIGN KEY (family_id) REFERENCES refresh_family (id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['refresh_token', 'refresh_family', 'developer_link', 'developer']) {
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
