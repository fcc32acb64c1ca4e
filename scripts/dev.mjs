// npm run dev: starts the service with demo data on PORT (3000) and restarts it when its sources change. Starts Vite in front of it, on port
// 5173, which shows changes of packages/dashboard immediately.
import './support/node-version.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import path from 'node:path';
import { ensureServiceBuilt } from './support/builds.mjs';
import { loadEnvFile } from './support/env-file.mjs';
import { ensureInstalled, inRoot, root, run, SIGNALS } from './support/project.mjs';

/** Editors save several files within this time. */
const QUIET_MS = 200;

loadEnvFile();
const { PORT = '3000' } = process.env;
/** The service's own address. Vite forwards to it all requests that are not for the dashboard (packages/dashboard/vite.config.ts). */
process.env.AGATE_URL ??= `http://localhost:${PORT}`;

await run(async () => {
  await ensureInstalled();
  await ensureServiceBuilt();
  const { createServer } = await import('vite');
  const vite = await createServer({ root: path.join(root, 'packages', 'dashboard'), configLoader: 'runner' });
  await vite.listen();
  const environment = { ...process.env, PORT, BASE_URL: `http://localhost:${vite.config.server.port}` };
  try {
    await serveUntilSignal(environment);
  } finally {
    await vite.close();
  }
});

/** Runs the service, and restarts it after each change that builds. A change that does not build leaves the running service as it is. */
async function serveUntilSignal(environment) {
  const changes = sourceChanges();
  const signal = Promise.race(SIGNALS.map((name) => once(process, name).then(() => 'signal')));
  for (let isServing = true; isServing;) {
    const service = start(environment);
    do isServing = (await Promise.race([signal, changes.next()])) !== 'signal';
    while (isServing && !(await builds()));
    await stop(service);
  }
  process.exit();
}

/** A process group of its own, because Ctrl-C in a terminal sends a signal to all processes of the group, and the second one aborts. */
function start(environment) {
  const service = spawn(process.execPath, ['dist/src/main.js', '--demo'], {
    cwd: root,
    stdio: 'inherit',
    detached: true,
    env: environment,
  });
  service.exited = once(service, 'exit').then(() => console.log('The service has stopped.'));
  return service;
}

function stop(service) {
  service.kill('SIGTERM');
  return service.exited;
}

async function builds() {
  try {
    await ensureServiceBuilt();
    return true;
  } catch (error) {
    console.error(error.message ?? error);
    return false;
  }
}

/** Changes of the service's sources. `next` resolves when the files have not changed for a while. */
function sourceChanges() {
  let timer;
  let notify = () => undefined;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => notify(), QUIET_MS);
  };
  for (const folder of ['src', 'migrations']) watch(inRoot(folder), { recursive: true }, changed);
  return { next: () => new Promise((resolve) => (notify = resolve)) };
}
