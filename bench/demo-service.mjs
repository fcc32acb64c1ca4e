// The service as a person starts it for a demo, with its embedded database, in a process of its own whose memory is watched (Linux,
// /proc); and a store of the tests for it, in another process.
import { fork, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, root } from '../scripts/support/project.mjs';
import { freePort } from './real-service.mjs';

const PATIENCE_MS = 120_000;
/** What a start leaves behind is collected meanwhile. */
const REST_MS = 5_000;

/** MB that a process has in memory; none once it has ended. */
export function residentMb(pid) {
  try {
    return (Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024) / 1e6;
  } catch {
    return 0;
  }
}

/** Runs `work` and tells the most memory that the process had meanwhile, in MB. */
export async function peakDuring(pid, work) {
  let peak = residentMb(pid);
  const timer = setInterval(() => (peak = Math.max(peak, residentMb(pid))), 20);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return peak;
}

export class DemoService {
  /** Lines of JSON. */
  log;
  /** The demo's credentials. */
  demo;
  idleMb;

  constructor(child, port) {
    this.child = child;
    this.url = `http://127.0.0.1:${port}`;
    this.port = port;
    this.log = createInterface(child.stdout);
    // What goes wrong in there explains what goes wrong here.
    this.log.on('line', (line) => /"level":"(warn|error|fatal)"/.test(line) && console.error(line));
    this.ended = once(child, 'exit');
  }

  /** @returns it when it is ready, its demo is made and it has come to rest. */
  static async start(data, environment = {}) {
    const port = await freePort();
    const child = spawn(process.execPath, ['dist/src/main.js', '--demo'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        PORT: String(port),
        BASE_URL: `http://127.0.0.1:${port}`,
        DATA_DIR: data,
        RATE_LIMIT_FACTOR: '0',
        LOG_FORMAT: 'json',
        ...environment,
      },
    });
    const service = new DemoService(child, port);
    try {
      service.demo = await service.#madeDemo(data);
    } catch (error) {
      await service.stop();
      throw error;
    }
    await sleep(REST_MS);
    service.idleMb = residentMb(service.pid);
    return service;
  }

  get pid() {
    return this.child.pid;
  }

  /** By default as the demo's CI. */
  async call(method, route, body, token = this.demo.token) {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${this.url}/api/v1${route}`, { method, headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Failure(`${method} ${route}: ${response.status} ${text}`);
    return text && JSON.parse(text);
  }

  /** Downloads a build, wherever it is, and compares it with its hash. */
  async download(build) {
    const { url } = await this.call('POST', `/builds/${build.id}/download-url`, {});
    const hash = createHash('sha256');
    for await (const chunk of (await fetch(url)).body) hash.update(chunk);
    if (hash.digest('hex') !== build.sha256) throw new Failure('The download is not what was uploaded.');
  }

  async stop(signal = 'SIGTERM') {
    this.child.kill(signal);
    await this.ended;
  }

  async #madeDemo(data) {
    for (const began = performance.now(); performance.now() - began < PATIENCE_MS; await sleep(200)) {
      if (this.child.exitCode !== null) throw new Failure('The service ended.');
      const isReady = await fetch(`${this.url}/api/v1/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
      const demo = isReady && readDemo(data);
      if (demo?.complete) return demo;
    }
    throw new Failure('The demo was not made in time.');
  }
}

function readDemo(data) {
  try {
    return JSON.parse(readFileSync(path.join(data, 'demo.json'), 'utf8'));
  } catch {
    return null;
  }
}

/**
 * @param name `hosted s3`, `hosted azure`, `customer s3` or `customer azure`
 * @returns how it is reached (configuration of the service, or the settings of a customer), and what it was brought so far: parts, bytes
 */
export async function startStore(name) {
  const typescript = path.join(root, 'test/support/processes/run-typescript.cjs');
  const child = fork(path.join(root, 'test/support/processes/store-process.ts'), [name], {
    execArgv: ['--require', typescript],
  });
  const ended = once(child, 'exit');
  const heard = () =>
    Promise.race([once(child, 'message'), ended.then(() => Promise.reject(new Failure('The store ended.')))]);
  const [access] = await heard();
  return {
    access,
    async brought() {
      const answer = heard();
      child.send('brought?');
      return (await answer)[0];
    },
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}
