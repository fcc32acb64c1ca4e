import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The endpoints that are informed of the events of an organization, and what was sent to them. */
export class CreateWebhooks1796800100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhook (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        project_id uuid,
        name text NOT NULL,
        url_sealed bytea NOT NULL,
        host text NOT NULL,
        secret_sealed bytea NOT NULL,
        old_secret_sealed bytea,
        old_secret_until timestamptz(3),
        format text NOT NULL,
        types text[] NOT NULL,
        filter jsonb NOT NULL,
        include_links boolean NOT NULL,
        state text NOT NULL,
        off_reason text,
        cursor bigint NOT NULL,
        failing_since timestamptz(3),
        attempt integer NOT NULL DEFAULT 0,
        next_at timestamptz(3) NOT NULL,
        sender uuid,
        sending_until timestamptz(3),
        last_status integer,
        last_error text,
        last_at timestamptz(3),
        created_by uuid,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_webhook PRIMARY KEY (id),
        CONSTRAINT uq_webhook_organization UNIQUE (organization_id, id),
        CONSTRAINT ck_webhook_old_secret CHECK ((old_secret_sealed IS NULL) = (old_secret_until IS NULL)),
        CONSTRAINT ck_webhook_state CHECK (state = 'off' OR off_reason IS NULL),
        CONSTRAINT fk_webhook_organization FOREIGN KEY (organization_id) REFERENCES organization (id) ON DELETE CASCADE,
        CONSTRAINT fk_webhook_project FOREIGN KEY (organization_id, project_id)
          REFERENCES project (organization_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_webhook_creator FOREIGN KEY (created_by) REFERENCES developer (id) ON DELETE SET NULL
      )`);
    await runner.query(`CREATE INDEX ix_webhook_project ON webhook (organization_id, project_id)`);
    await runner.query(`CREATE INDEX ix_webhook_creator ON webhook (created_by)`);
    await runner.query(`CREATE INDEX ix_webhook_due ON webhook (next_at) WHERE state = 'on'`);
    await runner.query(`
      CREATE TABLE webhook_delivery (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        webhook_id uuid NOT NULL,
        position bigint,
        event_id text NOT NULL,
        event_type text NOT NULL,
        body_sealed bytea NOT NULL,
        state text NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        last_status integer,
        last_error text,
        last_ms integer,
        last_at timestamptz(3),
        answer text,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_webhook_delivery PRIMARY KEY (id),
        CONSTRAINT uq_webhook_delivery_position UNIQUE (webhook_id, position),
        CONSTRAINT fk_webhook_delivery_webhook FOREIGN KEY (organization_id, webhook_id)
          REFERENCES webhook (organization_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`CREATE INDEX ix_webhook_delivery_webhook ON webhook_delivery (webhook_id, id)`);
    await runner.query(`CREATE INDEX ix_webhook_delivery_created ON webhook_delivery (created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE webhook_delivery`);
    await runner.query(`DROP TABLE webhook`);
  }
}
