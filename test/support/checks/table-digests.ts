import { type TestApp } from '../app/test-app';

/** Tables that the service changes by itself, at intervals. */
const PERIODIC = ['clock_mark'];

/**
 * One digest per table, the job queue included. Equal digests before and after a request prove that it changed nothing.
 * @param ignored tables that have no digest.
 */
export async function tableDigests(app: TestApp, ignored: readonly string[] = []): Promise<Record<string, string>> {
  const tables = await app.sql<{ name: string }>(
    `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class JOIN pg_namespace AS n ON n.oid = relnamespace
     WHERE relkind IN ('r', 'p') AND NOT relispartition AND NOT (relname = ANY($1))
       AND (nspname = 'public' OR relname = '_private_jobs') ORDER BY 1`,
    [[...PERIODIC, ...ignored]],
  );
  const digests = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, concat(count(*), ' ', sum(hashtextextended(t::text, 0))) AS digest FROM ${name} AS t`,
  );
  const rows = await app.sql<{ name: string; digest: string }>(digests.join(' UNION ALL '));
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
