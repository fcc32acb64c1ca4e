// node scripts/bench/resumable.mjs: an upload of 1 GB in parts, whose client and server are both killed at 60 % and which is then
// resumed; tells what was sent twice, how long it took and how much memory the service's process had (Linux, /proc). The client is
// the one of docs/examples.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { ensureBuilt, Failure, root, run } from '../support/project.mjs';

const SIZE = Number(process.env.BENCH_BYTES ?? 1_000_000_000);
const KILL_AT = 0.6;
const PORT = 24_710;
const url = `http://127.0.0.1:${PORT}`;

const residentMb = (pid) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1000;

/** The service in a process of its own, with what it said and the most memory it had. */
class Service {
  peakMb = 0;

  constructor(data) {
    const env = { ...process.env, PORT: String(PORT), BASE_URL: url, DATA_DIR: data, RATE_LIMIT_FACTOR: '0' };
    this.child = spawn(process.execPath, ['dist/src/main.js', '--demo'], {
      cwd: root,
      env: { ...env, LOG_FORMAT: 'json' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.partsTaken = 0;
    createInterface(this.child.stdout).on('line', (line) => (this.partsTaken += /\/parts\/\[token\] 204/.test(line)));
    this.ended = new Promise((resolve) => this.child.once('exit', resolve));
  }

  async ready(data) {
    for (let waited = 0; waited < 120_000; waited += 200) {
      if (this.child.exitCode !== null) throw new Failure('The service ended.');
      const answer = await fetch(`${url}/api/v1/ready`).catch(() => null);
      const demo = answer?.ok && readDemo(data);
      if (demo) {
        await new Promise((resolve) => setTimeout(resolve, 5_000));
        this.idleMb = residentMb(this.child.pid);
        this.timer = setInterval(() => (this.peakMb = Math.max(this.peakMb, residentMb(this.child.pid))), 20);
        return demo;
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Failure('The demo was not made in time.');
  }

  async stop(signal) {
    clearInterval(this.timer);
    this.child.kill(signal);
    await this.ended;
  }
}

function readDemo(data) {
  try {
    const demo = JSON.parse(readFileSync(path.join(data, 'demo.json'), 'utf8'));
    return demo.complete ? demo : null;
  } catch {
    return null;
  }
}

/** Runs the client; kills it when it has sent `killAt` parts. */
async function runClient(file, token, killAt = Infinity) {
  const script = path.join(root, 'docs/examples/resumable-upload.mjs');
  const texts = ['--platform', 'linux', '--version', '1.0'];
  const child = spawn(process.execPath, [script, file, ...texts], {
    env: { ...process.env, AGATE: url, TOKEN: token },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const sent = [];
  createInterface(child.stderr).on('line', (line) => {
    const part = /^part (\d+) of/.exec(line)?.[1];
    if (!part) return void console.log(line);
    sent.push(part);
    if (sent.length === killAt) child.kill('SIGKILL');
  });
  const output = await text(child.stdout);
  return { sent, build: output === '' ? null : JSON.parse(output) };
}

await run(async () => {
  await ensureBuilt();
  const data = mkdtempSync(path.join(tmpdir(), 'agate-resumable-'));
  const file = path.join(data, 'bench.bin');
  const hash = createHash('sha256');
  const blocks = function* () {
    for (let left = SIZE, n = 0; left > 0; left -= 1_048_576, n += 1) {
      const block = Buffer.alloc(Math.min(left, 1_048_576), `block ${n} `);
      hash.update(block);
      yield block;
    }
  };
  await pipeline(Readable.from(blocks()), createWriteStream(file));
  const sha256 = hash.digest('hex');
  let service = new Service(data);
  try {
    const { token } = await service.ready(data);
    const parts = Math.ceil(SIZE / (8 * 1_048_576));
    const first = await runClient(file, token, Math.ceil(parts * KILL_AT));
    await service.stop('SIGKILL');
    const { idleMb, peakMb } = service;

    service = new Service(data);
    await service.ready(data);
    const started = performance.now();
    const second = await runClient(file, token);
    const seconds = (performance.now() - started) / 1000;
    if (second.build?.sha256 !== sha256) throw new Failure('The build is not what was sent.');
    const again = second.sent.filter((part) => first.sent.includes(part));
    console.log(`One file of ${SIZE / 1e6} MB in ${parts} parts; client and server killed at ${KILL_AT * 100} %:`);
    console.log(
      `  parts sent before, after          ${first.sent.length}, ${second.sent.length} (taken: ${service.partsTaken})`,
    );
    console.log(`  parts sent twice                  ${again.length}`);
    console.log(`  the rest and its completion       ${seconds.toFixed(1)} s`);
    for (const [what, idle, peak] of [
      ['before', idleMb, peakMb],
      ['after', service.idleMb, service.peakMb],
    ]) {
      const row = `${idle.toFixed(0)} MB idle, ${peak.toFixed(0)} MB at most (+${(peak - idle).toFixed(0)} MB)`;
      console.log(`  memory of the service, ${what.padEnd(11)}${row}`);
    }
    if (again.length > 0) throw new Failure('Parts that had arrived were sent again.');
  } finally {
    await service.stop('SIGTERM');
    rmSync(data, { recursive: true, force: true });
  }
});
