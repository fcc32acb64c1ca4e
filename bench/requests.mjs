// Measures the CPU time of small requests: that of the service, and that of PostgreSQL; and the time of a warm start.
// npm run bench requests [-- rounds] [--compare commit] [--only title] [--statements]
// With --statements, it prints the statements of each request instead.
// With a commit (or the folder of a project that is built, or `off` for FAST_PATHS=off), a second service of that version gets the same requests in turn,
// on the same database, so that the load of the machine changes both alike.
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { Agent, get, request as send } from 'node:http';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { root } from '../scripts/support/project.mjs';
import { childrenOf, cpuClock } from './cpu-clock.mjs';
import { launchService, startService } from './real-service.mjs';
import { polledRequests } from './polled-requests.mjs';
import { compareStarts } from './starts.mjs';
import { statementProxy } from './statements.mjs';
import { closeConnections, formOf, upload } from './transfer.mjs';

const require = createRequire(import.meta.url);
const BUILDS = 110;
const CLIENTS = 8;
const LARGE_BYTES = 1_000_000;
/** With --statements: the number of requests before the counted ones, and the number of counted ones. */
const [UNCOUNTED, COUNTED] = [5, 10];
const SHOWN_CHARACTERS = 150;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** @returns the clock of the main process of PostgreSQL and of its children that run. */
function postgresClock(dataDirectory) {
  const main = Number(readFileSync(join(dataDirectory, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
  return cpuClock(() => [main, ...childrenOf(main)]);
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

/** Sends `count` requests. @returns the CPU time of node and of PostgreSQL per request, their sum, and the requests per second. */
async function runOf(server, postgres, [, count, request]) {
  const [node, database, started] = [server.clock(), postgres(), performance.now()];
  await repeat(server, request, count);
  const elapsed = performance.now() - started;
  const run = { node: (server.clock() - node) / count, database: (postgres() - database) / count };
  return { ...run, sum: run.node + run.database, speed: (count * 1000) / elapsed };
}

/**
 * Sends requests to servers in turn, and prints the medians of the rounds, and the medians of each round's ratios of CPU time: to the first
 * server, and of one server to the first request.
 */
async function compareRequests(requests, servers, postgres, rounds) {
  const turns = requests.flatMap((request) => servers.map((server) => ({ request, server, runs: [] })));
  for (const { request, server } of turns) await repeat(server, request[2], WARM_UP * request[1]);
  for (let round = 0; round < rounds; round += 1) {
    // The order changes with each round.
    for (const { request, server, runs } of round % 2 ? turns.toReversed() : turns)
      runs.push(await runOf(server, postgres, request));
  }
  for (const { request, server, runs } of turns) {
    const of = (key) => median(runs.map((run) => run[key]));
    const figures = `${of('node').toFixed(3)} + ${of('database').toFixed(3)} ms, ${Math.round(of('speed'))}/s`;
    const ratioTo = (reference, key) =>
      median(runs.map((run, round) => run[key] / reference.runs[round][key])).toFixed(2);
    const [before, first] = ['request', 'server'].map((same) =>
      turns.find((turn) => turn[same] === { request, server }[same]),
    );
    const toServer =
      server === before.server ? '' : `  CPU ${ratioTo(before, 'sum')}x, of node ${ratioTo(before, 'node')}x`;
    const toRequest = request === first.request ? '' : `  CPU ${ratioTo(first, 'sum')}x of the first request`;
    console.log(`${request[0].padEnd(34)} ${server.name.padEnd(8)} ${figures}${toServer}${toRequest}`);
  }
}

/** Requests whose titles are the same up to the comma are compared with each other. */
function groupedByTitle(requests) {
  const groups = new Map();
  for (const request of requests) {
    const [start] = request[0].split(',');
    groups.set(start, [...(groups.get(start) ?? []), request]);
  }
  return groups.values();
}

/** The requests that are measured: title, number of requests in a round, and the request. */
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
  const other = commit && (commit === 'off' ? { folder: root, remove: () => undefined } : projectAt(commit));
  try {
    const versions = [
      ...(other ? [{ name: commit === 'off' ? 'off' : 'before', folder: other.folder }] : []),
      { name: 'now', folder: root },
    ];
    if (!statements && 'warm start'.includes(only)) await compareStarts(versions, rounds);
    if (only !== 'warm start') await measureRequests(versions, rounds, only, statements);
  } finally {
    other?.remove();
  }
}

/** Prints the statements of one request, and how many requests need on average. The first ones fill the caches of the process. */
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
      {
        ...launched,
        FAST_PATHS: name === 'off' ? 'off' : 'on',
        DATA_DIR: service.folder,
        ROLE: 'api',
        MIGRATE_ON_START: 'false',
      },
      [],
      folder,
    )),
    name,
  });
  const servers = [];
  try {
    const requests = (await measuredRequests(service)).filter(([title]) => title.includes(only));
    for (const { name, folder } of versions) {
      const server = await launch(name, folder);
      servers.push({ ...server, clock: cpuClock(() => [server.pid]) });
    }
    if (!proxy) await warmUpTogether(servers, requests);
    if (proxy) for (const [title, , request] of requests) await printStatements(title, servers.at(-1), proxy, request);
    else
      for (const alike of groupedByTitle(requests))
        await compareRequests(alike, servers, postgresClock(dataDirectory), rounds);
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
