import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '#infra/config/load-config';
import { ChannelsService } from '#modules/channels';
import { ReleasesService } from '#modules/releases';
import { SubscriptionsService, TestersService } from '#modules/testers';
import { UploadReceiver } from '#modules/uploads';
import { refuseDemoInProduction } from '#app/demo/refuse-demo';
import { seedDemo } from '#app/demo/seed-demo';
import { TestApp } from '../../support/app/test-app';

const exec = promisify(execFile);

let app: TestApp;
beforeAll(async () => (app = await TestApp.start()));
afterAll(() => app.stop());

/** The commands of a notice, with the port of the test's server. */
const commands = (notice: string): string[] =>
  [...notice.matchAll(/^ {2}(curl (?:.*\\\n)*.*)$/gm)].map(([, command = '']) =>
    command.replace('curl', 'curl -sS -f').replaceAll('http://localhost:3000', app.url),
  );
const run = async (command = 'false'): Promise<Record<string, unknown>> =>
  JSON.parse((await exec('sh', ['-c', command])).stdout) as Record<string, unknown>;
const count = async (): Promise<unknown> =>
  (
    await app.sql(`SELECT (SELECT count(*) FROM developer) d, (SELECT count(*) FROM organization) o,
      (SELECT count(*) FROM project) p, (SELECT count(*) FROM project_access_token) t, (SELECT count(*) FROM build) b,
      (SELECT count(*) FROM artifact_upload) u, (SELECT count(*) FROM channel) c, (SELECT count(*) FROM tester) s,
      (SELECT count(*) FROM subscription) n, (SELECT count(*) FROM release) r, (SELECT count(*) FROM current_release) k`)
  )[0];

