// Measures the CPU time of small requests: that of the service, and that of PostgreSQL; and the time of a warm start.
// npm run bench:requests [-- rounds] [--compare commit] [--only title] [--statements]
// With --statements, it prints the statements of each request instead.
// With a commit (or the folder of a project that is built), a second service of that version answers the same requests in turn,
// on the same database, so that the load of the machine changes both alike.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { Agent, get, request as send } from 'node:http';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { root } from '../scripts/support/project.mjs';
import { cpuOf, launchService, startService } from './real-service.mjs';
import { polledRequests } from './polled-requests.mjs';
import { compareStarts } from './starts.mjs';
import { statementProxy } from './statements.mjs';
import { closeConnections, formOf, upload } from './transfer.mjs';

const require = createRequire(import.meta.url);
const BUILDS = 110;
const CLIENTS = 8;
const LARGE_BYTES = 1_000_000;
/** With --statements: the requests before those that are counted, and these. */
const [UNCOUNTED, COUNTED] = [5, 10];
const SHOWN_CHARACTERS = 150;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const millisecondsOf = (pid) => {
  try {
    const { user, system } = cpuOf(pid);
    return (user + system) / 1000;
  } catch {
    return 0;
  }
};

/** The CPU time of PostgreSQL, in milliseconds: of its main process and of all its children that run. */
function postgresCpu(dataDirectory) {
  const main = Number(readFileSync(join(dataDirectory, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const isChild = (pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === main;
    } catch {
      return false;
    }
  };
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isChild(name));
  return [main, ...pids].reduce((sum, pid) => sum + millisecondsOf(pid), 0);
}

/** @returns the folder of a project at a commit, built, and a function that removes it. A folder that has a build is used as it is. */
function projectAt(commit) {
  if (existsSync(join(commit, 'dist'))) return { folder: commit, remove: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'agate-bench-commit-'));
  const git = (...options) => execFileSync('git', options, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  git('worktree', 'add', '--detach', '--force', folder, commit);
  const remove = () => git('worktree', 'remove', '--force', folder);
  try {
    const locked = (project) => readFileSync(join(project, 'package-lock.json'), 'utf8');
    if (locked(folder) === locked(root)) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    else execFileSync('npm', ['ci'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, remove };
}

const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
/** @returns the text of a response. */
const call = ({ port }, { method = 'GET', path, headers = {}, body }) =>
  new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path, agent, method, headers };
    const done = (incoming) => {
      let text = '';
      incoming.setEncoding('latin1').on('data', (chunk) => (text += chunk));
      incoming.on('end', () =>
        incoming.statusCode < 400 ? resolve(text) : reject(new Error(`${path}: ${incoming.statusCode} ${text}`)),
      );
    };
    if (method === 'GET') get(options, done).on('error', reject);
    else send(options, done).on('error', reject).end(body);
  });

