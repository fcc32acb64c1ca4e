import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Personal access tokens, each bound to one organization. They are deleted with the membership. */
export class CreatePersonalAccessTokens1763668804000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE personal_access_token (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        developer_id uuid NOT NULL,
        name text NOT NULL,
        scopes text[] NOT NULL,
        digest bytea NOT NULL,
        last4 text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3),
        revoked_at timestamptz(3),
        last_used_at timestamptz(3),
        CONSTRAINT pk_personal_access_token PRIMARY KEY (id),
        CONSTRAINT uq_personal_access_token_digest UNIQUE (digest),
        CONSTRAINT fk_personal_access_token_membership
          FOREIGN KEY (organization_id, developer_id) REFERENCES membership (organization_id, developer_id) ON DELETE CASCADE,
        CONSTRAINT ck_personal_access_token_scopes CHECK (cardinality(scopes) > 0)
      )`);
    await runner.query(
      `CREATE INDEX ix_personal_access_token_organization ON personal_access_token (organization_id, id)`,
    );
    await runner.query(`CREATE INDEX ix_personal_access_token_developer ON personal_access_token (developer_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE personal_access_token`);
  }
}
