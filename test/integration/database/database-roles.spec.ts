import { randomBytes } from 'node:crypto';
import { Client, type Pool } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '#infra/database/data-source-options';
import { migrateDatabase } from '#infra/database/migrations/migrate';
import { DatabaseRole, type RoleReport } from '#infra/database/roles/database-role';
import { grantPrivileges } from '#infra/database/roles/grant-privileges';
import { JobWorker } from '#infra/jobs/job-worker';
import { Logger } from '#infra/logging/logger';
import { type Developer } from '../../support/actors/actors';
import { TestApp } from '../../support/app/test-app';

/** The limits of the application's role, which hold even when SQL is injected (docs/decisions/0019-two-database-roles.md). */
let app: TestApp;
let ann: Developer;
let organizationId: string;
/** One client with the application's role, one with the owner's. */
let service: Client;
let owner: Client;

const connect = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
};

beforeAll(async () => {
  app = await TestApp.start();
  // Creates a fee and a trial credit in the ledger, and audit events.
  ann = await app.developer();
  organizationId = (await ann.createsOrganization()).id;
  [service, owner] = await Promise.all([connect(app.database.url), connect(app.database.ownerUrl)]);
});
afterAll(async () => {
  await Promise.all([service.end(), owner.end()]);
  await app.stop();
});

const nameOf = async (client: Client): Promise<string> =>
  (await client.query<{ name: string }>('SELECT current_user AS name')).rows[0]!.name;
const migrates = (): Promise<number> => migrateDatabase(app.database.ownerUrl, app.database.url);
const REFUSED = { code: '42501' };

