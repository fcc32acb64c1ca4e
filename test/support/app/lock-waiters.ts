/**
 * A FROM clause whose rows are the sessions that wait for a lock of a table of the current database. Test files run at the same time in
 * clones of one database, in which a table has the same id.
 */
export const lockWaiters = (table: string): string =>
  `pg_locks WHERE NOT granted AND relation = '${table}'::regclass
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
