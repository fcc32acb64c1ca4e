import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { generate } from 'otplib';
import { type Developer, type OrganizationRef, type ProjectRef, scope } from '../../../support/actors/actors';
import { TestApp } from '../../../support/app/test-app';
import { AgateCli } from '../../../support/cli/agate-cli';
import { converse } from '../../../support/cli/conversation';
import { until } from '../../../support/until';

interface Credentials {
  readonly services: Record<string, { token?: string; credential_command?: string; email?: string }>;
}

describe('The command line', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let cli: AgateCli;
  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
    organization = await ann.createsOrganization('Acme');
    project = await ann.createsProject(organization, 'Rocket');
  });
  afterAll(() => app?.stop());
  beforeEach(async () => {
    cli = await AgateCli.create({ AGATE_URL: app.url });
  });
  afterEach(() => cli.remove());

  const file = (): string => join(cli.folder, 'home/.config/agate/credentials.json');
  const kept = (): Credentials => JSON.parse(readFileSync(file(), 'utf8')) as Credentials;
  const tokenOf = (): string => kept().services[app.url]!.token!;
  const pats = async () =>
    (
      (await ann.get(`/pats?organization_id=${organization.id}`).expect(200)).body as {
        items: { id: string; name: string; scopes: string[]; last4: string; expires_at: string }[];
      }
    ).items;
  const logsIn = () => cli.run(['login', '--password', '--email', ann.email], { stdin: `${ann.password}\n` });

  it('logs in by the browser, and out again, and never prints the token', async () => {
    const run = cli.start(['login', '--scopes', 'builds:read,organization:read', '--json', '--debug']);
    await until(() => /enter the code/.test(run.stderr()));
    const [, code] = /enter the code (\S+)/.exec(run.stderr())!;
    const asked = (await ann.get(`/login/device?user_code=${code}`).expect(200)).body as { scopes: string[] };
    expect(asked.scopes).toEqual(['builds:read', 'organization:read']);
    await ann.post(`/login/device/confirm?organization_id=${organization.id}`, { user_code: code }).expect(204);
    const { code: exit, json, stdout, stderr } = await run.ended;
    expect([exit, stderr]).toEqual([0, expect.stringContaining(`Logged in to ${app.url}.`)]);
    expect(json()).toMatchObject({ url: app.url, kind: 'personal_access_token', organization: { name: 'Acme' } });
    const token = tokenOf();
    expect(stdout + stderr).not.toContain(token);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(join(file(), '..')).mode & 0o777).toBe(0o700);

    const whoami = await cli.run(['whoami'], { environment: { AGATE_URL: '' } });
    expect(whoami).toMatchObject({ code: 0, stdout: expect.stringMatching(/organization +Acme/) as string });
    expect(whoami.stdout).toContain(ann.email);

    expect(await cli.run(['logout'])).toMatchObject({ code: 0, stderr: expect.stringContaining('revoked') as string });
    await app.ci(token).get(`/organizations/${organization.id}`).expect(401);
    expect(() => kept()).toThrow('ENOENT');
    expect(await cli.run(['whoami', '--json'])).toMatchObject({ code: 4 });
    expect(await cli.run(['logout'])).toMatchObject({ code: 2 });
  });

  it('stops when the login is cancelled in the browser', async () => {
    const run = cli.start(['login', '--json']);
    await until(() => /enter the code/.test(run.stderr()));
    const [, code] = /enter the code (\S+)/.exec(run.stderr())!;
    await ann.post('/login/device/deny', { user_code: code }).expect(204);
    const { code: exit, json } = await run.ended;
    expect([exit, json()]).toEqual([
      4,
      expect.objectContaining({ error: 'unauthorized', message: 'The login was cancelled in the browser.' }),
    ]);
    expect(() => kept()).toThrow('ENOENT');
  });

  it('logs in with the password, forgets it, and ends the session', async () => {
    const sessions = async (): Promise<number> =>
      ((await ann.get('/developers/me/sessions').expect(200)).body as { items: object[] }).items.length;
    const before = await sessions();
    expect(await logsIn()).toMatchObject({ code: 0 });
    const [pat] = await pats();
    expect(pat).toMatchObject({ name: expect.stringMatching(/^agate on /) as string, last4: tokenOf().slice(-4) });
    expect(Math.round((Date.parse(pat!.expires_at) - Date.now()) / 86_400_000)).toBe(90);
    expect(readFileSync(file(), 'utf8')).not.toContain(ann.password);
    expect(await sessions()).toBe(before);
    expect((await cli.run(['whoami', '--json'])).json()).toMatchObject({ developer: { email: ann.email } });

    const wrong = await cli.run(['login', '--password', '--email', ann.email, '--json'], { stdin: 'not it\n' });
    expect([wrong.code, wrong.json()]).toEqual([4, expect.objectContaining({ error: 'unauthorized' })]);
  });

  it('sends the code of the second factor when the service requires one', async () => {
    const bob = await app.developer();
    await bob.createsOrganization('Other');
    const post = (path: string, body: object) => bob.post(path, { password: bob.password, ...body }).expect(200);
    const { secret } = (await post('/developers/me/mfa', {})).body as { secret: string };
    const codeAt = (seconds: number) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + seconds });
    await post('/developers/me/mfa/confirm', { code: await codeAt(0) });
    const args = ['login', '--password', '--email', bob.email];
    const without = await cli.run(args, { stdin: bob.password });
    expect([without.code, without.stderr]).toEqual([4, expect.stringContaining('second line')]);
    expect(await cli.run(args, { stdin: `${bob.password}\n${await codeAt(30)}\n` })).toMatchObject({ code: 0 });
  });

  it('falls back to the password when the service has no page to confirm', async () => {
    const bare = await TestApp.start({ environment: { DASHBOARD: 'false' }, beside: app, worker: false });
    const args = ['login', '--url', bare.url, '--email', ann.email];
    const { code, stderr } = await cli.run(args, { stdin: `${ann.password}\n` });
    expect([code, stderr]).toEqual([0, expect.stringContaining('Log in with the password.')]);
    await bare.stop();
  });

  it('keeps a token from standard input after it has tried it', async () => {
    const token = await ann.createsToken(project);
    const login = (stdin: string) => cli.run(['login', '--with-token'], { stdin, environment: { CI: 'true' } });
    expect(await login(`${token}\n`)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/project +Rocket/) as string,
    });
    expect(tokenOf()).toBe(token);
    const cut = await login(token.slice(0, -3));
    expect([cut.code, cut.stderr]).toEqual([4, expect.stringContaining('checksum')]);
    expect(await login('hello')).toMatchObject({ code: 2 });
    // A project access token is not revoked by a logout: a CI uses it.
    expect(await cli.run(['logout'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('stays valid') as string,
    });
    await app.ci(token).get('/builds').expect(200);
    expect(await login(token.replace(/.{6}$/, ''))).toMatchObject({ code: 4 });
  });

  it('gets the token from a credential command, whose output it never shows', async () => {
    const token = await ann.createsToken(project);
    const secret = cli.write('vault.txt', `${token}\nsecond line\n`);
    const login = await cli.run(['login', '--credential-command', `cat ${secret}`]);
    expect([login.code, login.stdout + login.stderr]).toEqual([0, expect.not.stringContaining(token)]);
    expect(readFileSync(file(), 'utf8')).not.toContain(token);
    expect(kept().services[app.url]).toEqual({ credential_command: `cat ${secret}` });
    expect((await cli.run(['whoami', '--json'])).json()).toMatchObject({ project: { name: 'Rocket' } });
    writeFileSync(secret, '');
    expect(await cli.run(['whoami'])).toMatchObject({ code: 4, stderr: expect.stringContaining('no token') as string });
    const variable = { AGATE_CREDENTIAL_COMMAND: `printf %s ${token}` };
    expect(await cli.run(['whoami'], { environment: variable })).toMatchObject({ code: 0 });
    // A repository must not choose what runs.
    cli.write('.agate.json', JSON.stringify({ credential_command: `touch ${join(cli.work, 'ran')}` }));
    expect(await cli.run(['whoami'])).toMatchObject({ code: 2 });
    expect(() => cli.read('ran')).toThrow('ENOENT');
  });

  it('refuses a file that other users can read, or that is damaged', async () => {
    expect(await logsIn()).toMatchObject({ code: 0 });
    for (const mode of [0o640, 0o604, 0o660]) {
      chmodSync(file(), mode);
      for (const args of [['whoami'], ['logout'], ['login']]) {
        const { code, stderr } = await cli.run(args);
        expect([code, stderr]).toEqual([2, expect.stringContaining('chmod 600')]);
      }
    }
    chmodSync(file(), 0o600);
    expect(await cli.run(['whoami'])).toMatchObject({ code: 0 });
    writeFileSync(file(), '{');
    expect(await cli.run(['whoami'])).toMatchObject({ code: 2, stderr: expect.stringContaining('damaged') as string });
    // The variable needs no file.
    const environment = { AGATE_TOKEN: await ann.createsToken(project) };
    expect(await cli.run(['whoami'], { environment })).toMatchObject({ code: 0 });
  });

  it('sends the login of one service to no other', async () => {
    const other = await TestApp.start({ beside: app, worker: false });
    expect(await logsIn()).toMatchObject({ code: 0 });
    cli.write('.agate.json', JSON.stringify({ url: other.url }));
    const { code, stderr } = await cli.run(['whoami'], { environment: { AGATE_URL: '' } });
    expect([code, stderr]).toEqual([4, expect.stringContaining('no credential')]);
    await other.stop();
  });

  // red when: `addressToLogInTo` returns the address of the project file without a question.
  it('starts at the address of a project file only with consent, or by --url', async () => {
    cli.write('clone/.agate.json', JSON.stringify({ url: app.url }));
    const options = { cwd: join(cli.work, 'clone'), environment: { AGATE_URL: '' } };
    const refused = await cli.run(['login', '--password', '--email', ann.email], { ...options, stdin: 'secret' });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`use --url ${app.url}`)]);
    const declined = await converse(cli, ['login'], [['Log in there?', '']], options);
    expect([declined.code, declined.stderr]).toEqual([2, expect.stringContaining('Set AGATE_URL')]);
    expect(() => kept()).toThrow('ENOENT');
    const args = ['login', '--password', '--email', ann.email];
    const agreed = await converse(
      cli,
      args,
      [
        ['Log in there?', 'y'],
        ['Password:', ann.password],
      ],
      options,
    );
    expect([agreed.code, agreed.stderr]).toEqual([0, expect.stringContaining(`Logged in to ${app.url}.`)]);
    // Now the service is one that the developer chose, so the variable goes there, too.
    expect(await cli.run(['whoami'], options)).toMatchObject({ code: 0 });
    const withVariable = { ...options, environment: { AGATE_URL: '', AGATE_TOKEN: tokenOf() } };
    expect(await cli.run(['whoami'], withVariable)).toMatchObject({ code: 0 });
  });

  // red when: `loadLogin` pairs the token of a variable with the address of the project file.
  it('sends the token of a variable to no service that only a project file names', async () => {
    const seen: (string | undefined)[] = [];
    const hostile = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end('{}');
    });
    await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
    cli.write('.agate.json', JSON.stringify({ url }));
    const variables = { AGATE_TOKEN: 'ag_pat_secret', AGATE_CREDENTIAL_COMMAND: 'echo ag_pat_secret' };
    for (const [name, value] of Object.entries(variables)) {
      const { code, stderr } = await cli.run(['whoami'], { environment: { AGATE_URL: '', [name]: value } });
      expect([code, stderr]).toEqual([2, expect.stringContaining(`use --url ${url}`)]);
    }
    const environment = { AGATE_URL: '', AGATE_TOKEN: 'ag_pat_secret', AGATE_TRUST_PROJECT_FILE: 'false' };
    expect(await cli.run(['upload', '.'], { environment })).toMatchObject({ code: 2 });
    expect(seen).toEqual([]);
    await cli.run(['whoami'], { environment: { ...environment, AGATE_TRUST_PROJECT_FILE: '1' } });
    expect(seen).toEqual(['Bearer ag_pat_secret']);
    hostile.close();
  });

  it('sends no password over plain http to another machine', async () => {
    const args = ['login', '--password', '--email', ann.email, '--url', 'http://agate.example.com'];
    const { code, stderr } = await cli.run(args, { stdin: 'secret' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('Use https://agate.example.com instead')]);
  });

  it('keeps the login when the token could not be revoked', async () => {
    expect(await logsIn()).toMatchObject({ code: 0 });
    const away = 'http://127.0.0.1:9';
    writeFileSync(file(), JSON.stringify({ services: { [away]: { token: tokenOf() } } }));
    const run = (...args: string[]) => cli.run(['logout', '--url', away, ...args]);
    expect(await run()).toMatchObject({ code: 7, stderr: expect.stringContaining('--local') as string });
    expect(kept().services).toHaveProperty([away]);
    expect(await run('--local')).toMatchObject({ code: 0 });
    expect(() => kept()).toThrow('ENOENT');
  });

  it('asks for no login in a CI', async () => {
    const { code, stderr } = await cli.run(['login'], { environment: { CI: 'true' } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('AGATE_TOKEN')]);
  });

  it('creates, lists and revokes tokens of projects and persons', async () => {
    const run = (...args: string[]) =>
      cli.run(['token', ...args, '--email', ann.email, '--project', 'Rocket'], { stdin: `${ann.password}\n` });
    const created = await run('create', 'GitHub Actions', '--expires', '30d');
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ag_prj_\w{49}\n$/) as string });
    const token = created.stdout.trim();
    expect(created.stderr).not.toContain(token);
    await app
      .ci(token)
      .get(`/builds?${scope(project)}`)
      .expect(200);
    const listed = (await run('list', '--json')).json<{ name: string; role: string; expires_at: string }[]>();
    const [found] = listed.filter(({ name }) => name === 'GitHub Actions');
    expect(found).toMatchObject({ role: 'UPLOAD_BUILD' });
    expect(Math.round((Date.parse(found!.expires_at) - Date.now()) / 86_400_000)).toBe(30);
    expect(await run('revoke', 'GitHub Actions')).toMatchObject({ code: 2 });
    expect(await run('revoke', 'GitHub Actions', '--yes')).toMatchObject({ code: 0 });
    await app
      .ci(token)
      .get(`/builds?${scope(project)}`)
      .expect(401);
    expect(await run('revoke', 'GitHub Actions', '--yes')).toMatchObject({ code: 5 });

    const personal = await run('create', 'script', '--personal', '--scopes', 'builds:read', '--expires', 'never');
    expect([personal.stderr, personal.code]).toEqual([expect.stringContaining('only time'), 0]);
    expect(personal.stdout).toMatch(/^ag_pat_\w{49}\n$/);
    const row = (await run('list', '--personal')).stdout.split('\n').find((line) => line.startsWith('script'));
    expect(row).toMatch(/builds:read +never used +does not expire/);
    expect(await run('revoke', personal.stdout.trim().slice(-4), '--personal', '--yes')).toMatchObject({ code: 0 });
    expect((await pats()).map(({ name }) => name)).not.toContain('script');
    expect(await run('create', 'x', '--personal', '--scopes', 'everything')).toMatchObject({ code: 2 });
  });
});
