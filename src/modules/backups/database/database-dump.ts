import { join } from 'node:path';
import { type ClientBase } from 'pg';
import { type CopyToStreamQuery, to as copyTo } from 'pg-copy-streams';
import { syncFolder } from '#infra/blob/local/local-folder';
import { type FileDigest } from '#infra/blob/streams/digest';
import { type BackedUpTable, findMigrations, findTables, oldestEventAt, sqlColumns, sqlName } from './database-tables';
import { writeZipped } from './durable-file';

/** A gzip file with rows in the text format of COPY. */
export interface DumpedFile extends FileDigest {
  readonly file: string;
  readonly rows: number;
}

export interface DumpedTable extends BackedUpTable, DumpedFile {}

/** A snapshot of the database, one file per table. */
export interface DatabaseDump {
  readonly migrations: readonly string[];
  /** Ordered by foreign keys: a table follows the tables that it references. */
  readonly tables: readonly DumpedTable[];
  /** The results of further queries in the same snapshot, by name. */
  readonly lists: Readonly<Record<string, DumpedFile>>;
  /** The time of the oldest audit event, for which a restore creates partitions; null when there is none. */
  readonly firstEventAt: string | null;
}

const SNAPSHOT = 'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY';
/** The text format of COPY depends on these settings. */
const SETTINGS = `SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'iso_8601';
  SET LOCAL extra_float_digits = 1; SET LOCAL client_encoding = 'UTF8'; SET LOCAL search_path = public`;

/**
 * Writes all rows of all tables into files of a folder, in one snapshot, while the service reads and writes.
 * @param lists starts of further copies by name; each result is written to a file too.
 */
export async function dumpDatabase(
  client: ClientBase,
  folder: string,
  lists: Readonly<Record<string, (client: ClientBase) => Promise<CopyToStreamQuery>>>,
  report: (done: number, total: number) => void,
): Promise<DatabaseDump> {
  await client.query(`${SNAPSHOT}; ${SETTINGS}`);
  try {
    const tables = await findTables(client);
    const total = tables.length + Object.keys(lists).length;
    const dumped: DumpedTable[] = [];
    for (const table of tables) {
      const copy = client.query(copyTo(`COPY (SELECT ${sqlColumns(table)} FROM ${sqlName(table)}) TO STDOUT`));
      const file = `${table.schema}.${table.name}.copy.gz`;
      dumped.push({ ...table, ...(await dump(client, copy, folder, file)) });
      report(dumped.length, total);
    }
    const results: Record<string, DumpedFile> = {};
    for (const [name, start] of Object.entries(lists)) {
      results[name] = await dump(client, await start(client), folder, `${name}.list.gz`);
      report(dumped.length + Object.keys(results).length, total);
    }
    const migrations = await findMigrations(client);
    const firstEventAt = (await oldestEventAt(client))?.toISOString() ?? null;
    await syncFolder(folder);
    return { migrations, tables: dumped, lists: results, firstEventAt };
  } finally {
    await client.query('ROLLBACK');
  }
}

async function dump(client: ClientBase, copy: CopyToStreamQuery, folder: string, file: string): Promise<DumpedFile> {
  const digest = await writeZipped(join(folder, file), copy);
  // The number of rows may arrive after the last of them, but before the response to a later statement.
  await client.query('SELECT');
  return { file, rows: copy.rowCount, ...digest };
}
