import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BuildJson, type Developer, type ProjectRef, scope } from '../support/actors/actors';
import { startReachableApp } from '../support/app/reachable-app';
import { type TestApp } from '../support/app/test-app';
import { apkOf } from '../support/artifacts/app-artifacts';
import { AgateCli, buildCommandLine, BUNDLE, type CliResult } from '../support/cli/agate-cli';

const ROOT = path.resolve(__dirname, '../..');
const RUNNER = path.join(ROOT, 'node_modules/gitlab-ci-local/src/index.js');
const COMPONENT = readFileSync(path.join(ROOT, 'templates/upload.yml'), 'utf8');

const pipelineOf = (file: string): string => `
stages: [build, deploy, report]
include:
  - local: templates/upload.yml
    inputs:
      file: ${file}
      channel: Beta testers
      options: --silent
build:
  stage: build
  script: [mkdir -p out, 'cp "$SOURCE_FILE" out/my-app.apk']
  artifacts: { paths: [out/my-app.apk] }
report:
  stage: report
  needs: [agate-upload]
  script:
    - echo "REPORT $AGATE_BUILD_ID $AGATE_INSTALL_URL $AGATE_VERSION $AGATE_BUILD_NUMBER"
`;

const PIPELINE = 'https://gitlab.example.com/acme/app/-/pipelines/3';

describe('The GitLab component', () => {
  let app: TestApp;
  let shell: AgateCli;
  let ann: Developer;
  let project: ProjectRef;
  let token: string;
  let repository: string;

  beforeAll(async () => {
    await buildCommandLine();
    app = await startReachableApp({ commandLine: path.dirname(BUNDLE) });
    ann = await app.developer();
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    token = await ann.createsToken(project, 'MANAGE_RELEASES');
    await ann.createsChannel(project, 'Beta testers');
    shell = await AgateCli.create();
    shell.write('app.apk', apkOf({ name: 'Rocket', bundleId: 'com.example.rocket', version: '1.0', buildNumber: 42 }));
    shell.write('text.apk', 'not a build');
  });
  beforeEach(() => (repository = mkdtempSync(path.join(tmpdir(), 'agate-gitlab-'))));
  afterEach(() => rmSync(repository, { recursive: true, force: true }));
  afterAll(async () => {
    shell?.remove();
    await app?.stop();
  });

  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], {
      cwd: repository,
      encoding: 'utf8',
    }).trim();

  /** Runs the pipeline of a repository that includes the component. */
  async function pipeline(source: string): Promise<CliResult> {
    mkdirSync(path.join(repository, 'templates'));
    writeFileSync(path.join(repository, 'templates/upload.yml'), COMPONENT);
    writeFileSync(path.join(repository, '.gitlab-ci.yml'), pipelineOf('out/my-app.apk'));
    git('init', '--quiet', '--initial-branch', 'feat/login');
    git('remote', 'add', 'origin', 'git@gitlab.example.com:acme/app.git');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Add the component');
    copyFileSync(path.join(shell.work, source), path.join(shell.folder, 'build'));
    const variables = {
      GITLAB_CI: 'true',
      AGATE_URL: app.url,
      AGATE_TOKEN: token,
      SOURCE_FILE: path.join(shell.folder, 'build'),
      CI_JOB_URL: 'https://gitlab.example.com/acme/app/-/jobs/7',
      CI_PIPELINE_URL: PIPELINE,
    };
    const options = Object.entries(variables).flatMap(([name, value]) => ['--variable', `${name}=${value}`]);
    return shell.spawns(process.execPath, [RUNNER, '--force-shell-executor', ...options], { cwd: repository }).ended;
  }

  const newest = async (): Promise<BuildJson | undefined> => {
    const { body } = await ann.get(`/builds?${scope(project)}`).expect(200);
    return (body as { items: BuildJson[] }).items[0];
  };

  it('uploads, promotes and passes the link to the next job', async () => {
    const { code, stdout, stderr } = await pipeline('app.apk');
    expect({ code, output: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, output: '' });
    const build = await newest();
    expect(build).toMatchObject({
      version: '1.0',
      // red when: the component sends the page of the job, which a retried job does not share
      source: { branch: 'feat/login', commit: git('rev-parse', 'HEAD'), ci_url: PIPELINE },
      channels: [{ name: 'Beta testers', current: true }],
    });
    expect(stdout).toContain(`REPORT ${build!.id} ${build!.install_url} 1.0 42`);
    expect(stdout + stderr).not.toContain(token);
  });

  it('fails the pipeline when the upload is rejected', async () => {
    const before = await newest();
    const { code, stdout } = await pipeline('text.apk');
    expect(code).not.toBe(0);
    expect(stdout).toMatch(/FAIL.*agate-upload/);
    expect(stdout).not.toContain('REPORT');
    expect(await newest()).toEqual(before);
  });
});
