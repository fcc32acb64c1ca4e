import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { AppError } from '#kernel/errors/app-error';
import { type DatabaseDump, type DumpedTable } from './database-dump';
import { addPartitionsSince, type BackedUpTable, findTables, sqlColumns, sqlName } from './database-tables';
import { verifying } from './durable-file';

/**
 * Loads the rows of a dump into the empty tables of a migrated database, in the caller's transaction. User triggers are disabled, so
 * audit events keep their positions and hashes; foreign keys are checked. All tables are locked until the transaction ends.
 * @throws AppError operation_not_allowed when the database is not empty.
 */
export async function loadDatabase(
  client: ClientBase,
  folder: string,
  dump: DatabaseDump,
  report: (done: number, total: number) => void,
): Promise<void> {
  const present = await findTables(client);
  await client.query(`LOCK TABLE ${present.map(sqlName).join(', ')} IN ACCESS EXCLUSIVE MODE`);
  await requireEmpty(client);
  for (const table of present.filter(isLeftByStart)) await client.query(`DELETE FROM ${sqlName(table)}`);
  await addPartitionsSince(client, dump.firstEventAt);
  let done = 0;
  for (const table of dump.tables) {
    await load(client, folder, table);
    report((done += 1), dump.tables.length);
  }
  await continueSequences(client);
  await client.query(
    `UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL WHERE locked_at IS NOT NULL`,
  );
  await client.query(
    `UPDATE graphile_worker._private_job_queues SET locked_at = NULL, locked_by = NULL WHERE locked_at IS NOT NULL`,
  );
}

/**
 * Also accepts a database without tables.
 * @throws AppError operation_not_allowed when a table has a row. Rows that a start creates are ignored.
 */
export async function requireEmpty(client: ClientBase): Promise<void> {
  for (const table of await findTables(client)) {
    if (isLeftByStart(table)) continue;
    const { rowCount } = await client.query(`SELECT FROM ${sqlName(table)} LIMIT 1`);
    if (rowCount) throw notEmpty(table.name);
  }
}

async function load(client: ClientBase, folder: string, table: DumpedTable): Promise<void> {
  const name = sqlName(table);
  await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
  const stream = client.query(copyFrom(`COPY ${name} (${sqlColumns(table)}) FROM STDIN`));
  // The file may have changed since all files were verified.
  await pipeline(createReadStream(join(folder, table.file)), verifying(table), createGunzip(), stream);
  await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
  if (stream.rowCount === table.rows) return;
  const message = `${stream.rowCount} rows were loaded into ${table.name} instead of ${table.rows}.`;
  throw new AppError('internal_error', { message });
}

/** Sets each sequence behind the largest value of its column, so that no number is used twice. */
async function continueSequences(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ sequence: string; of: string; column: string }>(`
    SELECT d.objid::regclass::text AS sequence, d.refobjid::regclass::text AS of, quote_ident(a.attname) AS column
    FROM pg_depend d JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
    JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
    WHERE d.deptype IN ('a', 'i') AND d.refobjsubid > 0
      AND s.relnamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace)`);
  for (const { sequence, of, column } of rows) {
    await client.query(`SELECT setval($1::regclass, coalesce(max(${column}), 0) + 1, false) FROM ${of}`, [sequence]);
  }
}

/** A service that has run on an empty database for a moment has left jobs in its queue and the place of its store. */
const isLeftByStart = ({ schema, name }: BackedUpTable): boolean => schema !== 'public' || name === 'hosted_store';

const notEmpty = (table: string): AppError =>
  new AppError('operation_not_allowed', {
    message: 'This database is not empty. Create an empty database and set DATABASE_URL to it.',
    details: { reason: 'database_not_empty', table },
  });
