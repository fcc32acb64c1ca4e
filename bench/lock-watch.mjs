// Samples the table locks of a PostgreSQL database: exclusive locks, which block readers, and waits for locks.
import { setTimeout as sleep } from 'node:timers/promises';

const PERIOD_MS = 10;
const LOCKS = `
  SELECT pid || ' ' || virtualtransaction || ' ' || relation AS hold, relation::regclass::text AS table, granted, mode,
         usename AS role, extract(epoch FROM clock_timestamp() - waitstart) * 1000 AS "waitedMs"
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'relation' AND relation >= 16384 AND (NOT granted OR mode = 'AccessExclusiveLock')`;

/** Starts sampling every 10 ms. A lock can be held up to two samples longer than measured. */
export function watchLocks(database) {
  const holds = new Map();
  const seen = { longestHold: { ms: 0 }, longestWait: { ms: 0 } };
  let stopped = false;
  const sample = async () => {
    const { rows } = await database.query(LOCKS);
    const now = performance.now();
    for (const { hold, granted, waitedMs, ...what } of rows) {
      if (granted) {
        const { since } = holds.get(hold) ?? { since: now };
        holds.set(hold, { since });
        if (now - since >= seen.longestHold.ms) seen.longestHold = { ms: now - since, ...what };
      } else if (waitedMs > seen.longestWait.ms) seen.longestWait = { ms: Number(waitedMs), ...what };
    }
  };
  const sampling = (async () => {
    while (!stopped) await Promise.all([sample(), sleep(PERIOD_MS)]);
  })();
  return {
    /** The longest exclusive lock and the longest wait since the previous call. */
    take() {
      const { longestHold, longestWait } = seen;
      Object.assign(seen, { longestHold: { ms: 0 }, longestWait: { ms: 0 } });
      return { longestHold, longestWait };
    },
    async stop() {
      stopped = true;
      await sampling;
    },
  };
}
