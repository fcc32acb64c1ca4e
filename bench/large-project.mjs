// Fills projects with copies of builds, testers and audit events that the service wrote.
import { copies } from './many-rows.mjs';

/** The minimum content of a project before it is filled: at least one build and one tester. */
const IN_PROJECT = `'id', x.id, 'organization_id', x.organization_id, 'project_id', x.project_id`;

/**
 * Copies the newest build and a tester of another project into a project, with its icon.
 * @param database a connection as the owner of the schema.
 */
export async function fillProject(database, { id, from }, { builds, testers }) {
  const rows = (count) => `
    (SELECT uuidv7() AS id, n, p.id AS project_id, p.organization_id FROM project AS p, generate_series(1, ${count}) AS n
     WHERE p.id = '${id}' ORDER BY n) AS x`;
  const source = `WHERE t.project_id = '${from}' ORDER BY t.id DESC`;
  const version = `'version', '1.' || x.n / 100 || '.' || x.n % 100, 'build_number', x.n::text`;
  const time = `'uploaded_at', now() - interval '5 minutes' * (${builds} - x.n)`;
  const fresh = `'blob_key', 'builds/' || x.id, 'downloads_total', 0, 'downloads_unique_testers', 0`;
  await database.query(copies('build', rows(builds), `${IN_PROJECT}, ${version}, ${time}, ${fresh}`, source));
  await database.query(`
    INSERT INTO build_icon SELECT copy.* FROM build AS b,
      LATERAL (SELECT i FROM build_icon AS i JOIN build AS o ON o.id = i.build_id WHERE o.project_id = '${from}'
               ORDER BY o.id DESC LIMIT 1) AS one,
      LATERAL jsonb_populate_record(one.i, jsonb_build_object(
        'build_id', b.id, 'organization_id', b.organization_id, 'project_id', b.project_id)) AS copy
    WHERE b.project_id = '${id}' AND b.icon_media_type IS NOT NULL`);
  await database.query(`
    WITH kept AS (
      INSERT INTO stored_build (build_id, organization_id, size_bytes)
      SELECT id, organization_id, size_bytes FROM build WHERE project_id = '${id}' RETURNING *)
    INSERT INTO storage_interval (id, organization_id, build_id, size_bytes, started_at)
    SELECT uuidv7(), organization_id, build_id, size_bytes, now() FROM kept`);
  const address = `'t' || x.n || '@example.com'`;
  await database.query(
    copies('tester', rows(testers), `${IN_PROJECT}, 'email', ${address}, 'email_key', ${address}`, source),
  );
}

/** Adds events to the last hour of an organization's audit feed, without their hashes, which the triggers chain too slowly. */
export async function fillAuditFeed(database, organizationId, events) {
  const { rows } = await database.query(
    'SELECT max(position)::int AS last FROM audit_event WHERE organization_id = $1',
    [organizationId],
  );
  const last = rows[0].last;
  const from = `(SELECT n FROM generate_series(1, ${events}) AS n) AS x`;
  const changes = `'id', uuidv7(), 'position', ${last} + x.n, 'time', now() - interval '1 hour' * (1 - x.n / ${events}.0)`;
  await database.query('SET session_replication_role = replica');
  await database.query(copies('audit_event', from, changes, `WHERE organization_id = '${organizationId}'`));
  await database.query('RESET session_replication_role');
  await database.query('UPDATE audit_chain SET position = $2 WHERE id = $1', [organizationId, last + events]);
}
