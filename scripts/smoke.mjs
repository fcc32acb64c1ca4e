// npm run smoke: starts the built service from scratch with this version of Node, checks that it becomes ready and serves
// the documented API, and stops it.
import './support/node-version.mjs';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureBuilt } from './support/builds.mjs';
import { Failure, root, run } from './support/project.mjs';

const START_WITHIN_MS = 120_000;

async function freePort() {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilReady(url, service) {
  for (const since = performance.now(); performance.now() - since < START_WITHIN_MS;) {
    if (service.exitCode !== null)
      throw new Failure(`The service exited with status ${service.exitCode} before it was ready.`);
    const response = await fetch(`${url}/ready`).catch(() => null);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Failure('The service was not ready in time.');
}

await run(async () => {
  await ensureBuilt();
  const data = mkdtempSync(path.join(tmpdir(), 'agate-smoke-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/api/v1`;
  // The generated document contains the default address.
  const env = { ...process.env, PORT: port, BASE_URL: 'http://localhost:3000', DATA_DIR: data, LOG_LEVEL: 'warn' };
  const service = spawn(process.execPath, ['dist/src/main.js'], { cwd: root, env, stdio: 'inherit' });
  const ended = once(service, 'exit');
  try {
    await untilReady(url, service);
    const served = await (await fetch(`${url}/openapi.json`)).json();
    assert.deepEqual(served, JSON.parse(readFileSync(path.join(root, 'docs/generated/openapi.json'), 'utf8')));
    service.kill('SIGTERM');
    const [status] = await ended;
    if (status !== 0) throw new Failure(`The service stopped with status ${status}.`);
    console.log(`Node ${process.versions.node}: started, became ready, served the generated document, stopped`);
  } finally {
    service.kill('SIGKILL');
    rmSync(data, { recursive: true, force: true });
  }
});
