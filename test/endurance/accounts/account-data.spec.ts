import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Developer, scope } from '../../support/actors/actors';
import { commands, downloaded, refuses } from '../../support/actors/backup-fixture';
import { customerS3, ON_THIS_MACHINE, putByosa } from '../../support/actors/byosa';
import { createTenant, type Tenant, verifiedDeveloper } from '../../support/actors/tenant';
import { pausesStatements } from '../../support/app/paused-statements';
import { TestApp } from '../../support/app/test-app';
import { unzipped } from '../../support/checks/zip-reader';
import { operator, startOperator } from '../../support/processes/operator-console';
import { until } from '../../support/until';

jest.setTimeout(240_000);

const MAC = { platform: 'macos', version: '1.0' };

describe('account export and account erase', () => {
  let app: TestApp;
  let tenant: Tenant;
  let stranger: Tenant;
  let folder: string;
  beforeAll(async () => {
    app = await TestApp.start({ worker: false, environment: ON_THIS_MACHINE });
    folder = await mkdtemp(join(tmpdir(), 'agate-export-'));
    tenant = await createTenant(app, 'canary-a');
    stranger = await createTenant(app, 'canary-b');
    await app.sql(
      `INSERT INTO account_flag SELECT gen_random_uuid(), principal, $2, 'too_many_requests', now(), now(), now(), 7
       FROM unnest($1::text[]) AS principal`,
      [[...flaggedOf(tenant), ...flaggedOf(stranger)], tenant.organization.id],
    );
  });
  afterAll(async () => {
    await app.stop();
    await rm(folder, { recursive: true });
  });

  /** The names of a developer's credentials in rate limit flags. */
  const flaggedOf = ({ admin, pat }: Tenant): string[] => [`developer:${admin.id}`, `pat:${pat.id}`];
  const events = (type: string): Promise<object[]> =>
    app.sql('SELECT organization_id, actor_kind, payload FROM audit_event WHERE type = $1', [type]);
  const json = (files: Map<string, Buffer>, name: string): Record<string, unknown>[] =>
    JSON.parse(String(files.get(`${name}.json`))) as Record<string, unknown>[];
  /** All secrets in the database, in every encoding in which they could appear. */
  const secrets = async (): Promise<string[]> => {
    const rows = await app.sql<{ secret: Buffer | string }>(
      `SELECT digest AS secret FROM invite UNION ALL SELECT sealed_token FROM invite WHERE sealed_token IS NOT NULL
       UNION ALL SELECT digest FROM project_access_token UNION ALL SELECT digest FROM personal_access_token
       UNION ALL SELECT digest FROM organization_invitation UNION ALL SELECT digest FROM refresh_token
       UNION ALL SELECT digest FROM developer_link UNION ALL SELECT address_digest FROM suppression
       UNION ALL SELECT convert_to(password_hash, 'UTF8') FROM developer`,
    );
    const forms = rows.flatMap(({ secret }) =>
      (['hex', 'base64', 'base64url', 'utf8'] as const).map((encoding) => Buffer.from(secret).toString(encoding)),
    );
    return [...forms, tenant.projectToken.token, tenant.pat.token, tenant.admin.refreshToken, tenant.admin.password];
  };
  const expectNoSecret = async (files: Map<string, Buffer>): Promise<void> => {
    const text = [...files].filter(([name]) => name.endsWith('.json')).map(([, bytes]) => bytes.toString());
    const known = await secrets();
    expect(known.length).toBeGreaterThan(40);
    expect(known.filter((secret) => text.some((each) => each.includes(secret)))).toEqual([]);
  };

  // red when: a *.account-data.ts file exports a digest, or rows of another organization
  it('exports an organization as a zip of JSON, without secrets and without data of other organizations', async () => {
    const file = join(folder, 'organization.zip');
    await app.sql(
      `INSERT INTO tester (id, organization_id, project_id, email, email_key, platforms, created_at)
       SELECT gen_random_uuid(), $1, $2, 't' || n || '@example.com', 't' || n || '@example.com', '{}', now()
       FROM generate_series(1, 1234) AS n`,
      [tenant.organization.id, tenant.project.id],
    );
    const result = await commands(app, [
      ...['account', 'export', tenant.organization.id, '--file', file, '--artifacts', '--yes'],
    ]);
    expect(result).toMatchObject({ organization: tenant.organization.id, artifacts: 2, missing_artifacts: [] });
    const files = await unzipped(await readFile(file));
    const names = [...files.keys()];
    expect(names).toEqual(
      expect.arrayContaining([
        'members.json',
        'audit_events.json',
        `artifacts/${tenant.build.id}`,
        `artifacts/${tenant.attachmentId}`,
      ]),
    );
    expect(json(files, 'testers')).toHaveLength(1235);
    expect(json(files, 'builds')).toMatchObject([{ id: tenant.build.id, sha256: tenant.build.sha256 }]);
    expect(json(files, 'attachments')).toMatchObject([{ id: tenant.attachmentId, build_id: tenant.build.id }]);
    expect(json(files, 'members').map(({ email }) => email)).toContain(tenant.admin.email);
    expect(typeof json(files, 'billing_account')[0]?.['balance_micro_usd']).toBe('number');
    expect(json(files, 'channels')[0]?.['created_at']).toMatch(/^\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z$/);
    const contents = JSON.parse(String(files.get('contents.json'))) as { contents: { file: string; rows: number }[] };
    for (const { file: name, rows } of contents.contents) {
      expect([name, rows]).toEqual([name, (JSON.parse(String(files.get(name))) as object[]).length]);
    }
    for (const [name, bytes] of files) expect([name, bytes.includes('canary-b')]).toEqual([name, false]);
    await expectNoSecret(files);
    expect(await events('organization.exported')).toMatchObject([
      { organization_id: tenant.organization.id, actor_kind: 'operator', payload: { artifacts: true } },
    ]);
    expect((await operator(app, 'account', 'export', tenant.organization.id, '--file', file, '--yes')).status).toBe(1);
  });

  it('exports a developer to standard output', async () => {
    const run = startOperator(app, ['account', 'export', tenant.admin.email, '--yes', '--json']);
    const { status, err, bytes } = await run.done;
    expect([status, JSON.parse(err)]).toMatchObject([0, { developer: tenant.admin.id, file: null }]);
    const files = await unzipped(bytes);
    expect(json(files, 'developer')).toMatchObject([{ id: tenant.admin.id, email: tenant.admin.email }]);
    expect(json(files, 'memberships')).toMatchObject([{ organization_id: tenant.organization.id }]);
    expect(json(files, 'audit_events').length).toBeGreaterThan(5);
    // red when: the flags of their tokens are not exported
    expect(
      json(files, 'account_flags')
        .map(({ principal }) => principal)
        .sort(),
    ).toEqual(flaggedOf(tenant));
    for (const [name, bytes] of files) expect([name, bytes.includes('canary-b')]).toEqual([name, false]);
    await expectNoSecret(files);
    expect(await events('developer.exported')).toMatchObject([{ payload: { developer_id: tenant.admin.id } }]);
  });

  it('requires confirmation, supports --dry-run and rejects an unknown id or address', async () => {
    const { id } = stranger.organization;
    for (const command of ['export', 'erase']) {
      expect(await operator(app, 'account', command, id)).toMatchObject({ status: 2, out: '' });
      expect(await operator(app, 'account', command, id, '--dry-run')).toMatchObject({ status: 0 });
      expect(await refuses(app, 'account', command, '01234567-89ab-7def-8123-456789abcdef', '--yes')).toContain(
        'no organization',
      );
      expect(await refuses(app, 'account', command, 'nobody@example.com', '--yes')).toContain('no organization');
    }
    expect((await operator(app, 'account', 'erase', id, '--dry-run')).out).toContain('1 projects, 1 builds');
    expect(await app.sql('SELECT FROM organization')).toHaveLength(2);
  });

  // red when: MailOutbox does not check that the recipient still exists
  it('sends no queued mail to a tester who was erased', async () => {
    const emails = ['erased@tester.example.com', 'stays@tester.example.com'];
    const [erased] = await Promise.all(
      emails.map(async (email) => {
        const { body } = await tenant.admin.post(`/testers?${scope(tenant.project)}`, { email }).expect(201);
        const { id } = body as { id: string };
        await tenant.admin.post(`/testers/${id}/invite?${scope(tenant.project)}`).expect(204);
        return id;
      }),
    );
    await tenant.admin.delete(`/testers/${erased}?${scope(tenant.project)}`).expect(204);
    const worker = await TestApp.start({ beside: app, environment: ON_THIS_MACHINE });
    try {
      await app.mailbox.latest(emails[1]!);
      const waiting = `SELECT FROM graphile_worker.jobs WHERE task_identifier = 'mail.send'`;
      await until(async () => (await app.sql(waiting)).length === 0);
      expect(await app.mailbox.all(emails[0])).toEqual([]);
    } finally {
      await worker.stop();
    }
  });

  it('erases an organization although the first run is killed, and keeps the ledger and the audit chain intact', async () => {
    const ann = await verifiedDeveloper(app);
    const organization = await ann.createsOrganization('To be erased');
    await ann.changesPlan(organization, 'business');
    const project = await ann.createsProject(organization);
    const build = await ann.uploads(project, { bytes: randomBytes(5000), fileName: 'App.dmg' }, MAC);
    const channel = await ann.createsChannel(project);
    await ann.promotes(project, channel, build);
    expect(await downloaded(ann, project, build)).toBe(build.sha256);
    await app.sql(
      `WITH more AS (
         INSERT INTO build SELECT (jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid(), 'blob_key', 'builds/copy-' || n))).*
         FROM build b, generate_series(1, 700) AS n WHERE b.id = $1 RETURNING *),
       stored AS (INSERT INTO stored_build SELECT id, organization_id, size_bytes FROM more)
       INSERT INTO storage_interval SELECT gen_random_uuid(), organization_id, id, size_bytes, now() FROM more`,
      [build.id],
    );
    await app.sql(
      `INSERT INTO tester (id, organization_id, project_id, email, email_key, platforms, created_at)
       SELECT gen_random_uuid(), $1, $2, 't' || n || '@example.com', 't' || n || '@example.com', '{}', now()
       FROM generate_series(1, 2000) AS n`,
      [organization.id, project.id],
    );
    const left = async (table: string): Promise<number> =>
      (await app.sql(`SELECT FROM ${table} WHERE organization_id = $1`, [organization.id])).length;
    const erase = ['account', 'erase', organization.id, '--yes', '--json'];

    // Slow enough to be killed between two batches.
    const goesOn = await pausesStatements(app, { event: 'AFTER DELETE', table: 'build', seconds: 5 });
    const first = startOperator(app, erase);
    await until(async () => (await left('build')) !== 701);
    first.kill();
    expect((await first.done).status).toBeNull();
    await goesOn();
    expect(await left('build')).toBeGreaterThan(0);
    // Access has ended before the first build was deleted.
    await ann.get(`/projects?organization_id=${organization.id}`).expect(403);
    const checks = JSON.parse((await operator(app, 'check', '--json')).out) as object[];
    expect(checks.slice(0, 2)).toMatchObject([{ status: 'passed' }, { status: 'passed' }]);

    const second = await commands<{ builds: number }>(app, erase);
    expect(second).toMatchObject({ erased: true, before: false, testers: 2000 });
    // red when: the first run deletes no builds before it is killed
    expect(second.builds).toBeLessThan(701);
    expect(await commands(app, erase)).toEqual({ erased: true, before: true });

    const tables = await app.sql<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'organization_id'
         AND table_name !~ '^audit_event_'`,
    );
    const remaining: Record<string, number> = {};
    for (const { name } of tables) if ((await left(name)) > 0) remaining[name] = await left(name);
    // A worker deletes the intervals.
    expect(remaining['storage_interval']).toBeGreaterThan(700);
    expect(Object.keys(remaining).sort()).toEqual([
      'audit_event',
      'billing_statement',
      'ledger_entry',
      'storage_interval',
    ]);
    // red when: the billing account is not closed
    const [statement] = await app.sql<{ closing: string; ledger: string }>(
      `SELECT closing_balance_micro_usd AS closing, (SELECT sum(amount_micro_usd)::text FROM ledger_entry l
         WHERE l.organization_id = s.organization_id) AS ledger FROM billing_statement s WHERE organization_id = $1
       ORDER BY period DESC LIMIT 1`,
      [organization.id],
    );
    expect(statement!.closing).toBe(statement!.ledger);
    expect(await events('organization.erased')).toMatchObject([{ organization_id: organization.id }]);
    expect(await commands(app, ['audit', 'verify', '--organization-id', organization.id])).toMatchObject({
      whole: true,
    });

    const worker = await TestApp.start({ beside: app, environment: ON_THIS_MACHINE });
    const file = join(app.dataDirectory, 'artifacts/builds');
    const expected = await app.sql(
      `SELECT FROM build WHERE storage_account = 'hosted' UNION ALL SELECT FROM attachment WHERE storage_account = 'hosted'`,
    );
    await until(async () => (await readdir(file)).length <= expected.length);
    await until(async () => (await left('storage_interval')) === 0);
    await worker.stop();
  });

  it('deletes the artifacts from the organization’s own storage while a service runs', async () => {
    const store = await customerS3();
    const ann = await verifiedDeveloper(app);
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    await putByosa(ann, organization, await store.settings()).expect(200);
    await commands(app, ['byosa', 'flip', organization.id, '--to', 'byosa', '--yes'], ON_THIS_MACHINE);
    const project = await ann.createsProject(organization);
    await ann.uploads(project, { bytes: randomBytes(5000), fileName: 'App.dmg' }, MAC);
    const worker = await TestApp.start({ beside: app, environment: ON_THIS_MACHINE });
    const deletions = (): number =>
      store.proxy.seen.filter(({ method, url }) => method === 'DELETE' && /builds\//.test(url.pathname)).length;
    const before = deletions();
    await commands(app, ['account', 'erase', organization.id, '--yes'], ON_THIS_MACHINE);
    expect(deletions()).toBeGreaterThan(before);
    expect(await app.sql('SELECT FROM storage_account WHERE organization_id = $1', [organization.id])).toEqual([]);
    await worker.stop();
    await store.stop();
  });

  // red when: the erasure of the only ADMIN leaves an organization without one
  it('erases a developer only when their organizations have another ADMIN', async () => {
    const { admin, member, organization } = tenant;
    expect(await refuses(app, 'account', 'erase', admin.email, '--yes')).toContain('--new-admin');
    expect(await refuses(app, 'account', 'erase', admin.email, '--new-admin', stranger.admin.email, '--yes')).toContain(
      'only ADMIN',
    );
    const erase = ['account', 'erase', admin.id, '--new-admin', member.email, '--yes'];
    expect(await commands(app, erase)).toMatchObject({ erased: true, before: false, developer: admin.id });
    // red when: the id of an erased developer is compared in the case in which it was typed
    for (const id of [admin.id, admin.id.toUpperCase()])
      expect(await commands(app, ['account', 'erase', id, '--yes'])).toEqual({ erased: true, before: true });
    const roles = await app.sql('SELECT developer_id, roles FROM membership WHERE organization_id = $1', [
      organization.id,
    ]);
    expect(roles).toEqual([{ developer_id: member.id, roles: ['MEMBER', 'ADMIN'] }]);
    const flags = await app.sql<{ principal: string }>('SELECT principal FROM account_flag ORDER BY principal');
    expect(flags.map(({ principal }) => principal)).toEqual(flaggedOf(stranger));
    await admin.get('/developers/me').expect(401);
    await expect(Developer.logIn(app.url, admin.email, admin.password)).rejects.toThrow();
    const { body } = await member.get(`/audit/organization/${organization.id}`).expect(200);
    expect(JSON.stringify(body)).not.toContain(admin.email);
    expect(await commands(app, ['check'])).toMatchObject([
      { status: 'passed' },
      { status: 'passed' },
      { status: 'passed' },
    ]);
  });
});
