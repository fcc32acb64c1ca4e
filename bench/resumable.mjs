// node bench/resumable.mjs [--provider local|s3|azure]: an upload of 1 GB in parts, whose client and server are both killed at
// 60 % and which is then resumed; tells what was sent twice, how long it took and how much memory the service's process had (Linux,
// /proc). The client is the one of docs/examples; a store in the cloud is one of the tests, in a process of its own.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { ensureBuilt, Failure, root, run } from '../scripts/support/project.mjs';
import { DemoService, peakDuring, startStore } from './demo-service.mjs';

const SIZE = Number(process.env.BENCH_BYTES ?? 1_000_000_000);
const PARTS = Math.ceil(SIZE / (8 * 1_048_576));
const KILL_AT = 0.6;

const { provider } = parseArgs({ options: { provider: { type: 'string', default: 'local' } } }).values;

/** The hosted account, and what it was brought: parts go to a store in the cloud past the service. */
async function startHostedStore() {
  if (provider !== 'local') return startStore(`hosted ${provider}`);
  let taken = 0;
  return {
    access: {},
    brought: async () => ({ parts: taken }),
    hears: (service) => service.log.on('line', (line) => (taken += /\/parts\/\[token\] 204/.test(line))),
    stop: async () => undefined,
  };
}

/** Runs the client; kills it when it has sent `killAt` parts. */
async function runClient({ url, demo }, file, killAt = Infinity) {
  const script = path.join(root, 'docs/examples/resumable-upload.mjs');
  const texts = ['--platform', 'linux', '--version', '1.0'];
  const child = spawn(process.execPath, [script, file, ...texts], {
    env: { ...process.env, AGATE: url, TOKEN: demo.token },
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

/** @returns its SHA-256. */
async function writeFile(file) {
  const hash = createHash('sha256');
  const blocks = function* () {
    for (let left = SIZE, n = 0; left > 0; left -= 1_048_576, n += 1) {
      const block = Buffer.alloc(Math.min(left, 1_048_576), `block ${n} `);
      hash.update(block);
      yield block;
    }
  };
  await pipeline(Readable.from(blocks()), createWriteStream(file));
  return hash.digest('hex');
}

await run(async () => {
  await ensureBuilt();
  const data = mkdtempSync(path.join(tmpdir(), 'agate-resumable-'));
  const file = path.join(data, 'bench.bin');
  const sha256 = await writeFile(file);
  const store = await startHostedStore();
  let service;
  const start = async () => {
    service = await DemoService.start(data, store.access);
    store.hears?.(service);
    return service;
  };
  try {
    const before = await start();
    // The demo has builds.
    const { parts: ofDemo } = await store.brought();
    let [first, second] = [];
    const peakBefore = await peakDuring(before.pid, async () => {
      first = await runClient(before, file, Math.ceil(PARTS * KILL_AT));
    });
    await before.stop('SIGKILL');
    const arrived = (await store.brought()).parts - ofDemo;

    const after = await start();
    const started = performance.now();
    const peakAfter = await peakDuring(after.pid, async () => (second = await runClient(after, file)));
    const seconds = (performance.now() - started) / 1000;
    if (second.build?.sha256 !== sha256) throw new Failure('The build is not what was sent.');
    const arrivedAfter = (await store.brought()).parts - ofDemo - arrived;

    const row = (what, value) => console.log(`  ${what.padEnd(36)}${value}`);
    const memory = ({ idleMb }, peak) =>
      `${idleMb.toFixed(0)} MB idle, ${peak.toFixed(0)} MB at most (+${(peak - idleMb).toFixed(0)} MB)`;
    console.log(
      `One file of ${SIZE / 1e6} MB in ${PARTS} parts to ${provider}; client and server killed at ${KILL_AT * 100} %:`,
    );
    row('parts the client sent before, after', `${first.sent.length}, ${second.sent.length}`);
    row('parts that arrived before, after', `${arrived}, ${arrivedAfter} (${arrived + arrivedAfter - PARTS} twice)`);
    row('the rest and its completion', `${seconds.toFixed(1)} s`);
    row('memory of the service, before', memory(before, peakBefore));
    row('memory of the service, after', memory(after, peakAfter));
    row('load of the machine', loadavg()[0].toFixed(1));
    if (arrived + arrivedAfter !== PARTS) throw new Failure('Parts that had arrived were sent again.');
  } finally {
    await service?.stop();
    await store.stop();
    rmSync(data, { recursive: true, force: true });
  }
});
