// npm run bench:memory: how much memory the whole service takes for one upload and one download of 2 GB.
// The service runs as it does for a person, with its embedded database; only its own process is measured (Linux, /proc).
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { ensureBuilt, Failure, run } from '../scripts/support/project.mjs';
import { DemoService, peakDuring } from './demo-service.mjs';

const SIZE = Number(process.env.BENCH_BYTES ?? 2_000_000_000);
const BLOCK = Buffer.alloc(65_536, 'agate');

/** One multipart request whose file is made as it is sent. */
async function upload({ url, demo: { token } }) {
  const boundary = 'agate-bench-boundary-0123456789';
  const part = (name, value) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = Buffer.from(
    part('platform', 'linux') +
      part('version', '1.0') +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="bench.bin"\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const hash = createHash('sha256');
  function* body() {
    yield head;
    for (let left = SIZE; left > 0; left -= BLOCK.length) {
      const block = left < BLOCK.length ? BLOCK.subarray(0, left) : BLOCK;
      hash.update(block);
      yield block;
    }
    yield tail;
  }
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
    'Content-Length': head.length + SIZE + tail.length,
  };
  const response = await new Promise((resolve, reject) => {
    const request = http.request(`${url}/api/v1/builds`, { method: 'POST', headers }, resolve).on('error', reject);
    Readable.from(body()).pipe(request);
  });
  const build = JSON.parse(Buffer.concat(await response.toArray()).toString());
  const sha256 = hash.digest('hex');
  if (build.sha256 !== sha256) throw new Failure(`The upload failed: ${JSON.stringify(build)}`);
  return build;
}

await run(async () => {
  await ensureBuilt();
  const data = mkdtempSync(path.join(tmpdir(), 'agate-memory-'));
  const service = await DemoService.start(data);
  try {
    let build;
    const uploading = await peakDuring(service.pid, async () => (build = await upload(service)));
    const downloading = await peakDuring(service.pid, () => service.download(build));
    const row = (what, mb) =>
      console.log(`${what.padEnd(32)}${mb.toFixed(0).padStart(6)} MB   +${(mb - service.idleMb).toFixed(0)} MB`);
    console.log(`One file of ${SIZE / 1e6} MB, memory of the service's process:`);
    row('idle', service.idleMb);
    row('highest during the upload', uploading);
    row('highest during the download', downloading);
  } finally {
    await service.stop();
    rmSync(data, { recursive: true, force: true });
  }
});
