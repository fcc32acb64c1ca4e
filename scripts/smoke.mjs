// npm run smoke: starts the built service with demo data from scratch with this version of Node, checks that it becomes ready, serves the
// documented API, a command line that uploads and the MCP server, and stops it.
import './support/node-version.mjs';
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
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

/** Waits until `isReady` holds. */
async function until(isReady, service) {
  for (const since = performance.now(); performance.now() - since < START_WITHIN_MS;) {
    if (service.exitCode !== null)
      throw new Failure(`The service exited with status ${service.exitCode} before it was ready.`);
    if (await isReady()) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Failure('The service was not ready in time.');
}

const respondsTo = (url) => async () => (await fetch(url).catch(() => null))?.ok;

/** The command line that the service serves uploads a file with this version of Node, from a path with spaces. */
async function upload(address, data, { token }) {
  const folder = path.join(data, 'a folder');
  mkdirSync(folder);
  const program = path.join(folder, 'agate.mjs');
  writeFileSync(program, await (await fetch(`${address}/cli/agate.mjs`)).text());
  writeFileSync(path.join(folder, 'app.apk'), readFileSync(path.join(root, 'src/app/demo/assets/demo-1.1.apk')));
  const env = { PATH: process.env.PATH, HOME: folder, CI: 'true', AGATE_URL: address, AGATE_TOKEN: token };
  const args = [program, 'upload', 'app.apk', '--channel', 'Beta', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
  const { version, releases } = JSON.parse(stdout);
  assert.deepEqual([version, releases.map(({ channel }) => channel)], ['1.1.0', ['Beta']]);
}

/** The MCP server, whose library is loaded with the first message and is not in the bundle, answers an agent. */
async function askAsAgent(address, { token }) {
  const response = await fetch(`${address}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const { result } = await response.json();
  assert.equal(result.tools[0].name, 'whoami');
}

await run(async () => {
  await ensureBuilt();
  const data = mkdtempSync(path.join(tmpdir(), 'agate-smoke-'));
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const env = { ...process.env, PORT: port, BASE_URL: address, DATA_DIR: data, LOG_LEVEL: 'warn' };
  const stdio = ['ignore', 'pipe', 'inherit'];
  const service = spawn(process.execPath, ['dist/src/main.js', '--demo'], { cwd: root, env, stdio });
  let log = '';
  service.stdout.on('data', (chunk) => (log += chunk));
  const ended = once(service, 'exit');
  try {
    await until(respondsTo(`${address}/api/v1/ready`), service);
    const served = await (await fetch(`${address}/api/v1/openapi.json`)).text();
    // The generated document contains the default address.
    const document = JSON.parse(served.replaceAll(address, 'http://localhost:3000'));
    assert.deepEqual(document, JSON.parse(readFileSync(path.join(root, 'docs/generated/openapi.json'), 'utf8')));
    const record = path.join(data, 'demo.json');
    const demo = () => existsSync(record) && JSON.parse(readFileSync(record, 'utf8'));
    await until(() => demo().complete, service);
    await upload(address, data, demo());
    await askAsAgent(address, demo());
    service.kill('SIGTERM');
    const [status] = await ended;
    if (status !== 0) throw new Failure(`The service stopped with status ${status}.`);
    console.log(
      `Node ${process.versions.node}: started, became ready, served the generated document, took an upload, answered an agent, stopped`,
    );
  } catch (error) {
    console.error(log);
    throw error;
  } finally {
    service.kill('SIGKILL');
    rmSync(data, { recursive: true, force: true });
  }
});