async function repeat(server, request, count) {
  let left = count;
  const client = async () => {
    while (left-- > 0) await call(server, request());
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

/**
 * Before the first round, each server gets this many times the requests of a round, so that V8 has compiled what they need. Before that, it
 * gets all requests but uploads, which would change what lists return: the request that is measured first has no disadvantage.
 */
const WARM_UP = 8;

async function warmUpTogether(servers, requests) {
  for (const server of servers)
    for (const [title, count, request] of requests)
      if (!title.startsWith('upload')) await repeat(server, request, WARM_UP * count);
}

/** Sends `count` requests to each server in turn, and prints the medians of the rounds and the median of each round's ratio of CPU time. */
async function compareRequests(title, servers, postgres, rounds, count, request) {
  const runs = servers.map(() => []);
  for (const server of servers) await repeat(server, request, WARM_UP * count);
  for (let round = 0; round < rounds; round += 1) {
    // Which server is the first changes with each round.
    for (const at of round % 2 ? [...servers.keys()].toReversed() : servers.keys()) {
      const { pid } = servers[at];
      const [node, database, started] = [millisecondsOf(pid), postgres(), performance.now()];
      await repeat(servers[at], request, count);
      const elapsed = performance.now() - started;
      const run = { node: (millisecondsOf(pid) - node) / count, database: (postgres() - database) / count };
      runs[at].push({ ...run, sum: run.node + run.database, speed: (count * 1000) / elapsed });
    }
  }
  for (const [at, { name }] of servers.entries()) {
    const of = (key) => median(runs[at].map((run) => run[key]));
    const ratioOf = (key) => median(runs[at].map((run, round) => run[key] / runs[0][round][key])).toFixed(2);
    const ratios = at === 0 ? '' : `  CPU ${ratioOf('sum')}x, of node ${ratioOf('node')}x`;
    const figures = `${of('node').toFixed(2)} + ${of('database').toFixed(2)} ms, ${Math.round(of('speed'))}/s`;
    console.log(`${title.padEnd(34)} ${name.padEnd(8)} ${figures}${ratios}`);
  }
}

/**
 * The requests that are measured: title, number of requests in a round, and the request. The CPU time of a process is known in steps of
 * 10 ms, so requests with a goal of their own are sent more often.
 */
async function measuredRequests(service) {
  const builds = [];
  const uploader = async () => {
    while (builds.length < BUILDS) builds.push(JSON.parse(await upload(service, 1000)));
  };
  await Promise.all(Array.from({ length: CLIENTS }, uploader));
  const json = { 'Content-Type': 'application/json' };
  const jwt = { Authorization: `Bearer ${service.login}` };
  const created = await call(service, {
    method: 'POST',
    path: `/api/v1/pats?${service.scope.split('&')[0]}`,
    headers: { ...json, ...jwt },
    body: JSON.stringify({ name: 'bench', scopes: ['builds:read'] }),
  });
  const pat = { Authorization: `Bearer ${JSON.parse(created).token}` };
  const cookie = { Cookie: `dfdeveloper=${service.login}` };
  const one = `${service.uploadPath}&limit=1`;
  const page = new URL(builds[0].install_url).pathname;
  const mint = `/api/v1/builds/${builds[0].id}/download-url?${service.scope}`;
  // A ticket permits three times the size of its build.
  const ticket = await service.mint(JSON.parse(await upload(service, LARGE_BYTES)).id);
  const tickets = await Promise.all(builds.slice(0, 20).map(({ id }) => service.mint(id)));
  let next = 0;
  const post = { method: 'POST', path: service.uploadPath };
  const uploadOf = (fileName, content) => {
    const { headers, body } = formOf(fileName, content);
    return () => ({ ...post, headers: { ...headers, ...service.headers }, body });
  };
  const ipa = readFileSync(join(root, 'test/fixtures/artifacts/agate-sample.ipa'));
  return [
    ['/live', 400, () => ({ path: '/api/v1/live' })],
    ['list of 1, project token', 800, () => ({ path: one, headers: service.headers })],
    ['list of 1, personal token', 800, () => ({ path: one, headers: pat })],
    ['list of 1, cookie', 800, () => ({ path: one, headers: cookie })],
    ['list of 100, project token', 80, () => ({ path: `${service.uploadPath}&limit=100`, headers: service.headers })],
    ['list under a filter, cookie', 150, () => ({ path: `${one}&platform=linux&q=app`, headers: cookie })],
    ['install page', 150, () => ({ path: page })],
    ['upload of 1 kB', 60, uploadOf('app.bin', Buffer.alloc(1000))],
    ['upload of an .ipa of 7 kB', 30, uploadOf('app.ipa', ipa)],
    ['ranges of 2 bytes, one ticket', 150, () => ({ path: ticket, headers: { Range: 'bytes=0-1' } })],
    [
      'ranges of 2 bytes, many tickets',
      150,
      () => ({ path: tickets[(next += 1) % tickets.length], headers: { Range: 'bytes=0-1' } }),
    ],
    ...(await polledRequests(service, builds[0])),
  ];
}

async function measure(rounds, { compare: commit, only, statements }) {
  const other = commit && projectAt(commit);
  try {
    const versions = [...(other ? [{ name: 'before', folder: other.folder }] : []), { name: 'now', folder: root }];
    if (!statements && 'warm start'.includes(only)) await compareStarts(versions, rounds);
    if (only !== 'warm start') await measureRequests(versions, rounds, only, statements);
  } finally {
    other?.remove();
  }
}

/** Prints the statements of one request, and how many requests need on average. The first ones fill what the process keeps. */
async function printStatements(title, server, { take }, request) {
  for (let sent = 0; sent < UNCOUNTED; sent += 1) await call(server, request());
  take();
  for (let sent = 0; sent < COUNTED; sent += 1) await call(server, request());
  const statements = take();
  console.log(`\n${title}: ${(statements.length / COUNTED).toFixed(1)} statements`);
  for (const statement of statements.slice(0, Math.ceil(statements.length / COUNTED)))
    console.log(`  ${statement.slice(0, SHOWN_CHARACTERS)}`);
}

async function measureRequests(versions, rounds, only, statements) {
  const { startEmbeddedPostgres } = require(join(root, 'dist/src/infra/database/embedded/embedded-postgres.js'));
  const folder = mkdtempSync(join(tmpdir(), 'agate-requests-'));
  const dataDirectory = join(folder, 'postgres');
  const postgres = await startEmbeddedPostgres({ dataDirectory, log: () => undefined });
  const urls = { DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl, MAX_OPEN_RESERVATIONS: '100000' };
  const service = await startService(urls);
  const proxy = statements && (await statementProxy(postgres.url));
  // Both are started alike, and run no jobs: the service above does.
  const launched = proxy ? { ...urls, DATABASE_URL: proxy.url, DATABASE_PREPARE: 'false' } : urls;
  const launch = async (name, folder) => ({
    ...(await launchService(
      { ...launched, DATA_DIR: service.folder, ROLE: 'api', MIGRATE_ON_START: 'false' },
      [],
      folder,
    )),
    name,
  });
  const servers = [];
  try {
    const requests = (await measuredRequests(service)).filter(([title]) => title.includes(only));
    for (const { name, folder } of versions) servers.push(await launch(name, folder));
    if (!proxy) await warmUpTogether(servers, requests);
    for (const [title, count, request] of requests)
      if (proxy) await printStatements(title, servers.at(-1), proxy, request);
      else await compareRequests(title, servers, () => postgresCpu(dataDirectory), rounds, count, request);
  } finally {
    agent.destroy();
    closeConnections();
    for (const server of servers) await server.stop();
    await service.stop();
    if (proxy) proxy.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    compare: { type: 'string' },
    only: { type: 'string', default: '' },
    statements: { type: 'boolean', default: false },
  },
});
await ensureBuilt();
await measure(Number(positionals[0] ?? 7), values);
