import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Partitions the audit feed by month and chains it by hashes (docs/decisions/0016-audit-chain.md). Events are still inserted into
 * `audit_event`: a trigger moves them to `audit_intake`, and the commit inserts them with their position in their organization's chain.
 */
export class PartitionAndChainAuditEvents1763668840000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await makeTables(runner);
    await makeChain(runner);
    await makePartitions(runner);
    await makeRetention(runner);
    await runner.query(`
      INSERT INTO audit_event (id, organization_id, project_id, type, actor_kind, actor_id, actor_label, source_ip, request_id, payload, time)
      SELECT id, organization_id, project_id, type, actor_kind, actor_id, actor_label, source_ip, request_id, payload, time
      FROM audit_event_unchained`);
    await runner.query(`DROP TABLE audit_event_unchained`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE audit_event RENAME TO audit_event_chained`);
    await runner.query(`ALTER TABLE audit_event_chained RENAME CONSTRAINT pk_audit_event TO pk_audit_event_chained`);
    await runner.query(`ALTER INDEX ix_audit_event_organization RENAME TO ix_audit_event_chained_organization`);
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
      INSERT INTO audit_event
      SELECT id, organization_id, project_id, type, actor_kind, actor_id, actor_label, source_ip, request_id, payload, time
      FROM audit_event_chained`);
    await runner.query(`
      CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE ON audit_event
      FOR EACH ROW EXECUTE FUNCTION refuse_change()`);
    await runner.query(`
      CREATE TRIGGER audit_event_no_truncate BEFORE TRUNCATE ON audit_event
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
    await runner.query(`DROP FUNCTION audit_drop_partitions(timestamptz)`);
    await runner.query(`DROP FUNCTION audit_prune(uuid, timestamptz, timestamptz, bigint)`);
    await runner.query(`DROP FUNCTION audit_add_partitions(timestamptz, timestamptz)`);
    await runner.query(`DROP FUNCTION audit_digest(bytea, audit_event_chained)`);
    await runner.query(`DROP FUNCTION audit_field(text)`);
    await runner.query(`DROP TABLE audit_event_chained, audit_intake, audit_chain, audit_anchor`);
    await runner.query(`DROP FUNCTION audit_take_in()`);
    await runner.query(`DROP FUNCTION audit_chain_events()`);
    await runner.query(`DROP FUNCTION audit_refuse_deletion()`);
    await runner.query(`DROP FUNCTION audit_chain_id(uuid)`);
  }
}

async function makeTables(runner: QueryRunner): Promise<void> {
  await runner.query(`ALTER TABLE audit_event RENAME TO audit_event_unchained`);
  await runner.query(`ALTER TABLE audit_event_unchained RENAME CONSTRAINT pk_audit_event TO pk_audit_event_unchained`);
  await runner.query(`ALTER INDEX ix_audit_event_organization RENAME TO ix_audit_event_unchained_organization`);
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
      position bigint NOT NULL,
      hash bytea NOT NULL,
      CONSTRAINT pk_audit_event PRIMARY KEY (id, time)
    ) PARTITION BY RANGE (time)`);
  // For reading a day and finding the nearest days, by each filter.
  await runner.query(`CREATE INDEX ix_audit_event_organization ON audit_event (organization_id, time, id)`);
  await runner.query(`CREATE INDEX ix_audit_event_type ON audit_event (organization_id, type, time, id)`);
  await runner.query(`CREATE INDEX ix_audit_event_actor ON audit_event (organization_id, actor_id, time, id)`);
  await runner.query(`CREATE INDEX ix_audit_event_source_ip ON audit_event (organization_id, source_ip, time, id)`);
  await runner.query(`
    CREATE TABLE audit_intake (
      transaction_id bigint NOT NULL,
      event_id uuid NOT NULL,
      event jsonb NOT NULL,
      CONSTRAINT pk_audit_intake PRIMARY KEY (transaction_id, event_id)
    )`);
  await runner.query(`
    CREATE TABLE audit_chain (
      id uuid NOT NULL,
      position bigint NOT NULL,
      hash bytea NOT NULL,
      CONSTRAINT pk_audit_chain PRIMARY KEY (id)
    )`);
  await runner.query(`
    CREATE TABLE audit_anchor (
      chain_id uuid NOT NULL,
      position bigint NOT NULL,
      hash bytea NOT NULL,
      dropping_before timestamptz(3) NOT NULL,
      CONSTRAINT pk_audit_anchor PRIMARY KEY (chain_id)
    )`);
}

