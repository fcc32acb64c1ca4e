import { join } from 'node:path';
import { type ClientBase } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type FileDigest } from '#infra/blob/streams/digest';
import { syncFolder } from '#infra/blob/local/local-folder';
import { type BackedUpTable, findMigrations, findTables, sqlColumns, sqlName } from './database-tables';
import { writeZipped } from './durable-file';

/** A file of rows, as COPY writes them (text format), zipped. */
export interface DumpedFile extends FileDigest {
  readonly file: string;
  readonly rows: number;
}

export interface DumpedTable extends BackedUpTable, DumpedFile {}

/** A database as it was at one instant, table by table. */
export interface DatabaseDump {
  readonly migrations: readonly string[];
  /** Each after those it refers to. */
  readonly tables: readonly DumpedTable[];
  /** The answers to further questions, of the same instant, by name. */
  readonly lists: Readonly<Record<string, DumpedFile>>;
  /** When the first of the audit events that there were happened; null for none. */
  readonly firstEventAt: string | null;
}

const SNAPSHOT = 'BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY';
/** What COPY writes depends on these. */
const SETTINGS = `SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'iso_8601';
  SET LOCAL extra_float_digits = 1; SET LOCAL client_encoding = 'UTF8'; SET LOCAL search_path = public`;

/**
 * Writes every row of the service into files of a folder, all as of one instant, while others read and write.
 * @param lists queries whose answers are written beside them.
 */
export async function dumpDatabase(
  client: ClientBase,
  folder: string,
  lists: Readonly<Record<string, string>>,
  report: (done: number, total: number) => void,
): Promise<DatabaseDump> {
  await client.query(`${SNAPSHOT}; ${SETTINGS}`);
  try {
    const tables = await findTables(client);
    const total = tables.length + Object.keys(lists).length;
    const dumped: DumpedTable[] = [];
    for (const table of tables) {
      const query = `SELECT ${sqlColumns(table)} FROM ${sqlName(table)}`;
      const file = `${table.schema}.${table.name}.copy.gz`;
      dumped.push({ ...table, ...(await dump(client, query, folder, file)) });
      report(dumped.length, total);
    }
    const answers: Record<string, DumpedFile> = {};
    for (const [name, query] of Object.entries(lists)) {
      answers[name] = await dump(client, query, folder, `${name}.list.gz`);
      report(dumped.length + Object.keys(answers).length, total);
    }
    const migrations = await findMigrations(client);
    const { rows } = await client.query<{ at: Date | null }>('SELECT min(time) AS at FROM audit_event');
    await syncFolder(folder);
    return { migrations, tables: dumped, lists: answers, firstEventAt: rows[0]?.at?.toISOString() ?? null };
  } finally {
    await client.query('ROLLBACK');
  }
}

async function dump(client: ClientBase, query: string, folder: string, file: string): Promise<DumpedFile> {
  const stream = client.query(copyTo(`COPY (${query}) TO STDOUT`));
  const digest = await writeZipped(join(folder, file), stream);
  return { file, rows: stream.rowCount, ...digest };
}
