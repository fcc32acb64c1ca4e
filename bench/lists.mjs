// Measures lists and the install page of the service against a plain node server that reads the same rows from the same database.
// npm run bench:lists [-- rounds]
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, get } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from '../scripts/support/builds.mjs';
import { root } from '../scripts/support/project.mjs';
import { compare, REQUESTS, serve, startServer } from './measure.mjs';
import { startService } from './real-service.mjs';
import { closeConnections, upload } from './transfer.mjs';

const self = fileURLToPath(import.meta.url);
const require = createRequire(import.meta.url);
const pg = require('pg');
const BUILDS = 1100;
const UPLOADS_AT_ONCE = 8;
const CLIENTS = 16;
const COLUMNS = `id, organization_id, project_id, platform, version, build_number, notes, uploaded_at, uploaded_by_kind,
  uploaded_by_id, file_name, size_bytes, encode(sha256, 'hex') AS sha256, artifact, upload_warnings, branch, commit, ci_url`;

/** The reference: reads the rows and sends them as JSON, without authentication. */
function rawServer(databaseUrl) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  return createServer(async (incoming, outgoing) => {
    const limit = Number(new URL(incoming.url, 'http://raw').searchParams.get('limit') ?? 1);
    const { rows } = await pool.query(`SELECT ${COLUMNS} FROM build ORDER BY id DESC LIMIT $1`, [limit]);
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

/** Sends `count` requests from concurrent clients. @returns `count`. */
async function requests(server, path, count, clients) {
  let left = count;
  const client = async () => {
    while (left-- > 0) await request(server, path);
  };
  await Promise.all(Array.from({ length: clients }, client));
  return count;
}

async function measure(rounds) {
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
    const { pathname: page } = new URL(JSON.parse(texts[0]).install_url);
    const pathOf = (path) => (server) => (server === raw ? path.raw : path.agate);
    const rows = [
      [
        'Builds, a page of 100, 16 clients',
        { raw: '/?limit=100', agate: `${service.uploadPath}&limit=100` },
        800,
        CLIENTS,
      ],
      ['Builds, a page of 1000, 8 clients', { raw: '/?limit=1000', agate: `${service.uploadPath}&limit=1000` }, 80, 8],
      ['Install page against one row, 16 clients', { raw: '/?limit=1', agate: page }, 1600, CLIENTS],
    ];
    for (const [title, path, count, clients] of rows) {
      await compare(
        title,
        [raw, service],
        rounds,
        (server) => requests(server, pathOf(path)(server), count, clients),
        REQUESTS,
      );
    }
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
