import { type ClientBase } from 'pg';

/** A table that a backup contains. */
export interface BackedUpTable {
  readonly schema: string;
  readonly name: string;
  /** In table order, without generated columns. */
  readonly columns: readonly string[];
}

interface TableRow extends BackedUpTable {
  readonly id: string;
  /** The tables that its foreign keys reference. */
  readonly references: readonly string[];
}

/** The schemas of the service and of its job queue. */
const SCHEMAS = ['public', 'graphile_worker'];
/**
 * Tables with a state of this database and not of the installation: the applied migrations, and the highest time that this database has
 * seen. A restored database starts without that time: the operator who restores is responsible for the clock.
 */
const OWN_TABLES = ['public.migration', 'graphile_worker.migrations', 'public.clock_mark'];

const TABLES = `
  SELECT c.oid::text AS id, n.nspname::text AS schema, c.relname::text AS name,
    array(SELECT attname::text FROM pg_attribute
      WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum) AS columns,
    array(SELECT DISTINCT confrelid::text FROM pg_constraint
      WHERE conrelid = c.oid AND contype = 'f' AND confrelid <> c.oid) AS "references"
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p') AND c.relpersistence = 'p' AND NOT c.relispartition
    AND n.nspname || '.' || c.relname <> ALL ($2)
  ORDER BY 2, 3`;

/**
 * All tables from the catalogue, ordered by foreign keys: a table follows the tables that it references, so rows can be loaded in this
 * order.
 */
export async function findTables(client: ClientBase): Promise<BackedUpTable[]> {
  const { rows } = await client.query<TableRow>(TABLES, [SCHEMAS, OWN_TABLES]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ordered = new Map<string, BackedUpTable>();
  const visit = ({ id, references, schema, name, columns }: TableRow): void => {
    if (ordered.has(id)) return;
    for (const referenced of references) {
      const row = byId.get(referenced);
      if (row) visit(row);
    }
    ordered.set(id, { schema, name, columns });
  };
  rows.forEach(visit);
  return [...ordered.values()];
}

const JOB_QUEUE = 'graphile_worker ';

/** Whether a name of `findMigrations` is one of the job queue's own migrations. */
export const isOfJobQueue = (migration: string): boolean => migration.startsWith(JOB_QUEUE);

/** The applied migrations of the job queue and of the service, oldest first. */
export async function findMigrations(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT name FROM (
      SELECT 1 AS source, id, name FROM public.migration
      UNION ALL SELECT 0, id, '${JOB_QUEUE}' || id FROM graphile_worker.migrations) AS m
    ORDER BY source, id`);
  return rows.map(({ name }) => name);
}

export const sqlName = ({ schema, name }: BackedUpTable): string => `${quoted(schema)}.${quoted(name)}`;
export const sqlColumns = ({ columns }: BackedUpTable): string => columns.map(quoted).join(', ');

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The time of the oldest audit event; null when there is none. */
export async function oldestEventAt(client: ClientBase): Promise<Date | null> {
  const { rows } = await client.query<{ at: Date | null }>('SELECT min(time) AS at FROM audit_event');
  return rows[0]?.at ?? null;
}

/** Creates the monthly partitions from `first` (null: now) up to three months from now. Existing ones stay. */
export async function addPartitionsSince(client: ClientBase, first: string | null): Promise<void> {
  const sql = `SELECT audit_add_partitions(coalesce($1::timestamptz, app_now()), app_now() + interval '3 months')`;
  await client.query(sql, [first]);
}