async function makeChain(runner: QueryRunner): Promise<void> {
  // The chain of an organization has its id. Events of accounts, without an organization, share one chain.
  await runner.query(`
    CREATE FUNCTION audit_chain_id(organization_id uuid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT coalesce(organization_id, '00000000-0000-0000-0000-000000000000') $$`);
  await runner.query(`CREATE INDEX ix_audit_event_chain ON audit_event (audit_chain_id(organization_id), position)`);

  // The hash covers the previous hash and every field with its length. src/modules/audit/chain verifies it.
  await runner.query(`
    CREATE FUNCTION audit_field(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT coalesce(octet_length(value) || ':' || value, '-') $$`);
  await runner.query(`
    CREATE FUNCTION audit_digest(previous bytea, event audit_event) RETURNS bytea LANGUAGE sql STABLE
    AS $$ SELECT sha256(previous || convert_to(
      audit_field(event.position::text) || audit_field(event.id::text) || audit_field(event.organization_id::text)
      || audit_field(event.project_id::text) || audit_field(event.type) || audit_field(event.actor_kind)
      || audit_field(event.actor_id::text) || audit_field(event.actor_label) || audit_field(host(event.source_ip))
      || audit_field(event.request_id) || audit_field(event.payload::text)
      || audit_field((extract(epoch FROM event.time) * 1000)::bigint::text), 'UTF8')) $$`);

  // A direct insert cannot choose a position, because only the trigger below inserts into the chain.
  await runner.query(`
    CREATE FUNCTION audit_take_in() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    AS $$ BEGIN
      IF pg_trigger_depth() > 1 THEN RETURN NEW; END IF;
      INSERT INTO audit_intake VALUES (pg_current_xact_id()::text::bigint, NEW.id, to_jsonb(NEW));
      RETURN NULL;
    END $$`);
  await runner.query(`
    CREATE TRIGGER audit_event_take_in BEFORE INSERT ON audit_event
    FOR EACH ROW EXECUTE FUNCTION audit_take_in()`);

  // Runs during the commit, when the transaction already holds its other locks, and locks chains in one order, so it cannot
  // deadlock. The locks last for the commit, never for a round trip.
  await runner.query(`
    CREATE FUNCTION audit_chain_events() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    AS $$
    DECLARE
      event audit_event;
      chain uuid;
      head audit_chain;
    BEGIN
      -- The first event of a transaction takes all of them along.
      IF NOT EXISTS (
        SELECT FROM audit_intake WHERE transaction_id = NEW.transaction_id AND event_id = NEW.event_id
      ) THEN RETURN NULL; END IF;
      FOR event IN
        WITH own AS (DELETE FROM audit_intake WHERE transaction_id = NEW.transaction_id RETURNING audit_intake.event)
        SELECT e.* FROM own, jsonb_populate_record(NULL::audit_event, own.event) AS e
        ORDER BY audit_chain_id(e.organization_id), e.id
      LOOP
        chain := audit_chain_id(event.organization_id);
        IF head.id IS DISTINCT FROM chain THEN
          UPDATE audit_chain SET position = head.position, hash = head.hash WHERE id = head.id;
          INSERT INTO audit_chain SELECT chain, 0, sha256('') WHERE NOT EXISTS (SELECT FROM audit_chain WHERE id = chain)
            ON CONFLICT DO NOTHING;
          SELECT * INTO head FROM audit_chain WHERE id = chain FOR UPDATE;
        END IF;
        event.position := head.position + 1;
        event.hash := audit_digest(head.hash, event);
        INSERT INTO audit_event VALUES (event.*);
        head.position := event.position;
        head.hash := event.hash;
      END LOOP;
      UPDATE audit_chain SET position = head.position, hash = head.hash WHERE id = head.id;
      RETURN NULL;
    END $$`);
  await runner.query(`
    CREATE CONSTRAINT TRIGGER audit_intake_chain AFTER INSERT ON audit_intake DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION audit_chain_events()`);
}

