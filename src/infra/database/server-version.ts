/**
 * SQL of a text that another server, and a server that was started again, does not have: the time at which it was started. With it,
 * `xmin` and `ctid` identify the version of a row in all servers that answer. A server reuses the ids of transactions that were lost in a
 * failover, a rewind or a restore to an earlier point in time, and each of them leads to another server or needs a start
 * (docs/decisions/0053-versioned-fragments.md). The subselect is evaluated once per statement.
 */
export const SERVER_VERSION = `(SELECT extract(epoch FROM pg_postmaster_start_time())::text)`;
