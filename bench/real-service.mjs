// Starts the built service like `npm start`, with its embedded database in a temporary folder. Linux only, because it reads /proc.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLOCK_TICKS = 100;
const PAGE_BYTES = 4096;
const MICROSECONDS = 1e6;

/**
 * @param environment additional environment variables.
 * @param root the folder of the project that is started, with its `dist`.
 * @returns a server for `compare`, with a project and a project access token.
 */
export async function startService(environment = {}, root = ROOT) {
  const service = await launchService(environment, [], root);
  return { ...service, ...(await setUp(`http://127.0.0.1:${service.port}`, service.folder)) };
}

/**
 * @param environment additional environment variables.
 * @param options options of the command line.
 * @param root the folder of the project that is started, with its `dist`.
 * @returns a server for `compare`, without any account.
 */
export async function launchService(environment = {}, options = [], root = ROOT) {
  const temporary = environment.DATA_DIR ? null : mkdtempSync(join(tmpdir(), 'agate-bench-'));
  if (temporary) chmodSync(temporary, 0o711);
  const folder = environment.DATA_DIR ?? temporary;
  const port = Number(environment.PORT ?? (await freePort()));
  const child = spawn(process.execPath, [join(root, 'dist/src/main.js'), ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: folder,
      RATE_LIMIT_FACTOR: '0',
      MAX_UPLOAD_BYTES: '4000000000',
      LOG_FORMAT: 'json',
      ...environment,
    },
  });
  process.once('exit', () => child.kill());
  let log = '';
  let ready = false;
  createInterface(child.stdout).on('line', (line) => {
    ready ||= line.includes('Agate is ready');
    if (!ready) log += `${line}\n`;
    // Warnings and errors of the service explain failures of the benchmark.
    if (/"level":"(warn|error|fatal)"/.test(line)) console.error(line);
  });
  while (!ready) {
    if (child.exitCode !== null) throw new Error(`The service did not start:\n${log}`);
    await sleep(5);
  }

  let peakRss = 0;
  const sampling = setInterval(() => (peakRss = Math.max(peakRss, rssOf(child.pid))), 10);
  return {
    name: 'agate',
    port,
    pid: child.pid,
    /** DATA_DIR. A stop removes it, unless the environment named it. */
    folder,
    usage: async () => ({ cpu: cpuOf(child.pid), rss: rssOf(child.pid), peakRss }),
    resetPeak: () => (peakRss = 0),
    async stop() {
      clearInterval(sampling);
      child.kill();
      await once(child, 'exit');
      if (temporary) rmSync(temporary, { recursive: true, force: true });
    },
  };
}

/** Creates a verified developer, an organization, a project and a project access token. */
async function setUp(url, folder) {
  let token;
  const call = async (path, body) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return text && JSON.parse(text);
  };
  const account = { email: 'bench@example.com', password: 'the bench is made of wood' };
  await call('/developers', account);
  const link = await mailedLink(join(folder, 'mail'));
  await fetch(new URL(link.pathname + link.search, url));
  ({ token } = await call('/login/email', account));
  const login = token;
  /** Creates an organization with a project and a project access token. */
  const createTenant = async (name) => {
    token = login;
    const organization = await call('/organizations', { name });
    const project = await call(`/projects?organization_id=${organization.id}`, { name });
    const scope = `organization_id=${organization.id}&project_id=${project.id}`;
    const ci = await call(`/project-access-tokens?${scope}`, { name: 'CI', role: 'MANAGE_PROJECT' });
    return { scope, uploadPath: `/api/v1/builds?${scope}`, headers: { Authorization: `Bearer ${ci.token}` } };
  };
  const { scope, uploadPath, headers } = await createTenant('Bench');
  token = headers.Authorization.replace('Bearer ', '');
  const post = (route, body) => call(`${route}?${scope}`, body);
  return {
    uploadPath,
    headers,
    scope,
    /** The access token of the developer who owns the project. */
    login,
    createTenant,
    /** Posts to a route of the project. */
    post,
    /** Creates a ticket. @returns a path that downloads the build. A ticket permits three times the size of the build. */
    mint: async (buildId) => new URL((await post(`/builds/${buildId}/download-url`, {})).url).pathname,
  };
}

async function mailedLink(folder) {
  for (;;) {
    const [mail] = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : [];
    const text =
      mail &&
      readFileSync(join(folder, mail), 'utf8')
        .replaceAll(/=\r?\n/g, '')
        .replaceAll('=3D', '=');
    const link = text && /https?:\/\/\S+verify_email\S+/.exec(text)?.[0];
    if (link) return new URL(link);
    await sleep(50);
  }
}

/** The CPU time of a process, in the format of `process.cpuUsage()`. */
export function cpuOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const microseconds = (ticks) => (Number(ticks) / CLOCK_TICKS) * MICROSECONDS;
  return { user: microseconds(fields[11]), system: microseconds(fields[12]) };
}

function rssOf(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
