// Measures a list of builds at its first page and at one of its last pages, with a million builds, also under filters, and facets, against
// the same request in a project with one build: the ratio of full pages should be 1.0, and that of searches is bounded, whatever the number
// of builds.
// npm run bench pages [-- rounds]; BENCH_BUILDS changes the number of builds.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { root } from '../scripts/support/project.mjs';
import { copies } from './many-rows.mjs';
import { compare, REQUESTS } from './measure.mjs';
import { startService } from './real-service.mjs';
import { closeConnections, upload } from './transfer.mjs';

const require = createRequire(import.meta.url);
const BUILDS = Number(process.env.BENCH_BUILDS ?? 1_000_000);
const PAGE = 100;
const CLIENTS = 4;
const REQUESTS_PER_ROUND = 60;
/** Builds after the last page, so that a page under a filter that few builds match is full, too. */
const REST = Math.ceil(BUILDS / 8);
const FILTERS = ['', '&platform=linux', '&branch=b7', '&version=1.3', '&platform=linux&branch=b8', '&q=1.3'];
const DAY = 'from=2025-01-01T00:00:00Z&to=2025-01-02T00:00:00Z';
/** Requests for builds that do not exist. They find none, and return few bytes. */
const SEARCHES = [
  '&q=none-has-this',
  '&branch=b7&q=none-has-this',
  `&uploaded_by=${randomUUID()}`,
  `&${DAY}`,
  '&commit=0000000',
  `&sha256=${'0'.repeat(64)}`,
  '&warning=none-has-this',
  '&installable=true&platform=macos',
  '&has_warnings=true&platform=macos',
];

const rounds = Number(process.argv[2] ?? 5);
const agent = new Agent({ keepAlive: true });

/** @param server.length the number of items of the response. Null: any. */
const request = ({ port, headers, path, length = PAGE }) =>
  new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, agent, headers }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      incoming.on('end', () => {
        const found = incoming.statusCode === 200 ? JSON.parse(text).items?.length : -1;
        if (found === length || (length === null && found !== -1)) resolve();
        else reject(new Error(`${path}: ${incoming.statusCode}, ${found} builds`));
      });
    }).on('error', reject);
  });

async function requests(server) {
  let left = REQUESTS_PER_ROUND;
  const client = async () => {
    while (left-- > 0) await request(server);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return REQUESTS_PER_ROUND;
}

/** Copies a build many times. @returns the project and the id of the last build before the last page. */
async function fill(databaseUrl) {
  const database = new (require('pg').Client)({ connectionString: databaseUrl });
  await database.connect();
  const from = `(SELECT uuidv7() AS id, n FROM generate_series(1, ${BUILDS}) AS n) AS x`;
  const changes = `'id', x.id, 'blob_key', 'builds/' || x.id, 'branch', 'b' || x.n % 100, 'version', '1.' || x.n % 50,
    'platform', CASE WHEN x.n % 3 = 0 THEN 'android' ELSE 'linux' END`;
  await database.query(copies('build', from, changes));
  await database.query('VACUUM ANALYZE build');
  const { rows } = await database.query(
    'SELECT project_id AS project, id AS last FROM build ORDER BY id LIMIT 1 OFFSET $1',
    [REST],
  );
  await database.end();
  return rows[0];
}

await ensureBuilt();
const { encodeCursor } = require(join(root, 'dist/src/kernel/cursor.js'));
const { startEmbeddedPostgres } = require(join(root, 'dist/src/infra/database/embedded/embedded-postgres.js'));
const folder = mkdtempSync(join(tmpdir(), 'agate-pages-'));
const postgres = await startEmbeddedPostgres({ dataDirectory: folder, log: () => undefined });
const service = await startService({ DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl });
try {
  await upload(service, 1000);
  const { project, last } = await fill(postgres.ownerUrl);
  const cursor = `&cursor=${encodeCursor(last, `builds|${project}`)}`;
  for (const filter of FILTERS) {
    const first = `${service.uploadPath}&limit=${PAGE}${filter}`;
    const pages = [
      { ...service, name: 'page 1', path: first },
      { ...service, name: 'a last page', path: first + cursor },
    ];
    await compare(`${BUILDS} builds, ${filter.slice(1) || 'no filter'}`, pages, rounds, requests, REQUESTS);
  }
  const small = await service.createTenant('Small');
  await upload({ ...service, ...small }, 1000);
  const both = (name, length, pathOf) =>
    compare(
      `${BUILDS} builds, ${name}`,
      [
        { ...service, ...small, name: 'one build', path: pathOf(small.uploadPath), length },
        { ...service, name: 'large', path: pathOf(service.uploadPath), length },
      ],
      rounds,
      requests,
      REQUESTS,
    );
  for (const search of SEARCHES) await both(search.slice(1), 0, (path) => `${path}&limit=${PAGE}${search}`);
  await both('facets', null, (path) => path.replace('?', '/facets?'));
} finally {
  agent.destroy();
  closeConnections();
  await service.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
