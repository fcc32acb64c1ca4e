import { execFile } from 'node:child_process';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { refuseDemoInProduction, seedDemo } from '#app/demo/seed-demo';
import { BuildsService } from '#modules/builds';
import { loadConfig } from '#platform/config/load-config';
import { TestApp } from '../support/test-app';

const exec = promisify(execFile);

let app: TestApp;
beforeAll(async () => (app = await TestApp.start()));
afterAll(() => app.stop());

/** The commands of a notice, as a shell runs them, against the port that the test listens on. */
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
      (SELECT count(*) FROM artifact_upload) u`)
  )[0];

describe('the demo', () => {
  let notice: string;

  it('goes on after a start that died halfway', async () => {
    // red when: the record is written after the commit, or complete before the builds are
    const builds = app.nest.get(BuildsService);
    const dies = jest.spyOn(builds, 'createFrom').mockRejectedValueOnce(new Error('killed'));
    await expect(seedDemo(app.nest)).rejects.toThrow('killed');
    dies.mockRestore();
    notice = await seedDemo(app.nest);
    expect(await count()).toEqual({ d: '1', o: '1', p: '1', t: '1', b: '2', u: '0' });
  });

  it('shows install pages that are there', async () => {
    const urls = [...notice.matchAll(/http:\/\/localhost:3000(\/install\/\S+)/g)].map(([, path = '']) => path);
    expect(urls).toHaveLength(2);
    for (const url of urls) await app.anonymous.get(url).set('Accept', 'text/html').expect(200);
  });

  it('prints commands that work as they stand: login, and an upload without warnings', async () => {
    const [login, upload] = commands(notice);
    expect(await run(login)).toMatchObject({ token: expect.any(String) as string });
    expect(await run(upload)).toMatchObject({ platform: 'android', version: '1.1.0', notes: 'Hello', warnings: [] });
  });

  it('makes nothing twice and shows the same credentials again', async () => {
    const before = await count();
    const again = await seedDemo(app.nest);
    expect(await count()).toEqual(before);
    expect(commands(again)).toEqual(commands(notice));
  });

  it('keeps the credentials for its owner only', async () => {
    expect((await stat(join(app.dataDirectory, 'demo.json'))).mode & 0o777).toBe(0o600);
  });

  it('does not bring back what the developer has deleted, nor show what no longer works', async () => {
    await app.sql('DELETE FROM build');
    await app.sql(`UPDATE project_access_token SET revoked_at = now()`);
    const later = await seedDemo(app.nest);
    expect(later).toContain('no iOS build any more');
    expect(later).not.toContain('ag_prj_');
    expect(await count()).toMatchObject({ b: '0', t: '1' });
  });

  it('does not know a password whose record is gone', async () => {
    const path = join(app.dataDirectory, 'demo.json');
    const { password } = JSON.parse(await readFile(path, 'utf8')) as { password: string };
    await rm(path);
    const later = await seedDemo(app.nest);
    expect(later).toContain('reset_password_request');
    expect(later).not.toContain(password);
    expect(await count()).toMatchObject({ d: '1', o: '1' });
  });
});

it('is refused in production', () => {
  const production = { NODE_ENV: 'production', BASE_URL: 'https://agate.example', CAPTCHA_PROVIDER: 'altcha' };
  expect(() => refuseDemoInProduction(loadConfig(production))).toThrow('no demo in production');
  expect(() => refuseDemoInProduction(loadConfig({}))).not.toThrow();
});
