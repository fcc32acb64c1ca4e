// A year of audit events. The chain of hashes of the hot organization is valid.
const EVENT = 'audit_event';
const YEAR = `interval '365 days'`;

/** The function that the triggers call for each event, as an aggregate: in a window, it returns the hash of each event. */
const CHAIN = `
  CREATE AGGREGATE pg_temp.chain(${EVENT}) (
    sfunc = audit_digest, stype = bytea, initcond = '\\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')`;

/** Events like one of the hot organization that the service wrote: time and subject differ. Types are distributed unevenly. */
const drafts = (from) => `
  SELECT new.* FROM ${from} AS x, (SELECT e AS t FROM chained AS e WHERE type = 'build.uploaded' LIMIT 1) AS one,
    LATERAL jsonb_populate_record(one.t, jsonb_build_object(
    'id', uuidv7(x.time - now()), 'organization_id', x.organization_id, 'project_id', x.project_id, 'time', x.time, 'position', x.n,
    'hash', '', 'source_ip', '203.0.113.' || x.n % 200, 'actor_id', gen_random_uuid(),
    'type', CASE WHEN x.n % 10 = 0 THEN 'channel.created' WHEN x.n % 3 = 0 THEN 'build.updated' ELSE (one.t).type END)) AS new`;

/** The columns before the place in the chain, and the whole row with an empty hash. */
async function columnsOf(database) {
  const { rows } = await database.query(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = '${EVENT}'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  );
  return rows.map(({ name }) => name);
}

export async function fillAudit(database, { organization, project, sizes }) {
  await database.query(`SELECT audit_add_partitions(now() - ${YEAR}, now())`);
  await database.query(CHAIN);
  const { hot, others } = sizes.auditEvents;
  const columns = await columnsOf(database);
  const list = (change) => columns.map((name) => change[name] ?? name).join(', ');
  await database.query(`CREATE TEMP TABLE chained AS SELECT * FROM ${EVENT} WHERE organization_id = '${organization}'`);
  await database.query(`DELETE FROM ${EVENT} WHERE organization_id = $1`, [organization]);
  await database.query(
    `INSERT INTO chained ${drafts(`(
    SELECT '${organization}'::uuid AS organization_id, '${project}'::uuid AS project_id, n,
      now() - ${YEAR} * (1 - n / ${hot + 1}.0) AS time FROM generate_series(1, ${hot}) AS n)`)}`,
  );
  await database.query(`
    INSERT INTO ${EVENT} (${list({})})
    SELECT ${list({ hash: `pg_temp.chain(ROW(${list({ hash: `''::bytea` })})::${EVENT}) OVER (ORDER BY position)` })}
    FROM (SELECT ${list({ position: 'row_number() OVER (ORDER BY time, id) AS position' })} FROM chained) AS ordered`);
  const { rows: heads } = await database.query(
    `UPDATE audit_chain AS c SET position = e.position, hash = e.hash FROM (
       SELECT position, hash FROM ${EVENT} WHERE organization_id = $1 ORDER BY position DESC LIMIT 1) AS e WHERE c.id = $1 RETURNING c.position`,
    [organization],
  );
  if (Number(heads[0]?.position) < hot) throw new Error('The audit feed of the hot organization was not filled.');
  // The hashes of the other organizations are not valid.
  const each = Math.ceil(others / sizes.organizations);
  await database.query(
    `INSERT INTO ${EVENT} (${list({})}) ${drafts(`(
    SELECT o.id AS organization_id, NULL::uuid AS project_id, k AS n, now() - ${YEAR} * (1 - k / ${each + 1}.0) AS time
    FROM new_organization AS o, generate_series(1, ${each}) AS k ORDER BY time)`)}`,
  );
  await database.query(`INSERT INTO audit_chain (id, position, hash) SELECT id, ${each}, '' FROM new_organization`);
}
