// Warm starts of the service with its embedded PostgreSQL, from the start of the process until it is ready.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchService } from './real-service.mjs';

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/**
 * Starts and stops each version in turn, and prints the medians of the time and of the CPU time of node, and the medians of each
 * round's ratios to the first version.
 * @param versions `{name, folder}`, the folder of a built project.
 */
export async function compareStarts(versions, rounds) {
  const sides = versions.map((version) => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'agate-start-'));
    chmodSync(dataDirectory, 0o711);
    return { ...version, dataDirectory, runs: [] };
  });
  try {
    // The first round creates the databases.
    for (let round = 0; round <= rounds; round += 1) {
      for (const side of round % 2 ? sides.toReversed() : sides) {
        const run = await startOnce(side);
        if (round > 0) side.runs.push(run);
      }
    }
  } finally {
    for (const { dataDirectory } of sides) rmSync(dataDirectory, { recursive: true, force: true });
  }
  for (const { name, runs } of sides) {
    const of = (key) => Math.round(median(runs.map((run) => run[key])));
    const ratio = (key) => median(runs.map((run, round) => run[key] / sides[0].runs[round][key])).toFixed(2);
    const ratios = name === sides[0].name ? '' : `  CPU of node ${ratio('cpu')}x, time ${ratio('elapsed')}x`;
    console.log(
      `${'warm start'.padEnd(34)} ${name.padEnd(8)} ${of('cpu')} ms, ready after ${of('elapsed')} ms${ratios}`,
    );
  }
}

async function startOnce({ folder, dataDirectory }) {
  const started = performance.now();
  const service = await launchService({ DATA_DIR: dataDirectory }, [], folder);
  const elapsed = performance.now() - started;
  const { user, system } = (await service.usage()).cpu;
  await service.stop();
  return { elapsed, cpu: (user + system) / 1000 };
}
