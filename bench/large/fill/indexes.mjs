// Makes bulk inserts fast: without foreign keys, and with the secondary indexes created afterwards.

/** Indexes that belong to no constraint, with the statement that creates them. The index of a partitioned table comes before those of its partitions. */
const INDEXES = `
  SELECT indexrelid::regclass::text AS name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS definition
  FROM pg_index WHERE indrelid = ANY ($1::regclass[])
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`;

/** Triggers that a schema adds to inserts, such as those that maintain counts. The chain of the audit feed is computed by the fill itself. */
const TRIGGERS = `
  SELECT tgrelid::regclass::text AS table, quote_ident(tgname) AS name FROM pg_trigger
  WHERE NOT tgisinternal AND tgenabled = 'O' AND tgtype & 4 > 0 AND tgrelid::regclass::text NOT LIKE 'audit\\_%'`;

/**
 * Runs `work` without checks of foreign keys, but with the triggers of the schema, and without the secondary indexes of these tables.
 * @param database a connection as a superuser.
 */
export async function withoutIndexes(database, tables, work) {
  const { rows: indexes } = await database.query(INDEXES, [tables]);
  const { rows: triggers } = await database.query(TRIGGERS);
  for (const { name } of indexes) await database.query(`DROP INDEX ${name}`);
  for (const { table, name } of triggers) await database.query(`ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${name}`);
  await database.query(`SET session_replication_role = replica`);
  try {
    await work();
  } finally {
    await database.query('RESET session_replication_role');
  }
  for (const { table, name } of triggers) await database.query(`ALTER TABLE ${table} ENABLE TRIGGER ${name}`);
  for (const { definition } of indexes) await database.query(definition);
}