describe('seedDemo', () => {
  let notice: string;

  it('continues after a start that was killed at any step', async () => {
    // red when: the record is written after the commit, or complete before the builds are
    const killed = () => Promise.reject(new Error('killed'));
    const interruptions = [
      jest.spyOn(app.nest.get(UploadReceiver), 'createBuild').mockImplementationOnce(killed),
      jest.spyOn(app.nest.get(ChannelsService), 'create').mockImplementationOnce(killed),
      jest.spyOn(app.nest.get(TestersService), 'create').mockImplementationOnce(killed),
      jest.spyOn(app.nest.get(SubscriptionsService), 'put').mockImplementationOnce(killed),
      jest.spyOn(app.nest.get(ReleasesService), 'promote').mockImplementationOnce(killed),
    ];
    for (const interruption of interruptions) {
      await expect(seedDemo(app.nest)).rejects.toThrow('killed');
      interruption.mockRestore();
    }
    notice = await seedDemo(app.nest);
    const tenant = { d: '1', o: '1', p: '3', t: '3', b: '15', u: '0' };
    expect(await count()).toEqual({ ...tenant, c: '4', s: '13', n: '12', r: '15', k: '8' });
  });

  it('prints URLs of install pages that exist', async () => {
    const urls = [...notice.matchAll(/http:\/\/localhost:3000(\/install\/\S+)/g)].map(([, path = '']) => path);
    expect(urls).toHaveLength(3);
    for (const url of urls) await app.anonymous.get(url).set('Accept', 'text/html').expect(200);
    const channel = await app.anonymous.get(urls[2] ?? '').expect(200);
    const builds = await app.sql<{ id: string }>(
      `SELECT id FROM build WHERE project_id = (SELECT id FROM project WHERE name = 'Agate Demo')`,
    );
    expect(builds).toHaveLength(2);
    for (const { id } of builds) expect(channel.text).toContain(id);
  });

  it('starts the notice with the dashboard and a login for it', () => {
    const [, address, login] = /^ {2}Dashboard +(\S+)\n +Log in as (.+)$/m.exec(notice) ?? [];
    expect([address, login]).toEqual([
      'http://localhost:3000',
      expect.stringMatching(/^demo@agate.example, password \S{20}$/),
    ]);
    expect(notice.indexOf('Dashboard')).toBeLessThan(notice.indexOf('Install page'));
  });

  // red when: an act of the history has the time of the start, or a tester is not in the state of the story
  it('makes two weeks of history with testers in every state', async () => {
    const record = JSON.parse(await readFile(join(app.dataDirectory, 'demo.json'), 'utf8')) as Record<string, string>;
    const { body } = await app.anonymous
      .post('/api/v1/login/email')
      .send({ email: record.email, password: record.password });
    const get = async (path: string): Promise<{ items: Record<string, unknown>[] }> =>
      (
        await app.anonymous
          .get(`/api/v1${path}`)
          .set('Authorization', `Bearer ${(body as { token: string }).token}`)
          .expect(200)
      ).body as { items: Record<string, unknown>[] };
    const { items: projects } = await get(`/projects?organization_id=${record.organizationId}`);
    const rocket = projects.find(({ name }) => name === 'Rocket')!;
    const testers = await get(`/testers?organization_id=${record.organizationId}&project_id=${String(rocket.id)}`);
    expect(new Set(testers.items.map(({ state }) => state))).toEqual(
      new Set(['added', 'invited', 'opened', 'has_current', 'behind', 'left']),
    );
    // red when: a signed package is changed after it was signed
    const { items: builds } = await get(
      `/builds?organization_id=${record.organizationId}&project_id=${String(rocket.id)}`,
    );
    expect(builds.filter(({ installable }) => installable !== true)).toEqual([]);
    expect(builds.flatMap(({ warnings }) => warnings)).toEqual([]);
    const days = await app.sql<{ days: string }>(`SELECT count(DISTINCT started_at::date) AS days FROM build_download`);
    expect(Number(days[0]?.days)).toBeGreaterThan(4);
    const events = await app.sql<{ days: string }>(`SELECT count(DISTINCT time::date) AS days FROM audit_event`);
    expect(Number(events[0]?.days)).toBeGreaterThan(5);
  });

  it('prints a login command and an upload command that work unchanged and cause no warnings', async () => {
    const [login, upload] = commands(notice);
    expect(await run(login)).toMatchObject({ token: expect.any(String) as string });
    expect(await run(upload)).toMatchObject({ platform: 'android', version: '1.1.0', notes: 'Hello', warnings: [] });
  });

  it('makes nothing twice and prints the same credentials on the next start', async () => {
    const before = await count();
    const again = await seedDemo(app.nest);
    expect(await count()).toEqual(before);
    expect(commands(again)).toEqual(commands(notice));
  });

  it('writes the credentials to a file that only its owner can read', async () => {
    expect((await stat(join(app.dataDirectory, 'demo.json'))).mode & 0o777).toBe(0o600);
  });

  it('does not restore deleted items and does not print credentials that no longer work', async () => {
    for (const table of ['current_release', 'release', 'subscription', 'channel', 'build'])
      await app.sql(`DELETE FROM ${table}`);
    await app.sql(`UPDATE project_access_token SET revoked_at = now()`);
    const later = await seedDemo(app.nest);
    expect(later).toContain('no iOS build');
    expect(later).toContain('no channel "Beta"');
    expect(later).not.toContain('ag_prj_');
    expect(await count()).toMatchObject({ b: '0', t: '3', c: '0', s: '13' });
  });

  it('prints a password reset command when the record is deleted', async () => {
    const path = join(app.dataDirectory, 'demo.json');
    const { password } = JSON.parse(await readFile(path, 'utf8')) as { password: string };
    await rm(path);
    const later = await seedDemo(app.nest);
    expect(later).toContain('reset_password_request');
    expect(later).not.toContain(password);
    expect(await count()).toMatchObject({ d: '1', o: '1' });
  });
});

it('refuseDemoInProduction rejects the production environment only', () => {
  const production = {
    NODE_ENV: 'production',
    BASE_URL: 'https://agate.example',
    CAPTCHA_PROVIDER: 'altcha',
    SIGN_UP: 'open',
  };
  expect(() => refuseDemoInProduction(loadConfig(production))).toThrow('does not run in production');
  expect(() => refuseDemoInProduction(loadConfig({}))).not.toThrow();
});
