// node bench/flip.mjs [--provider s3|azure]: an organization with 1 GB in 400 builds and one of 500 MB among them moves to its
// own storage while its service runs; the operator's process is killed in the middle of the large one and started again. Tells how
// much memory it had (Linux, /proc). The store is one of the tests, in a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensureBuilt, Failure, root, run } from '../scripts/support/project.mjs';
import { DemoService, peakDuring, startStore } from './demo-service.mjs';
import { upload } from './transfer.mjs';

const BUILDS = 400;
const BYTES = 2_500_000;
const LARGE_BYTES = 500_000_000;
const HALF_BYTES = (BUILDS * BYTES + LARGE_BYTES) / 2;
/** The stores of the tests are on this machine. */
const ON_THIS_MACHINE = { BYOSA_ALLOWED_HOSTS: '127.0.0.1' };

const { provider } = parseArgs({ options: { provider: { type: 'string', default: 's3' } } }).values;

/** The operators' command line. */
class Operator {
  constructor(data, ...words) {
    this.child = spawn(process.execPath, ['dist/src/cli.js', ...words, '--json'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...ON_THIS_MACHINE, DATA_DIR: data, LOG_LEVEL: 'warn' },
    });
    this.ended = Promise.all([text(this.child.stdout), once(this.child, 'close')]);
  }

  async answer() {
    const [out, [status]] = await this.ended;
    if (status !== 0) throw new Failure(`The operator's command ended with ${status}: ${out}`);
    return JSON.parse(out);
  }

  /** @returns the most memory it had until `work`, by default its end, in MB. */
  peakMb(work = () => this.ended) {
    return peakDuring(this.child.pid, work);
  }

  async killedAfter(condition) {
    while (!(await condition())) {
      if (this.child.exitCode !== null) throw new Failure('It ended before it was killed.');
      await sleep(10);
    }
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

async function uploadAll({ port, demo }) {
  const form = { port, uploadPath: '/api/v1/builds', headers: { Authorization: `Bearer ${demo.token}` } };
  const builds = [];
  for (let count = 0; count < BUILDS; count += 1) {
    if (count === BUILDS / 2) builds.push(JSON.parse(await upload(form, LARGE_BYTES)));
    builds.push(JSON.parse(await upload(form, BYTES)));
  }
  return builds;
}

async function configureStore(service, { access }) {
  const { email, password, organizationId } = service.demo;
  const { token } = await service.call('POST', '/login/email', { email, password });
  await service.call('PUT', `/organizations/${organizationId}/byosa`, access, token);
}

await run(async () => {
  await ensureBuilt();
  const data = mkdtempSync(path.join(tmpdir(), 'agate-flip-'));
  const store = await startStore(`customer ${provider}`);
  let service;
  try {
    service = await DemoService.start(data, ON_THIS_MACHINE);
    await configureStore(service, store);
    const builds = await uploadAll(service);
    const { organizationId } = service.demo;
    const flip = () => new Operator(data, 'byosa', 'flip', organizationId, '--to', 'byosa', '--copy', '--yes');

    const idle = await new Operator(data, 'byosa', 'diagnose', organizationId).peakMb();
    const first = flip();
    const peakBefore = await first.peakMb(() =>
      first.killedAfter(async () => (await store.brought()).bytes >= HALF_BYTES),
    );
    const second = flip();
    const started = performance.now();
    const peakAfter = await second.peakMb();
    const seconds = (performance.now() - started) / 1000;
    const { moved, moved_bytes, failed, builds_elsewhere } = await second.answer();
    if (failed.length > 0 || builds_elsewhere > 0) throw new Failure('Not everything was moved.');
    if (moved > BUILDS / 2 + 2) throw new Failure(`The second run moved ${moved}: it did not go on, but began anew.`);
    for (const build of builds) await service.download(build);

    const row = (what, value) => console.log(`  ${what.padEnd(38)}${value}`);
    const memory = (peak) => `${peak.toFixed(0)} MB at most (+${(peak - idle).toFixed(0)} MB)`;
    console.log(
      `${BUILDS} builds of ${BYTES / 1e6} MB and one of ${LARGE_BYTES / 1e6} MB to the organization's ${provider}:`,
    );
    row('the same program, moving nothing', `${idle.toFixed(0)} MB`);
    row('killed in the middle of the large one', memory(peakBefore));
    row(
      'the run that ended it',
      `${memory(peakAfter)}; ${moved} builds, ${moved_bytes / 1e6} MB, ${seconds.toFixed(1)} s`,
    );
    row('load of the machine', loadavg()[0].toFixed(1));
  } finally {
    await service?.stop();
    await store.stop();
    rmSync(data, { recursive: true, force: true });
  }
});