describe("the application's role", () => {
  /** The expected list, written by hand: every table whose privileges are not `SELECT INSERT UPDATE DELETE`. */
  const LESS: Readonly<Record<string, string>> = {
    'public.audit_anchor': 'SELECT',
    'public.audit_chain': 'SELECT',
    'public.audit_event': 'SELECT INSERT',
    'public.audit_intake': '',
    'public.billing_statement': 'SELECT INSERT',
    'public.ledger_entry': 'SELECT INSERT',
    'public.migration': 'SELECT',
    'graphile_worker.jobs': 'SELECT',
    'graphile_worker.migrations': 'SELECT',
  };

  // red when: a line is removed from TABLES_WITH_LESS; TRUNCATE is granted by default; partitions are granted like tables
  it('has exactly the listed privileges on each table', async () => {
    const { rows } = await owner.query<{ name: string; part: boolean; verbs: string }>(
      `SELECT nspname || '.' || relname AS name, relispartition AS part,
              array_to_string(array(SELECT verb FROM unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[]) AS verb
                WHERE has_table_privilege($1, c.oid, verb)), ' ') AS verbs
       FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace
       WHERE nspname IN ('public', 'graphile_worker') AND relkind IN ('r', 'p', 'v')`,
      [await nameOf(service)],
    );
    expect(rows.length).toBeGreaterThan(45);
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(LESS)));
    const expected = rows.map(({ name, part }) => [name, part ? '' : (LESS[name] ?? 'SELECT INSERT UPDATE DELETE')]);
    expect(rows.map(({ name, verbs }) => [name, verbs])).toEqual(expected);
  });

  // red when: PUBLIC may call a SECURITY DEFINER function
  it('may call the functions it needs, which PUBLIC may not', async () => {
    const { rows } = await owner.query<{ name: string; everybody: boolean; service: boolean }>(
      `SELECT proname AS name, has_function_privilege($1, oid, 'EXECUTE') AS service,
              EXISTS (SELECT FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) WHERE grantee = 0) AS everybody
       FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`,
      [await nameOf(service)],
    );
    expect(rows.filter(({ everybody }) => everybody)).toEqual([]);
    expect(rows.filter((row) => row.service).map(({ name }) => name)).toEqual([
      'app_now',
      'audit_add_partitions',
      'audit_chain_id',
      'audit_drop_partitions',
      'audit_prune',
      'billing_now',
    ]);
  });

  const MONTH = `audit_event_${new Date().toISOString().slice(0, 7).replace('-', '_')}`;

  // red when: the service runs as the owner (DDL), or ledger_entry and audit_event are granted like other tables (UPDATE, DELETE)
  it.each([
    ...['audit_event', 'ledger_entry'].flatMap((table) => [
      `UPDATE ${table} SET id = id`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table}`,
      `MERGE INTO ${table} a USING ${table} b ON a.id = b.id WHEN MATCHED THEN DELETE`,
      `SELECT FROM ${table} FOR UPDATE`,
      `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`,
      `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
      `ALTER TABLE ${table} DROP COLUMN id`,
      `ALTER TABLE ${table} OWNER TO CURRENT_USER`,
      `DROP TRIGGER ${table}_append_only ON ${table}`,
      `DROP TABLE ${table}`,
      `CREATE TRIGGER mine BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
      `CREATE RULE mine AS ON INSERT TO ${table} DO INSTEAD NOTHING`,
      `CREATE POLICY mine ON ${table} USING (false)`,
    ]),
    `UPDATE ${MONTH} SET id = id`,
    `DELETE FROM ${MONTH}`,
    `TRUNCATE ${MONTH}`,
    `DROP TABLE ${MONTH}`,
    `SELECT FROM ${MONTH}`,
    `INSERT INTO ${MONTH} SELECT * FROM audit_event`,
    'ALTER TABLE audit_event DETACH PARTITION audit_event_default',
    `INSERT INTO audit_intake VALUES (1, gen_random_uuid(), '{}')`,
    'SELECT FROM audit_intake',
    'UPDATE audit_chain SET position = 0',
    'DELETE FROM audit_chain',
    'UPDATE audit_anchor SET position = 1000000',
    'UPDATE billing_statement SET id = id',
    'DELETE FROM billing_statement',
    'DELETE FROM migration',
    'SET session_replication_role = replica',
    'CREATE TABLE mine ()',
    'CREATE TABLE graphile_worker.mine ()',
    'CREATE SCHEMA mine',
    'CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
    `CREATE OR REPLACE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql AS $$ SELECT timestamptz 'epoch' $$`,
    'DROP FUNCTION audit_refuse_deletion() CASCADE',
    'ALTER TABLE developer ADD mine int',
    'CREATE INDEX mine ON developer (id)',
    'CREATE ROLE mine',
    `COPY developer TO PROGRAM 'cat'`,
    `SELECT pg_read_file('PG_VERSION')`,
  ])('may not: %s', async (statement) => {
    await service.query('BEGIN');
    await expect(service.query(statement)).rejects.toMatchObject(REFUSED);
    await service.query('ROLLBACK');
  });

  it('may not become the owner', async () => {
    await expect(service.query(`SET ROLE ${await nameOf(owner)}`)).rejects.toMatchObject(REFUSED);
    // PostgreSQL logs a warning and grants nothing.
    await service.query('GRANT ALL ON audit_event TO CURRENT_USER');
    await expect(service.query('DELETE FROM audit_event')).rejects.toMatchObject(REFUSED);
  });

  // red when: migration 1763668860000 creates no trigger on audit_anchor
  it('may not prune events within the retention of every plan', async () => {
    const events = `SELECT count(*)::int AS count FROM audit_event WHERE organization_id = $1`;
    const before = (await service.query(events, [organizationId])).rows;
    const prune = `SELECT audit_prune($1, now() + interval '1 year', now() + interval '1 year', 1000)`;
    await expect(service.query(prune, [organizationId])).rejects.toMatchObject(REFUSED);
    await service.query(`SELECT audit_drop_partitions(now() + interval '2 years')`).catch(() => undefined);
    expect((await service.query(events, [organizationId])).rows).toEqual(before);
    expect(before).not.toEqual([{ count: 0 }]);
  });
});

describe('the owner, even as a superuser', () => {
  // red when: migration 1763668820000 or 1763668840000 leaves a trigger out
  it.each([
    'UPDATE audit_event SET id = id',
    'DELETE FROM audit_event',
    'TRUNCATE audit_event',
    'UPDATE ledger_entry SET id = id',
    'DELETE FROM ledger_entry',
    'TRUNCATE ledger_entry',
  ])('is rejected by a trigger: %s', async (statement) => {
    await expect(owner.query(statement)).rejects.toMatchObject(REFUSED);
  });

  it('gives a third role no access to the audit events', async () => {
    const role = `agate_third_${randomBytes(4).toString('hex')}`;
    await owner.query(`CREATE ROLE ${role}`);
    try {
      await owner.query(`SET ROLE ${role}`);
      await expect(owner.query(`SELECT audit_prune($1, now(), now(), 1)`, [organizationId])).rejects.toMatchObject(
        REFUSED,
      );
      await expect(owner.query(`SELECT audit_drop_partitions(now())`)).rejects.toMatchObject(REFUSED);
      await expect(owner.query(`SELECT FROM audit_event`)).rejects.toMatchObject(REFUSED);
    } finally {
      await owner.query('RESET ROLE');
      await owner.query(`DROP ROLE ${role}`);
    }
  });
});

describe('a migration', () => {
  // red when: migrateDatabase does not grant privileges after migrating
  it("grants the application's role its privileges on a new table", async () => {
    await owner.query('CREATE TABLE later (id int)');
    await expect(service.query('SELECT FROM later')).rejects.toMatchObject(REFUSED);
    await migrates();
    await service.query('INSERT INTO later VALUES (1)');
    await service.query('DELETE FROM later');
    await expect(service.query('TRUNCATE later')).rejects.toMatchObject(REFUSED);
    await owner.query('DROP TABLE later');
  });

  // red when: grantPrivileges only adds
  it('revokes privileges that were granted by hand', async () => {
    const role = await nameOf(service);
    await owner.query(`GRANT UPDATE, TRUNCATE, TRIGGER ON ledger_entry TO "${role}"`);
    await owner.query(`GRANT CREATE ON SCHEMA public TO "${role}"`);
    await owner.query('GRANT CREATE ON SCHEMA public TO PUBLIC');
    await owner.query('GRANT EXECUTE ON FUNCTION audit_prune TO PUBLIC');
    await migrates();
    await expect(service.query('UPDATE ledger_entry SET id = id')).rejects.toMatchObject(REFUSED);
    await expect(service.query('CREATE TABLE mine ()')).rejects.toMatchObject(REFUSED);
    const query = async <Row>(text: string, parameters?: unknown[]): Promise<Row[]> =>
      (await owner.query(text, parameters)).rows as Row[];
    // red when: a second run grants again
    expect(await grantPrivileges(query, role)).toEqual([]);
  });

  it('fails with advice when the role lacks a privilege', async () => {
    await owner.query(`DELETE FROM migration WHERE name LIKE 'CloseAuditFunctions%'`);
    try {
      await expect(migrateDatabase(app.database.url)).rejects.toThrow(
        /Set DATABASE_OWNER_URL to the role that owns it/,
      );
    } finally {
      await owner.query(
        `INSERT INTO migration (timestamp, name) VALUES (1763668860000, 'CloseAuditFunctions1763668860000')`,
      );
    }
    // Without pending migrations the role needs no further privilege.
    expect(await migrateDatabase(app.database.url)).toBe(0);
  });
});

describe('a missing privilege', () => {
  const reportOf = async (url: string): Promise<RoleReport> => {
    const dataSource = await new DataSource(dataSourceOptions(url, 2)).initialize();
    try {
      return await new DatabaseRole(dataSource, app.nest.get(Logger)).report();
    } finally {
      await dataSource.destroy();
    }
  };

  // red when: error-filter.ts does not call isForbidden, so the 500 shows the driver's message
  it('causes a 500 without details, a log line with advice, and an error at the next start', async () => {
    await owner.query(`REVOKE INSERT ON project FROM "${await nameOf(service)}"`);
    try {
      const answer = await ann.post(`/projects?organization_id=${organizationId}`, { name: 'Demo' });
      expect(answer.status).toBe(500);
      expect(answer.body).toMatchObject({ error: 'internal_error' });
      expect(answer.text).not.toMatch(/permission denied|table|role/);
      const line = app.logLines.find((each) => /database role lacks a/.test(each));
      expect(line).toContain('permission denied for table project');
      expect((await reportOf(app.database.url)).missing).toEqual(['INSERT on public.project']);
    } finally {
      await migrates();
    }
    await ann.post(`/projects?organization_id=${organizationId}`, { name: 'Demo' }).expect(201);
  });

  it('is reported apart from a surplus privilege', async () => {
    expect(await reportOf(app.database.url)).toEqual({ role: await nameOf(service), missing: [], surplus: [] });
    const { missing, surplus } = await reportOf(app.database.ownerUrl);
    expect(missing).toEqual([]);
    expect(surplus).toEqual(expect.arrayContaining(['CREATE in public', 'ALTER and DROP']));
    expect(surplus).toContain('UPDATE, DELETE, TRUNCATE, TRIGGER on public.audit_event');
  });
});

/** A hanging database must not hang requests. */
describe('timeouts', () => {
  const TIMEOUTS = { statement_timeout: '10s', lock_timeout: '5s', idle_in_transaction_session_timeout: '15s' };

  /** The server's settings of a connection of the pool. */
  const timeoutsOf = async (pool: Pool): Promise<object> => {
    const shown = Object.keys(TIMEOUTS).map(async (name) => {
      const { rows } = await pool.query<Record<string, string>>(`SHOW ${name}`);
      return [name, rows[0]?.[name]] as const;
    });
    return Object.fromEntries(await Promise.all(shown));
  };
  const userOf = async (pool: Pool): Promise<string | undefined> =>
    (await pool.query<{ name: string }>('SELECT current_user AS name')).rows[0]?.name;

  // red when: the job worker's pool is created without TIMEOUTS
  it.each<[string, () => Pool, object]>([
    ['requests', () => (app.nest.get(DataSource).driver as unknown as { master: Pool }).master, { openTicks: 20 }],
    ['jobs', () => app.nest.get<JobWorker, { pool: Pool }>(JobWorker).pool, { openTicks: 50 }],
  ])('bound connections, statements, locks and idle transactions in the pool of %s', async (_of, pool, opening) => {
    expect(await timeoutsOf(pool())).toEqual(TIMEOUTS);
    expect(pool().options).toMatchObject(opening);
    expect(await userOf(pool())).toBe(await nameOf(service));
  });
});
