// npm run bench:memory: how much memory the whole service takes for one upload and one download of 2 GB.
// The service runs as it does for a person, with its embedded database; only its own process is measured (Linux, /proc).
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { ensureBuilt, Failure, root, run } from '../support/project.mjs';

const SIZE = Number(process.env.BENCH_BYTES ?? 2_000_000_000);
const PORT = 24_700;
const BLOCK = Buffer.alloc(65_536, 'agate');
const url = (route) => `http://127.0.0.1:${PORT}${route}`;

const residentMb = (pid) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1000;

/** Runs `work` and tells the highest memory while it ran. */
async function peakDuring(pid, work) {
  let peak = residentMb(pid);
  const timer = setInterval(() => (peak = Math.max(peak, residentMb(pid))), 20);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak;
}

async function untilSeeded(data, service) {
  for (let waited = 0; waited < 120_000; waited += 200) {
    if (service.exitCode !== null) throw new Failure('The service ended.');
    try {
      const demo = JSON.parse(readFileSync(path.join(data, 'demo.json'), 'utf8'));
      if (demo.complete) return demo;
    } catch {
      // Not there yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Failure('The demo was not made in time.');
}

/** One multipart request whose file is made as it is sent. */
async function upload(token) {
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
    const request = http.request(url('/api/v1/builds'), { method: 'POST', headers }, resolve).on('error', reject);
    Readable.from(body()).pipe(request);
  });
  const build = JSON.parse(Buffer.concat(await response.toArray()).toString());
  const sha256 = hash.digest('hex');
  if (build.sha256 !== sha256) throw new Failure(`The upload failed: ${JSON.stringify(build)}`);
  return build;
}

async function download(token, build) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const minted = await fetch(url(`/api/v1/builds/${build.id}/download-url`), { method: 'POST', headers, body: '{}' });
  const ticket = new URL((await minted.json()).url).pathname;
  const hash = createHash('sha256');
  for await (const chunk of (await fetch(url(ticket))).body) hash.update(chunk);
  if (hash.digest('hex') !== build.sha256) throw new Failure('The download is not what was uploaded.');
}

await run(async () => {
  await ensureBuilt();
  const data = mkdtempSync(path.join(tmpdir(), 'agate-memory-'));
  const env = { ...process.env, PORT: String(PORT), DATA_DIR: data, LOG_LEVEL: 'error' };
  const service = spawn(process.execPath, ['dist/src/main.js', '--demo'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => service.once('exit', resolve));
  try {
    const { token } = await untilSeeded(data, service);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const idle = residentMb(service.pid);
    let build;
    const uploading = await peakDuring(service.pid, async () => (build = await upload(token)));
    const downloading = await peakDuring(service.pid, () => download(token, build));
    const row = (what, mb) =>
      console.log(`${what.padEnd(32)}${mb.toFixed(0).padStart(6)} MB   +${(mb - idle).toFixed(0)} MB`);
    console.log(`One file of ${SIZE / 1e6} MB, memory of the service's process:`);
    row('idle', idle);
    row('highest during the upload', uploading);
    row('highest during the download', downloading);
  } finally {
    service.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  }
});
