import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { newId } from '#kernel/ids';
import { StorageService } from '#modules/storage';
import { type Bearer, type Developer, type OrganizationRef } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { unzipped } from '../../../support/checks/zip-reader';
import { until } from '../../../support/until';

interface ExportJson {
  readonly id: string;
  readonly state: 'requested' | 'running' | 'ready' | 'failed';
  readonly reason: string | null;
  readonly size_bytes: number | null;
  readonly url: string | null;
  readonly expires_at: string | null;
}

describe('an export that a developer requests', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  beforeAll(async () => {
    app = await TestApp.start({ environment: { RATE_LIMIT_FACTOR: '1' } });
  });
  beforeEach(async () => {
    ann = await app.developer();
    organization = await ann.createsOrganization();
  });
  afterAll(() => app.stop());

  const joins = (developer: Developer, roles: string[]): Promise<unknown> =>
    app.sql('INSERT INTO membership VALUES ($1, $2, $3, now())', [organization.id, developer.id, roles]);
  const OWN = '/developers/me/export';
  const ofOrganization = (): string => `/organizations/${organization.id}/export`;
  const request = (path: string, who = ann) => who.post(path, { password: who.password });
  const latest = async (path: string, who: Bearer = ann): Promise<ExportJson | null> =>
    ((await who.get(path).expect(200)).body as { export: ExportJson | null }).export;
  /** Waits in the database, because the number of requests is limited. */
  const ready = async (path: string, who: Bearer = ann): Promise<ExportJson> => {
    const unfinished = `SELECT FROM data_export WHERE state IN ('requested', 'running')`;
    await until(async () => (await app.sql(unfinished)).length === 0);
    const found = await latest(path, who);
    expect(found).toMatchObject({ state: 'ready', reason: null });
    return found!;
  };
  const download = ({ url }: ExportJson, method = 'GET'): Promise<Response> =>
    fetch(app.url + new URL(url!).pathname, { method });
  const contents = async (found: ExportJson): Promise<Map<string, Buffer>> =>
    unzipped(Buffer.from(await (await download(found)).arrayBuffer()));
  const hosted = () => app.nest.get(StorageService, { strict: false }).storeOf(app.systemContext, 'hosted');
  const archives = async (): Promise<string[]> => {
    const keys = [];
    for await (const { key } of (await hosted()).list('exports/')) keys.push(key);
    return keys;
  };
  const added = async (before: readonly string[]): Promise<string[]> =>
    (await archives()).filter((key) => !before.includes(key));
  const events = async (): Promise<string[]> =>
    (
      await app.sql<{ type: string }>(
        `SELECT type FROM audit_event WHERE type LIKE '%export%'
         AND (organization_id = $1 OR payload ->> 'developer_id' = $2) ORDER BY time, id`,
        [organization.id, ann.id],
      )
    ).map(({ type }) => type);

  it('contains the data of the developer, and its link is mailed and returned', async () => {
    expect(await latest(OWN)).toBeNull();
    const { body } = await request(OWN).expect(202);
    expect(body).toMatchObject({ state: 'requested', url: null, expires_at: null });
    const found = await ready(OWN);
    const response = await download(found);
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'application/zip',
      'private, no-store',
    ]);
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename=agate-developer-[\d-]+\.zip$/);
    const files = await unzipped(Buffer.from(await response.arrayBuffer()));
    expect(JSON.parse(files.get('contents.json')!.toString())).toMatchObject({ developer: { name: ann.email } });
    const { href } = await app.mailbox.linkTo(ann.email, '/exports/');
    expect((await download({ ...found, url: href }, 'HEAD')).status).toBe(200);
    expect(await events()).toEqual(['developer.export_requested', 'developer.export_started', 'developer.exported']);
    // The mailer of this test writes the mailed link to the log, as it does in development.
    expect(app.logLines.join('')).not.toContain(found.url!.split('/').at(-1)!);
  });

  it('contains the data of an organization without artifacts', async () => {
    const before = await archives();
    await request(ofOrganization()).expect(202);
    const found = await ready(ofOrganization());
    const files = await contents(found);
    const summary = JSON.parse(files.get('contents.json')!.toString()) as Record<string, unknown>;
    expect(summary).toMatchObject({ organization: { id: organization.id }, artifacts: 0 });
    // What is consistent in it, and what not, is a part of the archive.
    expect(files.get('README.txt')!.toString()).toContain('exactly once');
    // red when: the parts of which the archive was made stay in the store
    await until(async () => (await added(before)).length === 1);
    expect(await added(before)).toEqual([`exports/${found.id}`]);
    expect(await events()).toEqual([
      'organization.export_requested',
      'organization.export_started',
      'organization.exported',
    ]);
  });

  // red when: a process that continues an export of another one overwrites its parts, or deletes its archive
  it('is made once and whole when several jobs make it concurrently', async () => {
    const before = await archives();
    const { body } = await request(ofOrganization()).expect(202);
    const { id } = body as ExportJson;
    const payload = JSON.stringify({ request_id: 'test', data: { id } });
    for (let job = 0; job < 4; job++) {
      await app.sql(`SELECT FROM graphile_worker.add_job('account-data.export', $1::json, max_attempts => 4)`, [
        payload,
      ]);
    }
    const found = await ready(ofOrganization());
    const unfinished = `SELECT FROM graphile_worker.jobs WHERE task_identifier IN ('account-data.export', 'mail.send')`;
    await until(async () => (await app.sql(unfinished)).length === 0);
    const files = await contents(found);
    for (const [name, bytes] of files) if (name.endsWith('.json')) JSON.parse(bytes.toString());
    expect(JSON.parse(files.get('organization.json')!.toString())).toMatchObject([{ id: organization.id }]);
    await until(async () => (await added(before)).length === 1);
    const mails = (await app.mailbox.all(ann.email)).filter(({ text }) => text?.includes('/exports/'));
    expect(mails).toHaveLength(1);
  });

  it('needs the password, and the role ADMIN for an organization', async () => {
    const { body } = await ann.post(OWN, { password: 'wrong password' }).expect(400);
    expect(body).toMatchObject({ error: 'invalid_input', details: { reason: 'wrong_password' } });
    const bob = await app.developer();
    await request(ofOrganization(), bob).expect(403);
    await joins(bob, ['MANAGER']);
    expect((await request(ofOrganization(), bob).expect(403)).body).toMatchObject({ error: 'insufficient_role' });
    await bob.get(ofOrganization()).expect(403);
  });

  // red when: the link outlives the role that permitted the export
  it('cannot be downloaded by a former ADMIN, and is not shown to other ADMINs', async () => {
    const bob = await app.developer();
    await joins(bob, ['ADMIN']);
    await request(ofOrganization()).expect(202);
    const found = await ready(ofOrganization());
    expect(await latest(ofOrganization(), bob)).toBeNull();
    await bob.delete(`/organizations/${organization.id}/members/${ann.id}`);
    expect((await download(found)).status).toBe(404);
  });

  it('is made three times a day at most, and once for repeated requests', async () => {
    for (let round = 0; round < 3; round++) {
      const [{ body: first }, { body: again }] = await Promise.all([request(OWN), request(OWN)]);
      expect((again as ExportJson).id).toBe((first as ExportJson).id);
      await ready(OWN);
    }
    const { body, headers } = await request(OWN).expect(429);
    expect(body).toMatchObject({ error: 'rate_limit_exceeded' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(23 * 3600);
  });

  it('expires after a day, with its archive', async () => {
    await request(OWN).expect(202);
    const found = await ready(OWN);
    expect(await archives()).toContain(`exports/${found.id}`);
    await app.sql(`UPDATE data_export SET expires_at = now() - interval '1 second' WHERE id = $1`, [found.id]);
    expect((await download(found)).status).toBe(404);
    expect(await latest(OWN)).toBeNull();
    await app.runsJob('account-data.delete-exports');
    await until(async () => !(await archives()).includes(`exports/${found.id}`));
    expect(await app.sql('SELECT FROM data_export WHERE id = $1', [found.id])).toEqual([]);
  });

  it('is deleted with the account', async () => {
    const bob = await app.developer();
    await request(OWN, bob).expect(202);
    const found = await ready(OWN, bob);
    await bob.request('delete', '/developers/me').send({ password: bob.password }).expect(204);
    expect((await download(found)).status).toBe(404);
    await until(async () => !(await archives()).includes(`exports/${found.id}`));
  });

  // red when: the row stays: an export that is made at the time is reported as ready, with a link that opens nothing
  it('is deleted with the organization', async () => {
    await request(ofOrganization()).expect(202);
    const found = await ready(ofOrganization());
    await ann.delete(`/organizations/${organization.id}`).expect(204);
    expect(await app.sql('SELECT FROM data_export WHERE id = $1', [found.id])).toEqual([]);
    await until(async () => !(await archives()).includes(`exports/${found.id}`));
  });

  // red when: the parts of a failed export stay for a day
  it('leaves nothing in the store when it fails', async () => {
    const before = await archives();
    const progress = { since: app.clock.now().toISOString(), files: {}, next: newId(), bytes: 3_000_000_000 };
    const id = newId();
    await app.sql(
      `INSERT INTO data_export (id, kind, subject_id, requested_by, state, progress, created_at, expires_at)
       VALUES ($1, 'organization', $2, $3, 'running', $4, now(), now() + interval '1 day')`,
      [id, organization.id, ann.id, progress],
    );
    const payload = JSON.stringify({ request_id: 'test', data: { id } });
    await app.sql(`SELECT FROM graphile_worker.add_job('account-data.export', $1::json)`, [payload]);
    await until(
      async () => (await app.sql(`SELECT FROM data_export WHERE id = $1 AND state = 'failed'`, [id])).length > 0,
    );
    expect(await latest(ofOrganization())).toMatchObject({ id, reason: 'too_large' });
    await until(async () => (await added(before)).length === 0);
  });

  // red when: only rows are read to find what may be deleted: after a restored backup, none names the blob
  it('is swept after two days when no row names it', async () => {
    const [young, old] = ['exports/young', 'exports/old'];
    for (const key of [young, old]) await (await hosted()).write(key, Readable.from(['{}']));
    const at = new Date(app.clock.now().getTime() - 49 * 3_600_000);
    await utimes(join(app.dataDirectory, 'artifacts', `${old}.blob`), at, at);
    await app.runsJob('account-data.sweep-exports');
    await until(async () => !(await archives()).includes(old));
    expect(await archives()).toContain(young);
  });

  it('has a link that is invalid when a character is changed', async () => {
    await request(OWN).expect(202);
    const found = await ready(OWN);
    const at = found.url!.lastIndexOf('/') + 1;
    const ticket = found.url!.slice(at);
    for (const position of [0, 20, ticket.length - 1]) {
      const other = ticket[position] === 'A' ? 'B' : 'A';
      const changed = ticket.slice(0, position) + other + ticket.slice(position + 1);
      expect((await download({ ...found, url: found.url!.slice(0, at) + changed }, 'HEAD')).status).toBe(404);
    }
    expect((await download(found, 'HEAD')).headers.get('content-length')).toBe(String(found.size_bytes));
  });
});
