// Simulates a month of a billion downloads: rows, bytes, WAL and commits of the ledger, the log and the queue, and how long the busiest
// organization waits for its account.
// npm run bench ledger-at-a-billion [-- --downloads 1000000000 --organizations 100000 --measured 2000]
//
// First measures what one upload and one download write today, with an embedded PostgreSQL. Then simulates each second of the busiest day
// with these figures: as today, and with the changes that docs/scaling.md names.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { root, run } from '../scripts/support/project.mjs';
import { startService } from './real-service.mjs';
import { closeConnections, download, upload } from './transfer.mjs';

const require = createRequire(import.meta.url);
const pg = require('pg');
const { values } = parseArgs({
  options: {
    downloads: { type: 'string', default: '1000000000' },
    organizations: { type: 'string', default: '100000' },
    measured: { type: 'string', default: '2000' },
  },
});
const [DOWNLOADS, ORGANIZATIONS, MEASURED] = [values.downloads, values.organizations, values.measured].map(Number);
const CLIENTS = 8;
/** Rows that stay. Tickets, reservations and records of requests are deleted within days. */
const KEPT = ['build', 'invite', 'stored_build', 'storage_interval', 'build_download', 'ledger_entry', 'audit_event'];
const [DAY_SECONDS, DAYS] = [86_400, 30];
/** The peak is 3.2 times the mean: a wave with its top at noon, and almost nothing at night. */
const PEAK = 3.2;
/** The time of a flush: a local disk, a network disk, a synchronous standby in another zone. */
const FLUSHES_MS = [0.2, 1, 10];
const DOWNLOADS_PER_BUILD = 10;

/** What the database wrote since the last call: WAL, transactions that wrote something, jobs, and the rows that stay. */
async function counterOf(database) {
  const read = async () => {
    const counts = KEPT.map((table) => `(SELECT count(*) FROM ${table})::int AS ${table}`).join(', ');
    const { rows } = await database.query(`
      SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS wal, pg_current_xact_id()::text::float8 AS commits,
        coalesce(pg_sequence_last_value(pg_get_serial_sequence('graphile_worker._private_jobs', 'id')::regclass), 0)::int AS jobs, ${counts}`);
    return rows[0];
  };
  let last = await read();
  return async () => {
    const [before, now] = [last, await read()];
    last = now;
    return Object.fromEntries(Object.keys(now).map((key) => [key, now[key] - before[key]]));
  };
}

/** The bytes of each table with its indexes and partitions. */
async function sizesOf(database) {
  const sizes = KEPT.map(
    (table) => `(pg_total_relation_size('${table}') +
      coalesce((SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('${table}')), 0))::float8 AS ${table}`,
  );
  return (await database.query(`SELECT ${sizes.join(', ')}`)).rows[0];
}

