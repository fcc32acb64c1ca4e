// What stands in the way of others in a PostgreSQL: who holds a table so that nobody may read it, and who waits for one.
import { setTimeout as sleep } from 'node:timers/promises';

const PERIOD_MS = 10;
const LOCKS = `
  SELECT pid || ' ' || virtualtransaction || ' ' || relation AS hold, relation::regclass::text AS table, granted, mode,
         usename AS role, extract(epoch FROM clock_timestamp() - waitstart) * 1000 AS "waitedMs"
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'relation' AND relation >= 16384 AND (NOT granted OR mode = 'AccessExclusiveLock')`;

/** @returns what was seen so far, in milliseconds; a hold may have been longer than that by two looks, of 10 ms at least. */
export function watchLocks(database) {
  const holds = new Map();
  const seen = { longestHold: { ms: 0 }, longestWait: { ms: 0 } };
  let isOver = false;
  const look = async () => {
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
  const looking = (async () => {
    while (!isOver) await Promise.all([look(), sleep(PERIOD_MS)]);
  })();
  return {
    /** What was the longest since the last time it was asked. */
    take() {
      const { longestHold, longestWait } = seen;
      Object.assign(seen, { longestHold: { ms: 0 }, longestWait: { ms: 0 } });
      return { longestHold, longestWait };
    },
    async stop() {
      isOver = true;
      await looking;
    },
  };
}
