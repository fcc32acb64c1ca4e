// An installation in a folder: an embedded PostgreSQL, a data directory, and the services that a part of the benchmark starts on them.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../../scripts/support/project.mjs';
import { clientOf } from '../demo-account.mjs';
import { launchService } from '../real-service.mjs';
import { fill } from './fill/fill.mjs';
import { seed } from './seed.mjs';

const require = createRequire(import.meta.url);
const pg = require('pg');

/** Both libraries do nothing until a part uses them. */
const SETTINGS = { shared_preload_libraries: 'pg_stat_statements,auto_explain', max_wal_size: '4GB' };
/** Access tokens expire. */
const SESSION_MS = 240_000;

export class Installation {
  /** @param folder an installation that `fillInstallation` made. */
  static async open(folder) {
    const { startEmbeddedPostgres } = require(join(root, 'dist/src/infra/database/embedded/embedded-postgres.js'));
    const options = { dataDirectory: join(folder, 'postgres'), settings: SETTINGS, log: () => undefined };
    return new Installation(folder, await startEmbeddedPostgres(options));
  }

  constructor(folder, postgres) {
    Object.assign(this, { folder, postgres, services: [], clients: [] });
    const record = join(folder, 'subject.json');
    this.subject = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : null;
  }

  /** Starts a process. Without a role, it serves requests and runs no jobs. */
  async launch(environment = {}, options = []) {
    const { url, ownerUrl } = this.postgres;
    const dataDirectory = join(this.folder, 'data');
    const own = { DATA_DIR: dataDirectory, DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl, ROLE: 'api' };
    const service = await launchService({ ...own, MAX_OPEN_RESERVATIONS: '100000', ...environment }, options);
    this.services.push(service);
    return service;
  }

  /** A connection as the owner of the schema, a superuser. */
  async connect(database = 'agate') {
    const url = new URL(this.postgres.ownerUrl);
    url.pathname = `/${database}`;
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    this.clients.push(client);
    return client;
  }

  /** @returns a function that returns the headers of the owner of the hot organization, with a session that has not expired. */
  headersFor({ port }) {
    let [session, since] = [null, -Infinity];
    return async () => {
      if (performance.now() - since > SESSION_MS) {
        since = performance.now();
        // Concurrent requests wait for one login.
        session = clientOf(`http://127.0.0.1:${port}`, this.subject.account);
      }
      return { Authorization: `Bearer ${(await session).token}` };
    };
  }

  async stopServices() {
    await Promise.all(this.services.splice(0).map((service) => service.stop()));
  }

  async stop() {
    await this.stopServices();
    await Promise.all(this.clients.splice(0).map((client) => client.end()));
    await this.postgres.stop();
  }
}

/** Makes an installation of a size in a new folder. It appears under its name when it is complete. */
export async function fillInstallation(folder, sizes, report) {
  const draft = `${folder}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(join(draft, 'data'), { recursive: true });
  for (const each of [draft, join(draft, 'data')]) chmodSync(each, 0o711);
  const installation = await Installation.open(draft);
  try {
    const service = await installation.launch({ ROLE: 'all' }, ['--demo']);
    const subject = await seed(service);
    await installation.stopServices();
    const database = await installation.connect();
    await fill(database, { ...subject, sizes, dataDirectory: join(draft, 'data') }, report);
    writeFileSync(join(draft, 'subject.json'), JSON.stringify({ ...subject, ...(await lookUp(database, subject)) }));
  } finally {
    await installation.stop();
  }
  renameSync(draft, folder);
}

/** Values of filled rows, for filters. */
async function lookUp(database, { organization, project, account }) {
  const one = async (sql, parameters) => (await database.query(sql, parameters)).rows[0];
  const { developer } = await one('SELECT id AS developer FROM developer WHERE email_key = $1', [account.email]);
  const { member } = await one('SELECT developer_id AS member FROM project_membership WHERE project_id = $1 LIMIT 1', [
    project,
  ]);
  const filled = await one(
    `SELECT commit, encode(sha256, 'hex') AS sha256, uploaded_by_id AS uploader FROM build
     WHERE project_id = $1 AND version = '1.0' ORDER BY id LIMIT 1`,
    [project],
  );
  const { email } = await one(`SELECT email FROM tester WHERE project_id = $1 AND email LIKE 't1.%'`, [project]);
  const { rest } = await one(
    `SELECT id AS rest FROM channel WHERE organization_id = $1 AND project_id = $2 AND name = 'Store'`,
    [organization, project],
  );
  return { developer, member, filled, email, otherChannel: rest };
}

/** Copies an installation that stays as it was filled, and waits until it is on disk, because writing it would slow down what is measured. */
export function copyInstallation(from, to) {
  execFileSync('cp', ['-a', '--reflink=auto', from, to]);
  execFileSync('sync', ['-f', to]);
}
