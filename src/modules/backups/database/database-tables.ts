import { type ClientBase } from 'pg';

/** A table whose rows belong into a backup. */
export interface BackedUpTable {
  readonly schema: string;
  readonly name: string;
  /** All that are stored, in their order; generated ones are not. */
  readonly columns: readonly string[];
}

interface TableRow extends BackedUpTable {
  readonly id: string;
  /** The tables that its foreign keys point to. */
  readonly needs: readonly string[];
}

/** Where rows that must outlive the machine are: ours, and the job queue's. */
const SCHEMAS = ['public', 'graphile_worker'];
/** What the migrations write themselves. */
const OF_MIGRATIONS = ['public.migration', 'graphile_worker.migrations'];

const TABLES = `
  SELECT c.oid::text AS id, n.nspname::text AS schema, c.relname::text AS name,
    array(SELECT attname::text FROM pg_attribute
      WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum) AS columns,
    array(SELECT DISTINCT confrelid::text FROM pg_constraint
      WHERE conrelid = c.oid AND contype = 'f' AND confrelid <> c.oid) AS needs
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p') AND c.relpersistence = 'p' AND NOT c.relispartition
    AND n.nspname || '.' || c.relname <> ALL ($2)
  ORDER BY 2, 3`;

/** Every table with rows of the service, each after those it refers to: so they can be filled in this order. */
export async function findTables(client: ClientBase): Promise<BackedUpTable[]> {
  const { rows } = await client.query<TableRow>(TABLES, [SCHEMAS, OF_MIGRATIONS]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ordered = new Map<string, BackedUpTable>();
  const visit = ({ id, needs, schema, name, columns }: TableRow): void => {
    if (ordered.has(id)) return;
    for (const needed of needs) {
      const row = byId.get(needed);
      if (row) visit(row);
    }
    ordered.set(id, { schema, name, columns });
  };
  rows.forEach(visit);
  return [...ordered.values()];
}

/** The migrations that have made the schema, ours and the job queue's, oldest first. */
export async function findMigrations(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT name FROM (
      SELECT 1 AS whose, id, name FROM public.migration
      UNION ALL SELECT 0, id, 'graphile_worker ' || id FROM graphile_worker.migrations) AS m
    ORDER BY whose, id`);
  return rows.map(({ name }) => name);
}

export const sqlName = ({ schema, name }: BackedUpTable): string => `${quoted(schema)}.${quoted(name)}`;
export const sqlColumns = ({ columns }: BackedUpTable): string => columns.map(quoted).join(', ');

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
