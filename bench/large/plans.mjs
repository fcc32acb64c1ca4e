// Finds statements of reads that scan a large table or discard many rows: their time grows with the data, even where it is still short.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { exceptionOf } from './exceptions.mjs';
import { serverOf } from './reads/reads.mjs';

/** A table with more rows is large, and a request may discard at most that many. */
const MANY = 10_000;
const SETTINGS = { log_min_duration: '0', log_analyze: 'on', log_timing: 'off', log_format: 'json' };
const SHOWN_CHARACTERS = 120;

/** Logs the plan of each statement of the application's role in sessions that begin from now on. */
async function explainAll(database, role, isOn) {
  for (const [name, value] of Object.entries(SETTINGS))
    await database.query(
      `ALTER ROLE ${role} ${isOn ? `SET auto_explain.${name} = '${value}'` : `RESET auto_explain.${name}`}`,
    );
}

/** @returns a function that returns the plans since its last call. The server empties a log that has become long. */
function plansIn(file) {
  let position = 0;
  return () => {
    const log = openSync(file, 'r');
    const { size } = fstatSync(log);
    const start = size < position ? 0 : position;
    const added = Buffer.alloc(size - start);
    readSync(log, added, 0, added.length, start);
    closeSync(log);
    position = size;
    return [...added.toString('utf8').matchAll(/duration: [\d.]+ ms {2}plan:\n((?:\t.*\n)+)/g)].map(([, json]) =>
      JSON.parse(json),
    );
  };
}

const nodesOf = (node) => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
const rowsOf = (node) => node['Actual Rows'] * node['Actual Loops'];
const removedBy = (node) =>
  ['Rows Removed by Filter', 'Rows Removed by Join Filter', 'Rows Removed by Index Recheck']
    .map((name) => (node[name] ?? 0) * node['Actual Loops'])
    .concat(node['Node Type'] === 'Sort' ? rowsOf(node.Plans[0]) - rowsOf(node) : 0)
    .reduce((sum, rows) => sum + rows, 0);

/** Whether a statement that may read many rows scans a table because most of its rows are its own: no index would be faster. */
const returnsMost = (node) => rowsOf(node) >= removedBy(node);

/** @returns why the statements of a request are too expensive; empty when they are not. */
function faultsOf(plans, largeTables, exception) {
  const scans = plans.flatMap((plan) =>
    nodesOf(plan.Plan)
      .filter(
        (node) =>
          node['Node Type'] === 'Seq Scan' &&
          node['Actual Loops'] > 0 &&
          largeTables.has(node['Relation Name']) &&
          !(exception && returnsMost(node)),
      )
      .map((node) => `scans ${node['Relation Name']}: ${shortened(plan)}`),
  );
  const removals = plans.map((plan) => [
    plan,
    nodesOf(plan.Plan)
      .map(removedBy)
      .reduce((sum, rows) => sum + rows, 0),
  ]);
  const removed = removals.reduce((sum, [, rows]) => sum + rows, 0);
  const [worst] = removals.toSorted(([, a], [, b]) => b - a);
  const most = exception ? (exception.rows ?? Infinity) : MANY;
  return [...new Set(scans), ...(removed > most ? [`discards ${removed} rows: ${shortened(worst[0])}`] : [])];
}

const shortened = (plan) => plan['Query Text'].replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN_CHARACTERS);

/** @returns the reads whose statements are too expensive. */
export async function explainReads({ large }, { report, filter }) {
  const database = await large.connect();
  const role = new URL(large.postgres.url).username;
  await explainAll(database, role, true);
  const { rows } = await database.query(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND reltuples > ${MANY} AND relnamespace = 'public'::regnamespace`,
  );
  const largeTables = new Set(rows.map(({ name }) => name));
  const missed = [];
  const found = {};
  try {
    // Background work of the process would be counted as that of a request.
    const { requests, send } = await serverOf(large);
    const plans = plansIn(join(large.folder, 'postgres', 'server.log'));
    for (const each of requests) {
      if (!filter.split(',').some((part) => each.title.includes(part))) continue;
      plans();
      await send(each);
      const faults = faultsOf(plans(), largeTables, exceptionOf(each.title));
      if (faults.length === 0) continue;
      found[each.title] = { faults: faults.join('; ') };
      missed.push(`${each.title} ${faults.join('; ')}`);
    }
  } finally {
    await large.stopServices();
    await explainAll(database, role, false);
  }
  report(found);
  return missed;
}
