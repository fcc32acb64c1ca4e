import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The rules of install links, the texts of their terms, the acceptances of these, and the codes mailed to testers who sign in. */
export class CreateLinkRules1796900100001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE link_rule (
        invite_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        access text NOT NULL,
        password_hash text,
        expires_at timestamptz(3),
        max_downloads integer,
        used_downloads integer NOT NULL,
        terms_version integer,
        version integer NOT NULL,
        CONSTRAINT pk_link_rule PRIMARY KEY (invite_id),
        CONSTRAINT ck_link_rule_access CHECK (access IN ('open', 'password', 'sign_in', 'members')),
        CONSTRAINT ck_link_rule_password CHECK ((access = 'password') = (password_hash IS NOT NULL)),
        CONSTRAINT fk_link_rule_invite FOREIGN KEY (organization_id, project_id, invite_id)
          REFERENCES invite (organization_id, project_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE link_terms (
        link_id uuid NOT NULL,
        version integer NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        text text NOT NULL,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_link_terms PRIMARY KEY (link_id, version),
        CONSTRAINT uq_link_terms_project UNIQUE (organization_id, project_id, link_id, version),
        CONSTRAINT fk_link_terms_project FOREIGN KEY (organization_id, project_id)
          REFERENCES project (organization_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE link_acceptance (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        link_id uuid NOT NULL,
        terms_version integer NOT NULL,
        tester_id uuid,
        address_digest bytea,
        accepted_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_link_acceptance PRIMARY KEY (id),
        CONSTRAINT ck_link_acceptance_by CHECK (num_nonnulls(tester_id, address_digest) = 1),
        CONSTRAINT fk_link_acceptance_terms FOREIGN KEY (organization_id, project_id, link_id, terms_version)
          REFERENCES link_terms (organization_id, project_id, link_id, version) ON DELETE CASCADE,
        CONSTRAINT fk_link_acceptance_tester FOREIGN KEY (organization_id, project_id, tester_id)
          REFERENCES tester (organization_id, project_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE UNIQUE INDEX uq_link_acceptance_tester ON link_acceptance (link_id, terms_version, tester_id)
        WHERE tester_id IS NOT NULL`);
    await runner.query(`
      CREATE UNIQUE INDEX uq_link_acceptance_address ON link_acceptance (link_id, terms_version, address_digest)
        WHERE address_digest IS NOT NULL`);
    await runner.query(
      `CREATE INDEX ix_link_acceptance_terms ON link_acceptance (organization_id, project_id, link_id, terms_version)`,
    );
    await runner.query(`
      CREATE INDEX ix_link_acceptance_tester ON link_acceptance (organization_id, project_id, tester_id)
        WHERE tester_id IS NOT NULL`);
    await runner.query(`
      CREATE TABLE link_code (
        invite_id uuid NOT NULL,
        tester_id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid NOT NULL,
        digest bytea NOT NULL,
        failures integer NOT NULL,
        mails integer NOT NULL,
        mails_since timestamptz(3) NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_link_code PRIMARY KEY (invite_id, tester_id),
        CONSTRAINT fk_link_code_invite FOREIGN KEY (organization_id, project_id, invite_id)
          REFERENCES invite (organization_id, project_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_link_code_tester FOREIGN KEY (organization_id, project_id, tester_id)
          REFERENCES tester (organization_id, project_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX ix_link_code_tester ON link_code (organization_id, project_id, tester_id)`);
    await runner.query(`CREATE INDEX ix_link_code_expires_at ON link_code (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE link_code, link_acceptance, link_terms, link_rule`);
  }
}
