import { type MigrationInterface, type QueryRunner } from 'typeorm';

const FUNCTIONS = [
  'audit_add_partitions(timestamptz, timestamptz)',
  'audit_prune(uuid, timestamptz, timestamptz, bigint)',
  'audit_drop_partitions(timestamptz)',
].join(', ');

/**
 * The way out of the audit feed, narrower: its functions run with the owner's rights, and PostgreSQL lets everybody call a new
 * function. And no caller can have the anchor pass what every plan keeps.
 */
export class CloseAuditFunctions1763668860000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`REVOKE EXECUTE ON FUNCTION ${FUNCTIONS} FROM PUBLIC`);
    // A day less than the shortest retention: clocks of processes and of the database may differ.
    await runner.query(`
      CREATE FUNCTION audit_hold_anchor() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
      AS $$ BEGIN
        IF EXISTS (
          SELECT FROM audit_event WHERE audit_chain_id(organization_id) = NEW.chain_id AND position > OLD.position
            AND position <= NEW.position AND time > app_now() - interval '29 days'
        ) THEN RAISE EXCEPTION 'audit_event keeps this' USING ERRCODE = 'insufficient_privilege'; END IF;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER audit_anchor_hold BEFORE UPDATE ON audit_anchor
      FOR EACH ROW EXECUTE FUNCTION audit_hold_anchor()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER audit_anchor_hold ON audit_anchor`);
    await runner.query(`DROP FUNCTION audit_hold_anchor()`);
    await runner.query(`GRANT EXECUTE ON FUNCTION ${FUNCTIONS} TO PUBLIC`);
  }
}