async function makePartitions(runner: QueryRunner): Promise<void> {
  await runner.query(`CREATE TABLE audit_event_default PARTITION OF audit_event DEFAULT`);
  await runner.query(`
    CREATE TRIGGER audit_event_no_truncate BEFORE TRUNCATE ON audit_event_default
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
  // Events of a month whose partition was not created in time stay in the default partition.
  await runner.query(`
    CREATE FUNCTION audit_add_partitions(first timestamptz, last timestamptz) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '2s'
    AS $$
    DECLARE
      month timestamptz;
      name text;
    BEGIN
      FOR month IN SELECT generate_series(date_trunc('month', first), last, '1 month') LOOP
        name := 'audit_event_' || to_char(month, 'YYYY_MM');
        CONTINUE WHEN to_regclass(name) IS NOT NULL OR EXISTS (
          SELECT FROM audit_event_default WHERE time >= month AND time < month + interval '1 month');
        EXECUTE format('CREATE TABLE %I PARTITION OF audit_event FOR VALUES FROM (%L) TO (%L)',
          name, month, month + interval '1 month');
        EXECUTE format('CREATE TRIGGER audit_event_no_truncate BEFORE TRUNCATE ON %I
          FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', name);
      END LOOP;
    END $$`);
  await runner.query(`
    SELECT audit_add_partitions(
      coalesce((SELECT min(time) FROM audit_event_unchained), app_now()), app_now() + interval '3 months')`);
}

async function makeRetention(runner: QueryRunner): Promise<void> {
  // A row can be deleted only after its chain's anchor has passed it.
  await runner.query(`
    CREATE FUNCTION audit_refuse_deletion() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    AS $$ BEGIN
      IF EXISTS (
        SELECT FROM audit_anchor WHERE chain_id = audit_chain_id(OLD.organization_id) AND position >= OLD.position
      ) THEN RETURN OLD; END IF;
      RAISE EXCEPTION 'audit_event is append-only' USING ERRCODE = 'insufficient_privilege';
    END $$`);
  await runner.query(`
    CREATE TRIGGER audit_event_append_only BEFORE UPDATE ON audit_event
    FOR EACH ROW EXECUTE FUNCTION refuse_change()`);
  await runner.query(`
    CREATE TRIGGER audit_event_no_deletion BEFORE DELETE ON audit_event
    FOR EACH ROW EXECUTE FUNCTION audit_refuse_deletion()`);
  await runner.query(`
    CREATE TRIGGER audit_event_no_truncate BEFORE TRUNCATE ON audit_event
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);

  // The only way to delete events: moves a chain's anchor over at most \`most\` events that are older than \`before\`, and deletes
  // them, except those in months before \`dropping\`, which are dropped with their partitions. Returns the positions it passed.
  await runner.query(`
    CREATE FUNCTION audit_prune(chain uuid, before timestamptz, dropping timestamptz, most bigint)
    RETURNS TABLE (first bigint, last bigint) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
    AS $$
    DECLARE
      anchor audit_anchor;
      kept bigint;
    BEGIN
      INSERT INTO audit_anchor VALUES (chain, 0, sha256(''), dropping) ON CONFLICT DO NOTHING;
      SELECT * INTO anchor FROM audit_anchor WHERE chain_id = chain FOR UPDATE;
      SELECT e.position INTO kept FROM (
        SELECT position, time FROM audit_event
        WHERE audit_chain_id(organization_id) = chain AND position > anchor.position ORDER BY position LIMIT most
      ) AS e WHERE e.time >= before ORDER BY e.position LIMIT 1;
      first := anchor.position + 1;
      SELECT e.position, e.hash INTO last, anchor.hash FROM audit_event AS e
        WHERE audit_chain_id(organization_id) = chain AND e.position > anchor.position
          AND e.position < coalesce(kept, anchor.position + most + 1)
        ORDER BY e.position DESC LIMIT 1;
      IF NOT FOUND THEN RETURN; END IF;
      UPDATE audit_anchor SET position = last, hash = anchor.hash, dropping_before = dropping WHERE chain_id = chain;
      DELETE FROM audit_event
        WHERE audit_chain_id(organization_id) = chain AND position >= first AND position <= last AND time >= dropping;
      RETURN NEXT;
    END $$`);

  // Drops the months that end by \`dropping\`, unless a month holds an event that no anchor has passed.
  await runner.query(`
    CREATE FUNCTION audit_drop_partitions(dropping timestamptz) RETURNS SETOF text
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
