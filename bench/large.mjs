// Compares a large installation with an almost empty one, and runs its nights and a year of its month ends.
// npm run bench large [-- --scale 0.1] [--keep folder] [--only parts] [--filter text] [--samples 16]
//
// Scale 1 has 10,000 organizations, 3 million builds, 2 million testers, 8 million ledger entries and 5 million audit events: 25 GB. With
// --keep, the filled installations stay in a folder, and the next run copies them. Parts: reads, statements, jobs, neighbours, processes,
// year; --filter restricts reads, statements and jobs to those whose name contains a text, or one of several that commas separate. Exits
// with 1 when a budget is exceeded; bench/large/exceptions.mjs lists what may, with the reason.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { Failure, run, SIGNALS } from '../scripts/support/project.mjs';
import { EMPTY, sizesAt } from './large/fill/sizes.mjs';
import { copyInstallation, fillInstallation, Installation } from './large/installation.mjs';
import { measureJobs } from './large/jobs.mjs';
import { measureNeighbours } from './large/neighbours.mjs';
import { explainReads } from './large/plans.mjs';
import { measureProcesses } from './large/processes.mjs';
import { measureReads } from './large/reads/reads.mjs';
import { closeYear } from './large/year.mjs';

/** The year is last, because it moves the clock. */
const PARTS = {
  reads: measureReads,
  statements: explainReads,
  neighbours: measureNeighbours,
  processes: measureProcesses,
  jobs: measureJobs,
  year: closeYear,
};

const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '0.1' },
    keep: { type: 'string' },
    only: { type: 'string' },
    filter: { type: 'string', default: '' },
    samples: { type: 'string', default: '16' },
  },
});

/** @returns a copy of an installation of these sizes, which is filled first unless it was kept. */
async function prepare(name, sizes, folder, kept) {
  const filled = join(kept ?? folder, name);
  if (existsSync(filled)) console.log(`${name}: uses ${filled}`);
  else {
    console.log(`${name}: fills ${sizes.organizations} organizations`);
    await fillInstallation(filled, sizes, (line) => console.log(line));
  }
  if (!kept) return Installation.open(filled);
  copyInstallation(filled, join(folder, name));
  return Installation.open(join(folder, name));
}

async function end(installations, folder) {
  for (const installation of Object.values(installations)) await installation.stop();
  rmSync(folder, { recursive: true, force: true });
}

const secondsSince = (start) => ((performance.now() - start) / 1000).toFixed(0);

/** Runs a part and prints its table. @returns what missed its budget. */
async function runPart(name, installations) {
  console.log(`\n== ${name}`);
  const started = performance.now();
  const report = (rows, line) => {
    console.table(rows);
    if (line) console.log(line);
  };
  const missed = await PARTS[name](installations, { report, filter: values.filter, samples: Number(values.samples) });
  console.log(`${name}: ${secondsSince(started)} s, load of the machine ${loadavg()[0].toFixed(1)}`);
  return missed.map((each) => `${name}: ${each}`);
}

// Each process of the service adds one.
process.setMaxListeners(50);

await run(async () => {
  const scale = Number(values.scale);
  const parts = values.only ? values.only.split(',') : Object.keys(PARTS);
  if (!(scale > 0) || parts.some((name) => !(name in PARTS)))
    throw new Failure(`--scale is a number above 0, and --only one or more of ${Object.keys(PARTS).join(',')}.`);
  await ensureBuilt();
  const started = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'agate-large-'));
  // PostgreSQL runs under another account when this process is root's.
  chmodSync(folder, 0o711);
  const kept = values.keep && resolve(values.keep);
  if (kept) mkdirSync(kept, { recursive: true, mode: 0o711 });
  // Temporary files of the parts, too, disappear with the folder.
  process.env.TMPDIR = folder;
  const installations = {};
  const missed = [];
  for (const signal of SIGNALS)
    process.once(signal, () => void end(installations, folder).finally(() => process.exit(1)));
  try {
    if (parts.includes('reads')) installations.empty = await prepare('empty', EMPTY, folder, kept);
    installations.large = await prepare(`large-${scale}`, sizesAt(scale), folder, kept);
    for (const name of parts) missed.push(...(await runPart(name, installations)));
  } finally {
    await end(installations, folder);
  }
  console.log(`\nscale ${scale}: ${secondsSince(started)} s`);
  for (const each of missed) console.log(`MISSED: ${each}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
});
