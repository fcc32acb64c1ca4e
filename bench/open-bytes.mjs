// Measures how many bytes of the store one free account can hold with uploads that it never completes.
// npm run bench open-bytes
//
// One organization on trial credit opens uploads of 2 GB in several projects, forty in parallel, and sends the first part of each. Prints the
// bytes that they may hold in relation to MAX_OPEN_UPLOAD_BYTES_ON_TRIAL, and exits with 1 when that is more than 1, or when another
// organization cannot upload beside them.
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { Failure, run } from '../scripts/support/project.mjs';
import { startService } from './real-service.mjs';

const UPLOADS = 40;
const FILE_BYTES = 2_000_000_000;
const PART_BYTES = 8 * 1024 * 1024;
const LIMIT_BYTES = 20 * 1024 ** 3;

await run(async () => {
  await ensureBuilt();
  const service = await startService();
  try {
    const url = `http://127.0.0.1:${service.port}/api/v1`;
    const call = (path, { scope, headers }, body) =>
      fetch(`${url}${path}?${scope}`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const announced = { file_name: 'Bench.dmg', size_bytes: FILE_BYTES, platform: 'macos', version: '1.0' };
    const started = await Promise.all(
      Array.from({ length: UPLOADS }, () => call('/builds/uploads', service, announced)),
    );
    const open = await Promise.all(started.filter(({ status }) => status === 201).map((response) => response.json()));
    for (const { id } of open) {
      const { urls } = await (await call(`/builds/uploads/${id}/part-urls`, service, { part_numbers: [1] })).json();
      await fetch(urls[0].url, { method: 'PUT', body: new Uint8Array(PART_BYTES) });
    }
    const neighbour = await service.createTenant('Neighbour');
    const { status } = await call('/builds/uploads', neighbour, { ...announced, size_bytes: 1000 });
    const held = open.length * FILE_BYTES;
    console.table({
      [`${UPLOADS} uploads of ${FILE_BYTES / 1e9} GB, never completed`]: {
        open: open.length,
        'may hold': `${(held / 1e9).toFixed(0)} GB`,
        'ratio to the limit': (held / LIMIT_BYTES).toFixed(2),
      },
    });
    if (held > LIMIT_BYTES) throw new Failure('The open uploads of one organization may hold more than the limit.');
    if (status !== 201) throw new Failure(`Another organization cannot upload beside them: ${status}.`);
  } finally {
    await service.stop();
  }
});
