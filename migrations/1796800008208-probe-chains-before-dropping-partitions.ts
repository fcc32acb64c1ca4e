import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Decides by the index of each chain whether a month of the audit feed may be dropped: one probe per chain and month. The former function
 * read and grouped all events of the month, which takes longer than a statement may when they are many.
 */
export class ProbeChainsBeforeDroppingPartitions1796800008208 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
    CREATE OR REPLACE FUNCTION audit_drop_partitions(dropping timestamptz) RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '2s'
    AS $$
    DECLARE
      name text;
      kept boolean;
    BEGIN
      FOR name IN
        SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent = 'audit_event'::regclass AND relname ~ '^audit_event_\\d{4}_\\d\\d$'
          AND to_date(substr(relname, 13), 'YYYY_MM') + interval '1 month' <= dropping ORDER BY 1
      LOOP
        EXECUTE format('SELECT EXISTS (
          SELECT FROM audit_chain AS c LEFT JOIN audit_anchor AS a ON a.chain_id = c.id
          CROSS JOIN LATERAL (
            SELECT FROM %I AS e
            WHERE audit_chain_id(e.organization_id) = c.id AND e.position > coalesce(a.position, 0) LIMIT 1) AS event)', name)
          INTO kept;
        CONTINUE WHEN kept;
        EXECUTE format('DROP TABLE %I', name);
        RETURN NEXT name;
      END LOOP;
      DELETE FROM audit_event_default AS e USING audit_anchor AS a
        WHERE e.time < dropping AND a.chain_id = audit_chain_id(e.organization_id) AND e.position <= a.position;
    END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
    CREATE OR REPLACE FUNCTION audit_drop_partitions(dropping timestamptz) RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '2s'
    AS $$
    DECLARE
      name text;
      kept boolean;
    BEGIN
      FOR name IN
        SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        WHERE inhparent = 'audit_event'::regclass AND relname ~ '^audit_event_\\d{4}_\\d\\d$'
          AND to_date(substr(relname, 13), 'YYYY_MM') + interval '1 month' <= dropping ORDER BY 1
      LOOP
        EXECUTE format('SELECT EXISTS (
          SELECT FROM (SELECT audit_chain_id(organization_id) AS id, max(position) AS last FROM %I GROUP BY 1) AS c
          LEFT JOIN audit_anchor AS a ON a.chain_id = c.id WHERE a.position IS NULL OR a.position < c.last)', name)
          INTO kept;
        CONTINUE WHEN kept;
        EXECUTE format('DROP TABLE %I', name);
        RETURN NEXT name;
      END LOOP;
      DELETE FROM audit_event_default AS e USING audit_anchor AS a
        WHERE e.time < dropping AND a.chain_id = audit_chain_id(e.organization_id) AND e.position <= a.position;
    END $$`);
  }
}
