// Measures lists and the install page of the service against a plain node server that reads the same rows from the same database.
// npm run bench lists [-- rounds]
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, get } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { root } from '../scripts/support/project.mjs';
import { copies } from './many-rows.mjs';
import { compare, REQUESTS, serve, startServer } from './measure.mjs';
import { startService } from './real-service.mjs';
import { closeConnections, upload } from './transfer.mjs';

const self = fileURLToPath(import.meta.url);
const require = createRequire(import.meta.url);
const pg = require('pg');
const BUILDS = 1100;
/** More builds than a process caches: nearly all builds of random pages are read from the database. */
const MANY_BUILDS = 60_000;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const UPLOADS_AT_ONCE = 8;
const CLIENTS = 16;
const COLUMNS = `id, organization_id, project_id, platform, version, build_number, notes, uploaded_at, uploaded_by_kind,
  uploaded_by_id, file_name, size_bytes, encode(sha256, 'hex') AS sha256, artifact, upload_warnings, branch, commit, ci_url`;

/** The reference: reads the rows and sends them as JSON, without authentication. */
function rawServer(databaseUrl) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  return createServer(async (incoming, outgoing) => {
    const { searchParams } = new URL(incoming.url, 'http://raw');
    const before = [searchParams.get('project'), searchParams.get('before') ?? LAST_ID];
    const statement = `SELECT ${COLUMNS} FROM build WHERE project_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`;
    const { rows } = await pool.query(statement, [...before, Number(searchParams.get('limit') ?? 1)]);
    const body = JSON.stringify({ items: rows, next_cursor: null });
    outgoing
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
      .end(body);
  });
}

const agent = new Agent({ keepAlive: true });
const request = ({ port, headers }, path) =>
  new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, agent, headers }, (incoming) => {
      incoming.resume().on('end', () => {
        if (incoming.statusCode === 200) resolve();
        else reject(new Error(`${path}: ${incoming.statusCode}`));
      });
    }).on('error', reject);
  });

/** Copies a build many times. @returns the ids of the project's builds, except the oldest ones. */
async function fill(databaseUrl) {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const from = `(SELECT uuidv7() AS id FROM generate_series(1, ${MANY_BUILDS})) AS x`;
  await database.query(copies('build', from, `'id', x.id, 'blob_key', 'builds/' || x.id`));
  await database.query('ANALYZE build');
  const { rows } = await database.query('SELECT id FROM build ORDER BY id OFFSET 100');
  await database.end();
  return rows.map(({ id }) => id);
}

/** Sends `count` requests from concurrent clients, each to a path of its own. @returns `count`. */
async function requests(server, pathOf, count, clients) {
  let left = count;
  const client = async () => {
    while (left-- > 0) await request(server, pathOf());
  };
  await Promise.all(Array.from({ length: clients }, client));
  return count;
}

async function measure(rounds) {
  const { encodeCursor } = require(join(root, 'dist/src/kernel/cursor.js'));
  const { startEmbeddedPostgres } = require(join(root, 'dist/src/infra/database/embedded/embedded-postgres.js'));
  const folder = mkdtempSync(join(tmpdir(), 'agate-lists-'));
  const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), log: () => undefined });
  const service = await startService({ DATABASE_URL: postgres.url, DATABASE_OWNER_URL: postgres.ownerUrl });
  const raw = { ...(await startServer(self, postgres.ownerUrl)), name: 'raw' };
  try {
    const texts = [];
    const uploader = async () => {
      while (texts.length < BUILDS) texts.push(await upload(service, 1000));
    };
    await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, uploader));
    const { install_url: link, project_id: project } = JSON.parse(texts[0]);
    const { pathname: page } = new URL(link);
    const pathOf = (path) => (server) => (server === raw ? path.raw : path.agate);
    const newest = `/?project=${project}`;
    const rows = [
      [
        'Builds, a page of 100, 16 clients',
        { raw: `${newest}&limit=100`, agate: `${service.uploadPath}&limit=100` },
        800,
        CLIENTS,
      ],
      [
        'Builds, a page of 1000, 8 clients',
        { raw: `${newest}&limit=1000`, agate: `${service.uploadPath}&limit=1000` },
        80,
        8,
      ],
      ['Install page against one row, 16 clients', { raw: `${newest}&limit=1`, agate: page }, 1600, CLIENTS],
    ];
    for (const [title, path, count, clients] of rows) {
      await compare(
        title,
        [raw, service],
        rounds,
        (server) => requests(server, () => pathOf(path)(server), count, clients),
        REQUESTS,
      );
    }
    const ids = await fill(postgres.ownerUrl);
    const randomPage = (server) => {
      const before = ids[Math.floor(Math.random() * ids.length)];
      if (server === raw) return `${newest}&limit=100&before=${before}`;
      return `${service.uploadPath}&limit=100&cursor=${encodeCursor(before, `builds|${project}`)}`;
    };
    await compare(
      'Builds, random pages of 100 that are not cached, 16 clients',
      [raw, service],
      rounds,
      (server) => requests(server, () => randomPage(server), 400, CLIENTS),
      REQUESTS,
    );
  } finally {
    agent.destroy();
    closeConnections();
    raw.stop();
    await service.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[2] === '--serve') await serve(rawServer(process.argv[3]));
else {
  await ensureBuilt();
  await measure(Number(process.argv[2] ?? 7));
}
