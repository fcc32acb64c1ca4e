import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildJson, type Developer, type ProjectRef, scope } from '../support/actors/actors';
import { TestApp } from '../support/app/test-app';
import { apkOf } from '../support/artifacts/app-artifacts';
import { AgateCli, type CliResult } from '../support/cli/agate-cli';

const SCRIPT = join(__dirname, '../../docs/ci/upload.sh');
const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';

describe('upload.sh', () => {
  let app: TestApp;
  let shell: AgateCli;
  let ann: Developer;
  let project: ProjectRef;
  let token: string;

  beforeAll(async () => {
    app = await TestApp.start();
    ann = await app.developer();
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    token = await ann.createsToken(project, 'MANAGE_RELEASES');
    await ann.createsChannel(project, 'Beta testers');
    shell = await AgateCli.create({ AGATE_URL: app.url, AGATE_TOKEN: token });
    shell.write('app.apk', apkOf({ name: 'Rocket', bundleId: 'com.example.rocket', version: '1.0', buildNumber: 1 }));
  });
  afterAll(async () => {
    shell?.remove();
    await app?.stop();
  });

  const run = (args: readonly string[], environment: Record<string, string> = {}): Promise<CliResult> =>
    shell.spawns('sh', [SCRIPT, ...args], { environment }).ended;

  type Stored = BuildJson & { notes: string; source: object; channels: { name: string }[] };
  const newest = async (): Promise<Stored> =>
    (await ann.get(`/builds/latest?${scope(project)}`).expect(200)).body as Stored;

  it('prints the install URL and writes the variables of the next step', async () => {
    const notes = 'First\nEOF "quoted" %0A `x` 🎉';
    const { code, stdout } = await run(['--dotenv', 'agate.env', 'app.apk'], {
      AGATE_NOTES: notes,
      AGATE_BRANCH: 'feat/login',
      AGATE_COMMIT: COMMIT,
      AGATE_CI_URL: 'https://ci.example.com/jobs/7',
    });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^http:\S+\/install\/\S+\n$/)]);
    const build = await newest();
    expect(build).toMatchObject({
      notes,
      source: { branch: 'feat/login', commit: COMMIT, ci_url: 'https://ci.example.com/jobs/7' },
    });
    const variables = shell.read('agate.env').trimEnd().split('\n');
    expect(variables).toEqual(
      expect.arrayContaining([
        `AGATE_BUILD_ID=${build.id}`,
        `AGATE_INSTALL_URL=${stdout.trim()}`,
        'AGATE_VERSION=1.0',
        'AGATE_BUILD_NUMBER=1',
      ]),
    );
  });

  it('uploads files whose names have spaces, quotes and a semicolon', async () => {
    const name = `my "new"; app's.apk`;
    shell.write(name, apkOf({ name: 'Rocket', bundleId: 'com.example.rocket', version: '1.1', buildNumber: 2 }));
    expect(await run([name])).toMatchObject({ code: 0, stderr: '' });
    expect((await newest()).file_name).toBe(name);
  });

  it.each(['Beta testers', 'BETA TESTERS'])('promotes to the channel with the name %s', async (channel) => {
    expect(await run(['app.apk'], { AGATE_CHANNEL: channel })).toMatchObject({ code: 0 });
    expect((await newest()).channels).toMatchObject([{ name: 'Beta testers', current: true }]);
  });

  it('promotes to the channel with exactly the name, and to none when several differ from it in case', async () => {
    for (const name of ['Nightly', 'nightly']) await ann.createsChannel(project, name);
    expect(await run(['app.apk'], { AGATE_CHANNEL: 'Nightly' })).toMatchObject({ code: 0 });
    expect((await newest()).channels).toMatchObject([{ name: 'Nightly', current: true }]);
    const { code, stderr } = await run(['app.apk'], { AGATE_CHANNEL: 'NIGHTLY' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('Several channels have the name "NIGHTLY".')]);
  });

  it('cuts notes that are too long', async () => {
    expect(await run(['app.apk'], { AGATE_NOTES: 'n'.repeat(5_001) })).toMatchObject({ code: 0 });
    expect((await newest()).notes).toHaveLength(5_000);
  });

  it('never passes the token as an argument', async () => {
    const bin = join(shell.folder, 'bin');
    const log = join(shell.folder, 'arguments');
    mkdirSync(bin, { recursive: true });
    const curl = `#!/bin/sh\nprintf '%s\\n' "$@" >>${log}\nPATH=\${PATH#*:} exec curl "$@"\n`;
    writeFileSync(join(bin, 'curl'), curl, { mode: 0o755 });
    const { code, stdout, stderr } = await run(['app.apk'], {
      PATH: `${bin}:${process.env['PATH']}`,
      AGATE_CHANNEL: 'Beta testers',
    });
    expect(code).toBe(0);
    const seen = `${readFileSync(log, 'utf8')}${stdout}${stderr}`;
    expect(seen).toContain('/api/v1/builds');
    expect(seen).not.toContain(token);
  });

  it.each([
    ['without a file', [], {}, 2, 'Use: sh upload.sh'],
    ['for a missing file', ['none.apk'], {}, 2, 'There is no file none.apk'],
    ['for a file that is not a build', ['text.apk'], {}, 3, 'status 400'],
    ['for a wrong token', ['app.apk'], { AGATE_TOKEN: 'ag_prj_wrong' }, 4, 'status 401'],
    ['for an unknown channel', ['app.apk'], { AGATE_CHANNEL: 'Gamma' }, 5, 'There is no channel "Gamma".'],
    ['for plain http to another machine', ['app.apk'], { AGATE_URL: 'http://agate.example.com' }, 2, 'https://'],
    ['for a service that cannot be reached', ['app.apk'], { AGATE_URL: 'http://127.0.0.1:1' }, 7, 'cannot be reached'],
  ])('fails %s', async (_case, args, environment, code, message) => {
    shell.write('text.apk', 'not a build');
    const result = await run(args, environment);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(message);
  });
});
