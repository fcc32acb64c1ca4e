// Measures how hostile uploads of one organization slow down the uploads of another one.
// npm run bench inspection-neighbours [-- rounds]
//
// In each round a new organization sends 24 artifacts concurrently that are expensive to inspect, with the default limits, and another
// organization uploads a normal app shortly afterwards. Prints the times of the normal upload and their ratio to those without an attack;
// exits with 1 when the median is more than three times as long.
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { Failure, run } from '../scripts/support/project.mjs';
import { startService } from './real-service.mjs';

const require = createRequire(import.meta.url);
require('../test/support/processes/run-typescript.cjs');
const { amplifyingArtifacts } = require('../test/support/artifacts/amplifying-artifacts.ts');
const { apk } = require('../test/support/artifacts/valid-artifacts.ts');

const ROUNDS = Number(process.argv[2] ?? 5);
const HOSTILE_UPLOADS = 24;
const MAX_RATIO = 3;
/** Larger ones would measure the transfer, and the client in this process. */
const MAX_HOSTILE_BYTES = 500_000;
/** Time until the hostile uploads are being inspected. */
const HEAD_START_MS = 100;

await run(async () => {
  await ensureBuilt();
  const service = await startService({ RATE_LIMIT_FACTOR: '1' });
  const origin = `http://127.0.0.1:${service.port}`;
  const upload = async ({ uploadPath, headers }, fileName, bytes) => {
    const form = new FormData();
    form.set('file', new Blob([bytes]), fileName);
    const started = performance.now();
    const response = await fetch(origin + uploadPath, { method: 'POST', headers, body: form });
    await response.arrayBuffer();
    return { status: response.status, ms: performance.now() - started };
  };
  const normal = async () => {
    const { status, ms } = await upload(service, 'normal.apk', apk());
    if (status !== 201) throw new Failure(`A normal upload got ${status}.`);
    return ms;
  };
  try {
    const hostile = amplifyingArtifacts
      .map(({ fileName, bytes }) => ({ fileName, bytes: bytes() }))
      .filter(({ bytes }) => bytes.length < MAX_HOSTILE_BYTES);
    const times = { quiet: [], attacked: [] };
    const statuses = {};
    await normal();
    for (let round = 0; round < ROUNDS; round += 1) {
      times.quiet.push(await normal());
      const attacker = await service.createTenant(`Attacker ${round}`);
      const attack = Array.from({ length: HOSTILE_UPLOADS }, (_, index) => {
        const { fileName, bytes } = hostile[index % hostile.length];
        return upload(attacker, fileName, bytes);
      });
      await sleep(HEAD_START_MS);
      times.attacked.push(await normal());
      for (const { status } of await Promise.all(attack)) statuses[status] = (statuses[status] ?? 0) + 1;
    }
    report(times, statuses);
  } finally {
    await service.stop();
  }
});

function report(times, statuses) {
  const [quiet, attacked] = [times.quiet, times.attacked].map((sample) => sample.toSorted((a, b) => a - b));
  const row = (at) => {
    const [before, during] = [quiet.at(at), attacked.at(at)];
    return { quiet: before.toFixed(0), attacked: during.toFixed(0), ratio: (during / before).toFixed(2) };
  };
  const middle = Math.floor(ROUNDS / 2);
  console.table({ 'normal upload, median (ms)': row(middle), 'normal upload, slowest (ms)': row(-1) });
  console.log(`Responses to the hostile uploads: ${JSON.stringify(statuses)}.`);
  if (attacked[middle] > MAX_RATIO * quiet[middle]) throw new Failure(`The limit is a ratio of ${MAX_RATIO}.`);
}
