import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Organizations, memberships, projects and project access tokens. */
export class CreateOrganizations1763668802000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organization (
        id uuid NOT NULL,
        name text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_organization PRIMARY KEY (id)
      )`);
    await runner.query(`
      CREATE TABLE membership (
        organization_id uuid NOT NULL,
        developer_id uuid NOT NULL,
        roles text[] NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_membership PRIMARY KEY (organization_id, developer_id),
        CONSTRAINT fk_membership_organization FOREIGN KEY (organization_id) REFERENCES organization (id) ON DELETE CASCADE,
        CONSTRAINT fk_membership_developer FOREIGN KEY (developer_id) REFERENCES developer (id),
        CONSTRAINT ck_membership_roles CHECK (cardinality(roles) > 0)
      )`);
    await runner.query(`CREATE INDEX ix_membership_developer ON membership (developer_id)`);
    await runner.query(`
      CREATE TABLE billing_account (
        organization_id uuid NOT NULL,
        plan text NOT NULL,
        CONSTRAINT pk_billing_account PRIMARY KEY (organization_id),
        CONSTRAINT fk_billing_account_organization
          FOREIGN KEY (organization_id) REFERENCES organization (id) ON DELETE CASCADE,
        CONSTRAINT ck_billing_account_plan CHECK (plan IN ('team', 'business'))
      )`);
    await runner.query(`
      CREATE TABLE reservation (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        principal text NOT NULL,
        kind text NOT NULL,
        size_bytes bigint NOT NULL,
        state text NOT NULL,
        actual_bytes bigint,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        resolved_at timestamptz(3),
        CONSTRAINT pk_reservation PRIMARY KEY (id),
        CONSTRAINT fk_reservation_account
          FOREIGN KEY (organization_id) REFERENCES billing_account (organization_id) ON DELETE CASCADE,
        CONSTRAINT ck_reservation_kind CHECK (kind IN ('upload', 'download')),
        CONSTRAINT ck_reservation_size CHECK (size_bytes >= 0 AND actual_bytes >= 0),
        CONSTRAINT ck_reservation_state CHECK (state IN ('active', 'settled', 'released')),
        CONSTRAINT ck_reservation_resolved
          CHECK ((state = 'active') = (resolved_at IS NULL) AND (state = 'settled') = (actual_bytes IS NOT NULL))
      )`);
    await runner.query(
      `CREATE INDEX ix_reservation_active ON reservation (principal, expires_at) WHERE state = 'active'`,
    );
    await runner.query(`
      CREATE TABLE project (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        name text NOT NULL,
        allow_any_bundle_id boolean NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_project PRIMARY KEY (id),
        CONSTRAINT uq_project_organization UNIQUE (organization_id, id),
        CONSTRAINT uq_project_name UNIQUE (organization_id, name),
        CONSTRAINT fk_project_organization FOREIGN KEY (organization_id) REFERENCES organization (id)
      )`);
    await runner.query(`
      CREATE TABLE project_membership (
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        developer_id uuid NOT NULL,
        role text NOT NULL,
        CONSTRAINT pk_project_membership PRIMARY KEY (project_id, developer_id),
        CONSTRAINT fk_project_membership_project
          FOREIGN KEY (organization_id, project_id) REFERENCES project (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_project_membership_membership
          FOREIGN KEY (organization_id, developer_id) REFERENCES membership (organization_id, developer_id) ON DELETE CASCADE
      )`);
    await runner.query(
      `CREATE INDEX ix_project_membership_developer ON project_membership (organization_id, developer_id)`,
    );
    await runner.query(`
      CREATE TABLE project_access_token (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        name text NOT NULL,
        role text NOT NULL,
        digest bytea NOT NULL,
        last4 text NOT NULL,
        created_by uuid,
        created_at timestamptz(3) NOT NULL,
        expires_at timestamptz(3),
        revoked_at timestamptz(3),
        last_used_at timestamptz(3),
        CONSTRAINT pk_project_access_token PRIMARY KEY (id),
        CONSTRAINT uq_project_access_token_digest UNIQUE (digest),
        CONSTRAINT fk_project_access_token_project
          FOREIGN KEY (organization_id, project_id) REFERENCES project (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_project_access_token_creator FOREIGN KEY (created_by) REFERENCES developer (id) ON DELETE SET NULL
      )`);
    await runner.query(`CREATE INDEX ix_project_access_token_project ON project_access_token (project_id, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = [
      'project_access_token',
      'project_membership',
      'project',
      'reservation',
      'billing_account',
      'membership',
      'organization',
    ];
    for (const table of tables) await runner.query(`DROP TABLE ${table}`);
  }
}
