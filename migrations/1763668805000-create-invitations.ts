import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Invitations, rotation of tokens, second factors and the change of e-mail. */
export class CreateInvitations1763668805000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organization_invitation (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        email text NOT NULL,
        email_key text NOT NULL,
        roles text[] NOT NULL,
        digest bytea NOT NULL,
        invited_by uuid,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_organization_invitation PRIMARY KEY (id),
        CONSTRAINT uq_organization_invitation_digest UNIQUE (digest),
        CONSTRAINT uq_organization_invitation_email UNIQUE (organization_id, email_key),
        CONSTRAINT fk_organization_invitation_organization
          FOREIGN KEY (organization_id) REFERENCES organization (id) ON DELETE CASCADE,
        CONSTRAINT fk_organization_invitation_inviter FOREIGN KEY (invited_by) REFERENCES developer (id) ON DELETE SET NULL,
        CONSTRAINT ck_organization_invitation_roles CHECK (cardinality(roles) > 0)
      )`);
    await runner.query(
      `CREATE INDEX ix_organization_invitation_organization ON organization_invitation (organization_id, id)`,
    );
    await runner.query(`ALTER TABLE project_access_token ADD previous_digest bytea, ADD previous_until timestamptz(3)`);
    await runner.query(`
      ALTER TABLE project_access_token
        ADD CONSTRAINT uq_project_access_token_previous UNIQUE (previous_digest),
        ADD CONSTRAINT ck_project_access_token_previous CHECK ((previous_digest IS NULL) = (previous_until IS NULL))`);
    await runner.query(`ALTER TABLE developer_link ADD new_email text`);
    await runner.query(`ALTER TABLE developer_link DROP CONSTRAINT ck_developer_link_purpose`);
    await runner.query(`
      ALTER TABLE developer_link
        ADD CONSTRAINT ck_developer_link_purpose CHECK (purpose IN ('verify_email', 'reset_password', 'change_email')),
        ADD CONSTRAINT ck_developer_link_new_email CHECK ((purpose = 'change_email') = (new_email IS NOT NULL))`);
    await runner.query(`
      CREATE TABLE second_factor (
        developer_id uuid NOT NULL,
        sealed_secret bytea NOT NULL,
        confirmed_at timestamptz(3),
        last_step bigint NOT NULL,
        CONSTRAINT pk_second_factor PRIMARY KEY (developer_id),
        CONSTRAINT fk_second_factor_developer FOREIGN KEY (developer_id) REFERENCES developer (id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE recovery_code (
        developer_id uuid NOT NULL,
        digest bytea NOT NULL,
        CONSTRAINT pk_recovery_code PRIMARY KEY (developer_id, digest),
        CONSTRAINT fk_recovery_code_factor FOREIGN KEY (developer_id) REFERENCES second_factor (developer_id) ON DELETE CASCADE
      )`);
    // Deleting an account deletes its memberships and keeps what it created.
    await runner.query(`ALTER TABLE membership DROP CONSTRAINT fk_membership_developer`);
    await runner.query(`
      ALTER TABLE membership ADD CONSTRAINT fk_membership_developer
        FOREIGN KEY (developer_id) REFERENCES developer (id) ON DELETE CASCADE`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE membership DROP CONSTRAINT fk_membership_developer`);
    await runner.query(`
      ALTER TABLE membership ADD CONSTRAINT fk_membership_developer FOREIGN KEY (developer_id) REFERENCES developer (id)`);
    await runner.query(`DROP TABLE recovery_code`);
    await runner.query(`DROP TABLE second_factor`);
    await runner.query(`DELETE FROM developer_link WHERE purpose = 'change_email'`);
    await runner.query(`
      ALTER TABLE developer_link DROP CONSTRAINT ck_developer_link_new_email, DROP CONSTRAINT ck_developer_link_purpose,
        DROP COLUMN new_email`);
    await runner.query(`
      ALTER TABLE developer_link
        ADD CONSTRAINT ck_developer_link_purpose CHECK (purpose IN ('verify_email', 'reset_password'))`);
    await runner.query(`ALTER TABLE project_access_token DROP COLUMN previous_digest, DROP COLUMN previous_until`);
    await runner.query(`DROP TABLE organization_invitation`);
  }
}
