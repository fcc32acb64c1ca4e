import { FUNCTIONS, SCHEMAS, type TableName, verbsOn } from './privileges';

/** Runs a statement as the owner of the schema. */
export type Query = <Row>(text: string, parameters?: unknown[]) => Promise<Row[]>;

interface Held {
  /** The quoted name with its schema. */
  readonly sql: string;
  readonly held: readonly string[];
}

/** Excludes objects of extensions and objects that another role owns. */
const OURS = `pg_has_role(%, 'USAGE') AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = o.oid AND deptype = 'e')`;
const HELD = `array(SELECT privilege_type FROM aclexplode(%) WHERE grantee = $1::regrole)`;

const SCHEMAS_HELD = `
  SELECT nspname AS name, quote_ident(nspname) AS sql, ${HELD.replace('%', 'nspacl')} AS held,
         EXISTS (SELECT FROM aclexplode(nspacl) WHERE grantee = 0 AND privilege_type = 'CREATE') AS "isOpen"
  FROM pg_namespace WHERE nspname = ANY ($2)`;

const TABLES_HELD = `
  SELECT nspname AS schema, relname AS name, relispartition AS "isPartition", format('%I.%I', nspname, relname) AS sql,
         ${HELD.replace('%', 'relacl')} AS held,
         relrowsecurity AND NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = o.oid) AS "isClosed"
  FROM pg_class AS o JOIN pg_namespace AS n ON n.oid = relnamespace
  WHERE nspname = ANY ($2) AND relkind IN ('r', 'p', 'v') AND ${OURS.replace('%', 'relowner')}
  ORDER BY 1, 2`;

const FUNCTIONS_HELD = `
  SELECT proname AS name, o.oid::regprocedure::text AS sql, ${HELD.replace('%', 'proacl')} AS held,
         EXISTS (SELECT FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) WHERE grantee = 0) AS "isOpen"
  FROM pg_proc AS o WHERE pronamespace = 'public'::regnamespace AND ${OURS.replace('%', 'proowner')} ORDER BY 1`;

/**
 * Grants `role` exactly the privileges of the list (privileges.ts) and revokes all others. Runs only the statements that change
 * something, so that an ordinary start takes no locks. The caller holds the migration lock.
 * @returns the statements that ran.
 */
export async function grantPrivileges(query: Query, role: string): Promise<string[]> {
  const grantee = `"${role.replaceAll('"', '""')}"`;
  const statements = [
    ...(await schemaStatements(query, grantee)),
    ...(await tableStatements(query, grantee)),
    ...(await functionStatements(query, grantee)),
  ];
  for (const statement of statements) await query(statement);
  return statements;
}

async function schemaStatements(query: Query, grantee: string): Promise<string[]> {
  const schemas = await query<Held & { isOpen: boolean }>(SCHEMAS_HELD, [grantee, SCHEMAS]);
  return schemas.flatMap(({ sql, held, isOpen }) => [
    ...change(grantee, `SCHEMA ${sql}`, ['USAGE'], held),
    // PostgreSQL 15 and later create databases without this privilege; an upgraded database still has it.
    ...(isOpen ? [`REVOKE CREATE ON SCHEMA ${sql} FROM PUBLIC`] : []),
  ]);
}

async function tableStatements(query: Query, grantee: string): Promise<string[]> {
  const tables = await query<Held & TableName & { isClosed: boolean }>(TABLES_HELD, [grantee, SCHEMAS]);
  return tables.flatMap((table) => [
    ...change(grantee, `TABLE ${table.sql}`, verbsOn(table), table.held),
    // The queue's library enables row security without a policy, which admits only the owner. Privileges decide here instead.
    ...(table.isClosed ? [`CREATE POLICY by_privilege ON ${table.sql} USING (true) WITH CHECK (true)`] : []),
  ]);
}

async function functionStatements(query: Query, grantee: string): Promise<string[]> {
  const functions = await query<Held & { name: string; isOpen: boolean }>(FUNCTIONS_HELD, [grantee]);
  return functions.flatMap(({ name, sql, held, isOpen }) => [
    ...change(grantee, `FUNCTION ${sql}`, FUNCTIONS.includes(name) ? ['EXECUTE'] : [], held),
    ...(isOpen ? [`REVOKE EXECUTE ON FUNCTION ${sql} FROM PUBLIC`] : []),
  ]);
}

function change(grantee: string, object: string, wanted: readonly string[], held: readonly string[]): string[] {
  const missing = wanted.filter((privilege) => !held.includes(privilege));
  const surplus = held.filter((privilege) => !wanted.includes(privilege));
  return [
    ...(missing.length > 0 ? [`GRANT ${missing.join(', ')} ON ${object} TO ${grantee}`] : []),
    ...(surplus.length > 0 ? [`REVOKE ${surplus.join(', ')} ON ${object} FROM ${grantee}`] : []),
  ];
}
