// Fills a database with many organizations by copying rows that the service wrote, with new ids.

const ORGANIZATIONS = 10;

/** Copies a row of `table` for each row of `from`, with `changes` (an SQL list of names and values). */
export const copies = (table, from, changes, which = '') => `
  INSERT INTO ${table} SELECT new.* FROM (SELECT t FROM ${table} AS t ${which} LIMIT 1) AS one, ${from},
    LATERAL jsonb_populate_record(one.t, jsonb_build_object(${changes})) AS new`;

/** Generates rows that are distributed over the projects. */
const forProjects = (rows) => `
  (SELECT uuidv7() AS id, n, p.id AS project_id, p.organization_id FROM generate_series(1, ${rows}) AS n
   JOIN (SELECT *, row_number() OVER (ORDER BY id) - 1 AS slot FROM project) AS p ON p.slot = n % ${ORGANIZATIONS}) AS x`;

const OTHERS = `(SELECT id FROM organization WHERE name LIKE 'Other %') AS o`;
const IN_PROJECT = `'id', x.id, 'organization_id', x.organization_id, 'project_id', x.project_id`;

/**
 * Fills testers, downloads, ledger and audit events to `rows` rows, and builds to a tenth of that. One row of each must exist, in one
 * project. Constraints stay valid and the billing data stays consistent.
 * @param database a connection as the owner of the schema.
 */
export async function fillTables(database, rows) {
  await database.query(
    `INSERT INTO organization (id, name, created_at) SELECT uuidv7(), 'Other ' || n, now() FROM generate_series(2, ${ORGANIZATIONS}) AS n`,
  );
  const noMoney = `'balance_micro_usd', 0, 'reserved_micro_usd', 0, 'spent_micro_usd', 0`;
  await database.query(copies('billing_account', OTHERS, `'organization_id', o.id, ${noMoney}`));
  await database.query(copies('membership', OTHERS, `'organization_id', o.id`));
  await database.query(copies('project', OTHERS, `'id', uuidv7(), 'organization_id', o.id`));

  await database.query(
    copies(
      'tester',
      forProjects(rows),
      `${IN_PROJECT}, 'email', 't' || x.n || '@example.com', 'email_key', 't' || x.n || '@example.com'`,
    ),
  );
  await database.query(
    copies('build', forProjects(rows / 10), `${IN_PROJECT}, 'blob_key', 'builds/' || x.id, 'downloads_total', 10`),
  );
  await database.query(`
    WITH kept AS (
      INSERT INTO stored_build (build_id, organization_id, size_bytes)
      SELECT id, organization_id, size_bytes FROM build ON CONFLICT DO NOTHING RETURNING *)
    INSERT INTO storage_interval (id, organization_id, build_id, size_bytes, started_at)
    SELECT uuidv7(), organization_id, build_id, size_bytes, now() FROM kept`);
  const downloads = `
    (SELECT uuidv7() AS id, b.id AS build_id, b.organization_id, b.project_id FROM build AS b, generate_series(1, 10)) AS x`;
  await database.query(
    copies('build_download', downloads, `${IN_PROJECT}, 'build_id', x.build_id, 'ticket_id', gen_random_uuid()`),
  );
  const ofNothing = `'id', x.id, 'organization_id', x.organization_id, 'amount_micro_usd', 0, 'reference', 'bench ' || x.n`;
  await database.query(copies('ledger_entry', forProjects(rows), ofNothing));
  await fillAudit(database, rows);
  await database.query('ANALYZE');
}

/** Without triggers, which chain only about a thousand events per second. The hashes of these events are not valid. */
async function fillAudit(database, rows) {
  await database.query(`SELECT audit_add_partitions(now() - interval '25 days', now())`);
  const each = rows / ORGANIZATIONS;
  const from = `(SELECT id, n FROM organization, generate_series(1, ${each}) AS n) AS x`;
  const changes = `'id', uuidv7(), 'organization_id', x.id, 'position', x.n, 'time', now() - interval '25 days' * (1 - x.n / ${each}.0)`;
  await database.query('SET session_replication_role = replica');
  await database.query(copies('audit_event', from, changes, 'WHERE organization_id IS NOT NULL'));
  await database.query('RESET session_replication_role');
  await database.query(`
    INSERT INTO audit_chain (id, position, hash) SELECT id, ${each}, '' FROM organization
    ON CONFLICT (id) DO UPDATE SET position = excluded.position`);
}
