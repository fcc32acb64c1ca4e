import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The shared clock, the audit feed and idempotency. */
export class CreatePlatform1763668800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The clock that all processes share. Tests replace the function to change the time.
    await runner.query(`
      CREATE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
      AS $$ SELECT clock_timestamp() $$`);
    await runner.query(`
      CREATE TABLE audit_event (
        id uuid NOT NULL,
        organization_id uuid,
        project_id uuid,
        type text NOT NULL,
        actor_kind text NOT NULL,
        actor_id uuid,
        actor_label text,
        source_ip inet,
        request_id text NOT NULL,
        payload jsonb NOT NULL,
        time timestamptz(3) NOT NULL,
        CONSTRAINT pk_audit_event PRIMARY KEY (id)
      )`);
    await runner.query(`CREATE INDEX ix_audit_event_organization ON audit_event (organization_id, id)`);
    await runner.query(`
      CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql
      AS $$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege'; END $$`);
    await runner.query(`
      CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE ON audit_event
      FOR EACH ROW EXECUTE FUNCTION refuse_change()`);
    await runner.query(`
      CREATE TRIGGER audit_event_no_truncate BEFORE TRUNCATE ON audit_event
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
    await runner.query(`
      CREATE TABLE idempotency_record (
        id bytea NOT NULL,
        fingerprint bytea NOT NULL,
        state text NOT NULL,
        attempt uuid NOT NULL,
        leased_until timestamptz(3) NOT NULL,
        answer bytea,
        created_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_idempotency_record PRIMARY KEY (id),
        CONSTRAINT ck_idempotency_record_answer CHECK ((state = 'done') = (answer IS NOT NULL))
      )`);
    await runner.query(`CREATE INDEX ix_idempotency_record_created_at ON idempotency_record (created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE idempotency_record`);
    await runner.query(`DROP TABLE audit_event`);
    await runner.query(`DROP FUNCTION refuse_change()`);
    await runner.query(`DROP FUNCTION app_now()`);
  }
}