async function repeat(count, work) {
  let left = count;
  const client = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

/** @returns for one upload and one download of today's service: WAL, commits, jobs and rows; and the bytes of a row of each table. */
async function measure(service, database) {
  const builds = [];
  const uploadOne = async () => builds.push(JSON.parse(await upload(service, 1_000)).id);
  let next = 0;
  const downloadOne = async () => download(service, await service.mint(builds[(next += 1) % builds.length]));
  // The first changes after a checkpoint write whole pages.
  await repeat(MEASURED / 10, uploadOne);
  await repeat(MEASURED / 10, downloadOne);
  const empty = await sizesOf(database);
  const takeCounts = await counterOf(database);
  const per = (counts) => Object.fromEntries(Object.entries(counts).map(([key, count]) => [key, count / MEASURED]));
  await repeat(MEASURED, uploadOne);
  await sleep(1_000);
  const ofUpload = per(await takeCounts());
  await repeat(MEASURED, downloadOne);
  await sleep(1_000);
  const ofDownload = per(await takeCounts());
  const grown = await sizesOf(database);
  const added = (table) => (ofUpload[table] + ofDownload[table]) * MEASURED;
  const bytes = Object.fromEntries(KEPT.map((table) => [table, (grown[table] - empty[table]) / added(table)]));
  return { ofUpload, ofDownload, bytes };
}

/**
 * The changes of the path in docs/scaling.md: the rows that a download writes instead of today's, and how often it locks a row of its
 * organization over a flush. Today its account is locked twice, when the cost is reserved and when it is charged; the first transaction also
 * locks the chain of the audit feed.
 */
const VARIANTS = {
  'as today': { rows: {}, locks: 2 },
  'usage events, folded each second': { rows: {}, locks: 1 },
  'and entries per hour and organization': { rows: { ledger_entry: 0 }, locks: 1, hourly: true },
  'and the log in a column store': { rows: { ledger_entry: 0, build_download: 0 }, locks: 1, hourly: true },
  'and the audit events of downloads there': {
    rows: { ledger_entry: 0, build_download: 0, audit_event: 0 },
    locks: 0,
    hourly: true,
  },
};

/** Downloads in a second of a day. */
const rateAt = (second, mean) => mean * PEAK * ((1 + Math.cos(2 * Math.PI * (second / DAY_SECONDS - 0.5))) / 2) ** 3;

/** The share of the busiest organization when the shares fall with the rank (Zipf). */
function largestShare(count) {
  let sum = 0;
  for (let rank = 1; rank <= count; rank += 1) sum += 1 / rank;
  return 1 / sum;
}

/** The queue of downloads that wait for a row of one organization, which is held over a flush. @returns the longest wait in seconds. */
function longestWait(mean, share, flushMs, locks) {
  const capacity = 1_000 / flushMs / locks;
  let [waiting, longest] = [0, 0];
  for (let second = 0; second < DAY_SECONDS; second += 1) {
    waiting = Math.max(0, waiting + rateAt(second, mean) * share - capacity);
    longest = Math.max(longest, waiting / capacity);
  }
  return longest;
}

function simulate({ ofUpload, ofDownload, bytes }) {
  const mean = DOWNLOADS / (DAYS * DAY_SECONDS);
  const peak = mean * PEAK;
  const share = largestShare(ORGANIZATIONS);
  console.log(
    `\n${DOWNLOADS.toExponential(0)} downloads a month: ${mean.toFixed(0)} a second, ${peak.toFixed(0)} at the peak; ` +
      `the busiest of ${ORGANIZATIONS} organizations has ${(share * 100).toFixed(0)} % of them.`,
  );
  const rowsOf = (variant) => {
    const uploads = DOWNLOADS / DOWNLOADS_PER_BUILD;
    const counts = KEPT.map((table) => [
      table,
      uploads * Math.round(ofUpload[table]) + DOWNLOADS * Math.round(variant.rows[table] ?? ofDownload[table]),
    ]);
    const hourly = variant.hourly ? ORGANIZATIONS * DAYS * 24 : 0;
    return counts.map(([table, count]) => [table, count + (table === 'ledger_entry' ? hourly : 0)]);
  };
  const table = Object.entries(VARIANTS).map(([name, variant]) => {
    const rows = rowsOf(variant);
    const stored = rows.reduce((sum, [of, count]) => sum + count * bytes[of], 0);
    const today = rowsOf(VARIANTS['as today']).reduce((sum, [of, count]) => sum + count * bytes[of], 0);
    // The WAL of a row is in proportion to its bytes.
    const wal = (ofDownload.wal + ofUpload.wal / DOWNLOADS_PER_BUILD) * (stored / today);
    const commits = ofDownload.commits + ofUpload.commits / DOWNLOADS_PER_BUILD;
    const waits = FLUSHES_MS.map((ms) => [
      `longest wait, flush ${ms} ms (s)`,
      longestWait(mean, share, ms, variant.locks).toFixed(0),
    ]);
    return [
      name,
      {
        'rows a month (millions)': (rows.reduce((sum, [, count]) => sum + count, 0) / 1e6).toFixed(0),
        'GB a month': (stored / 1e9).toFixed(0),
        'WAL at the peak (MB/s)': ((wal * peak) / 1e6).toFixed(1),
        'commits at the peak (1/s)': (commits * peak).toFixed(0),
        'jobs at the peak (1/s)': ((ofDownload.jobs + ofUpload.jobs / DOWNLOADS_PER_BUILD) * peak).toFixed(0),
        ...Object.fromEntries(waits),
      },
    ];
  });
  console.table(Object.fromEntries(table));
}

await run(async () => {
  await ensureBuilt();
  const { startEmbeddedPostgres } = require(join(root, 'dist/src/infra/database/embedded/embedded-postgres.js'));
  const folder = mkdtempSync(join(tmpdir(), 'agate-billion-'));
  const postgres = await startEmbeddedPostgres({ dataDirectory: folder, log: () => undefined });
  const service = await startService({
    DATABASE_URL: postgres.url,
    DATABASE_OWNER_URL: postgres.ownerUrl,
    TRIAL_CREDIT_MICRO_USD: '1000000000000',
    MAX_OPEN_RESERVATIONS: '100000',
  });
  const database = new pg.Client({ connectionString: postgres.ownerUrl });
  await database.connect();
  try {
    const measured = await measure(service, database);
    const line = ({ wal, commits, jobs, ...rows }) => ({
      'WAL (bytes)': wal.toFixed(0),
      commits: commits.toFixed(1),
      jobs: jobs.toFixed(2),
      ...rows,
    });
    console.table({ upload: line(measured.ofUpload), download: line(measured.ofDownload) });
    console.table({
      'bytes of a row': Object.fromEntries(KEPT.map((name) => [name, Math.round(measured.bytes[name])])),
    });
    simulate(measured);
  } finally {
    await database.end();
    closeConnections();
    await service.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
