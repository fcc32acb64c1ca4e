// Measures how expensive reads of one account slow down the reads of another organization.
// npm run bench tenant-neighbours [-- rounds]
//
// The account has a project with tens of thousands of builds and testers, and sends 40 concurrent requests to each GET route of the OpenAPI
// document, with pages of 1,000 and the default limits on what runs concurrently. Meanwhile another organization lists its builds, a visitor
// opens its install page, and a balancer requests /live. Prints their medians and slowest times; exits with 1 when a median of a read
// exceeds 300 ms.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { Failure, root, run } from '../scripts/support/project.mjs';
import { fillAuditFeed, fillProject } from './large-project.mjs';
import { copies } from './many-rows.mjs';
import { startService } from './real-service.mjs';
import { closeConnections, download, upload } from './transfer.mjs';

const require = createRequire(import.meta.url);
const pg = require('pg');

const ROUNDS = Number(process.argv[2] ?? 3);
const AT_ONCE = 40;
const MAX_MS = 300;
const ROWS = { builds: 30_000, testers: 40_000 };
const EVENTS = 50_000;
const DOWNLOADS = 50_000;
/** Reads of the neighbour in each round, at least. */
const SAMPLES = 5;
const PAUSE_MS = 20;

await run(async () => {
  await ensureBuilt();
  const { startEmbeddedPostgres } = require(join(root, 'dist/src/infra/database/embedded/embedded-postgres.js'));
  const folder = mkdtempSync(join(tmpdir(), 'agate-neighbours-'));
  const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), log: () => undefined });
  const service = await startService({
    DATABASE_URL: postgres.url,
    DATABASE_OWNER_URL: postgres.ownerUrl,
    RATE_LIMIT_FACTOR: '1',
    // One minute is too short for all rounds.
    RATE_LIMIT_HEAVY: '10000',
    RATE_LIMIT_READ: '100000',
    RATE_LIMIT_PAGE: '100000',
    RATE_LIMIT_HEALTH: '100000',
    RATE_LIMIT_ADDRESS: '1000000',
    // The database cancels searches: these warnings are expected.
    LOG_FORMAT: 'pretty',
  });
  try {
    await report(await measure(service, await prepare(service, postgres.ownerUrl)));
  } finally {
    closeConnections();
    await service.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Fills the account's project. @returns the reads of the account, and those of its neighbour. */
async function prepare(service, databaseUrl) {
  const build = JSON.parse(await upload(service, 1_000));
  await service.post('/testers', { email: 'tester@example.com' });
  const hot = await service.createTenant('Hot');
  const [organization, project] = [...new URLSearchParams(hot.scope).values()];
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await fillProject(database, { id: project, from: build.project_id }, ROWS);
  await fillAuditFeed(database, organization, EVENTS);
  const newest = async (table) => {
    const { rows } = await database.query(`SELECT max(id::text) AS id FROM ${table} WHERE project_id = $1`, [project]);
    return rows[0].id;
  };
  const [id, testerId] = [await newest('build'), await newest('tester')];
  await download(service, await service.mint(build.id), {});
  const log = `(SELECT uuidv7() AS id FROM generate_series(1, ${DOWNLOADS})) AS x`;
  const ofBuild = `'id', x.id, 'organization_id', '${organization}', 'project_id', '${project}', 'build_id', '${id}'`;
  await database.query(copies('build_download', log, `${ofBuild}, 'ticket_id', gen_random_uuid()`));
  await database.query('ANALYZE');
  await database.end();

  const headers = { Authorization: `Bearer ${service.login}` };
  const read = (title, path) => [title, { path: `/api/v1${path}`, headers }];
  const ids = { organization_id: organization, project_id: project, build_id: id, tester_id: testerId };
  const document = await (await fetch(`http://127.0.0.1:${service.port}/api/v1/openapi.json`)).json();
  return {
    attacks: [
      ...routesOf(document, ids).map((path) => [path.replace(/\?.*/, ''), { path, headers }]),
      read('search', `/search?organization_id=${organization}&q=aaaa+bbbb+cccc+nnnn+aaa+bbb+ccc+example`),
      read('builds with q', `/builds?${hot.scope}&q=nothing+has+this`),
    ],
    neighbours: {
      list: { path: `/api/v1/builds?${service.scope}&limit=20`, headers: service.headers },
      page: { path: new URL(build.install_url).pathname, headers: {} },
      live: { path: '/api/v1/live', headers: {} },
    },
  };
}

/** The GET routes whose parameters are known, with these ids and pages of 1,000. A stream of events does not end. */
function routesOf({ paths }, ids) {
  const known = { ...ids, limit: 1000 };
  return Object.entries(paths).flatMap(([path, { get: operation }]) => {
    if (!operation || path.endsWith('/events')) return [];
    const named = (place) => (operation.parameters ?? []).filter((each) => each.in === place).map(({ name }) => name);
    if (named('path').some((name) => !(name in known))) return [];
    const query = named('query').filter((name) => name in known);
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => known[name]);
    return [`${filled}?${new URLSearchParams(query.map((name) => [name, known[name]]))}`];
  });
}

/** @returns for each attack its responses, and the times of each neighbour. */
async function measure({ port }, { attacks, neighbours }) {
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
  const send = (agent, { path, headers }) =>
    new Promise((resolve, reject) => {
      const started = performance.now();
      get({ port, host: '127.0.0.1', path, headers, agent }, (response) => {
        response
          .resume()
          .on('error', reject)
          .on('end', () => resolve({ status: response.statusCode, ms: performance.now() - started }));
      }).on('error', reject);
    });
  const results = [];
  for (const each of Object.values(neighbours)) await send(agents[1], each);
  for (const [title, attack] of attacks) {
    const [statuses, times] = [{}, Object.fromEntries(Object.keys(neighbours).map((name) => [name, []]))];
    let slowest = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      let attacking = true;
      const started = performance.now();
      const volley = Promise.all(Array.from({ length: AT_ONCE }, () => send(agents[0], attack))).then((responses) => {
        attacking = false;
        slowest = Math.max(slowest, performance.now() - started);
        for (const { status } of responses) statuses[status] = (statuses[status] ?? 0) + 1;
      });
      const sample = async ([name, neighbour]) => {
        for (let count = 0; attacking || count < SAMPLES; count += 1) {
          const { status, ms } = await send(agents[1], neighbour);
          if (status !== 200) throw new Failure(`${name} beside ${title} got ${status}.`);
          times[name].push(ms);
          await sleep(PAUSE_MS);
        }
      };
      await Promise.all(Object.entries(neighbours).map(sample));
      await volley;
    }
    results.push({ title, statuses, times, slowest });
  }
  for (const agent of agents) agent.destroy();
  return results;
}

function report(results) {
  const at = (sample, share) =>
    sample.toSorted((a, b) => a - b)[Math.min(sample.length - 1, Math.floor(sample.length * share))];
  const rows = results.map(({ title, statuses, times, slowest }) => [
    title,
    {
      ...Object.fromEntries(
        Object.entries(times).flatMap(([name, sample]) => [
          [`${name} p50`, Math.round(at(sample, 0.5))],
          [`${name} max`, Math.round(at(sample, 1))],
        ]),
      ),
      'all 40 (ms)': Math.round(slowest),
      statuses: JSON.stringify(statuses),
    },
  ]);
  console.table(Object.fromEntries(rows));
  const missed = results.filter(({ times }) => Math.max(at(times.list, 0.5), at(times.page, 0.5)) > MAX_MS);
  if (missed.length > 0)
    throw new Failure(`Above ${MAX_MS} ms beside: ${missed.map(({ title }) => title).join(', ')}.`);
}
