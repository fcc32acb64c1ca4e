// Measures how much the attacks of one stranger or tenant cost the others.
// npm run bench abuse
//
// Runs the measurements below, one after another, each with a service of its own. Prints their ratios and which of them missed its goal;
// exits with 1 when one did.
import { spawnSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { run } from '../scripts/support/project.mjs';

const MEASUREMENTS = [
  ['/live beside the most expensive bodies', ['input-cost.mjs']],
  ['an upload beside 24 hostile uploads of another organization', ['inspection-neighbours.mjs']],
  ['memory of 40 stalled uploads', ['stalled-uploads.mjs']],
  ["an owner's login beside ten guesses a second", ['login-flood.mjs', '--fairness']],
  ['updates beside eighty addresses that read no byte', ['update-crowd.mjs']],
  ['jobs beside a store or a mail server that hangs', ['job-neighbours.mjs']],
];

await run(async () => {
  await ensureBuilt();
  const missed = MEASUREMENTS.filter(([title, [script, ...options]]) => {
    console.log(`\n== ${title}`);
    const file = fileURLToPath(new URL(script, import.meta.url));
    return spawnSync(process.execPath, [file, ...options], { stdio: 'inherit' }).status !== 0;
  });
  console.log(`\nLoad average ${loadavg()[0].toFixed(1)}.`);
  for (const [title] of missed) console.log(`MISSED: ${title}`);
  process.exitCode = missed.length > 0 ? 1 : 0;
});
