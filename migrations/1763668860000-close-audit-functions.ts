import { type MigrationInterface, type QueryRunner } from 'typeorm';

const FUNCTIONS = [
  'audit_add_partitions(timestamptz, timestamptz)',
  'audit_prune(uuid, timestamptz, timestamptz, bigint)',
  'audit_drop_partitions(timestamptz)',
].join(', ');

/**
 * Restricts the functions that delete audit events. They run with the owner's privileges, and PostgreSQL lets every role call a new
 * function. A trigger also keeps the anchor from passing events within the retention of every plan.
 */
export class CloseAuditFunctions1763668860000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`REVOKE EXECUTE ON FUNCTION ${FUNCTIONS} FROM PUBLIC`);
    // One day less than the shortest retention, because clocks of processes and database may differ.
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
