import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import { recordedRun } from '../../../../packages/cli/test/environments/recorded';
import { readGithubFile, workflowCommands } from '../../../../packages/cli/test/outputs/github-file';
import { type BuildJson, type Developer, type ProjectRef, scope } from '../../../support/actors/actors';
import { startReachableApp } from '../../../support/app/reachable-app';
import { type TestApp } from '../../../support/app/test-app';
import { apkOf } from '../../../support/artifacts/app-artifacts';
import { AgateCli, type CliResult } from '../../../support/cli/agate-cli';
import { CommentHost } from '../../../support/cli/comment-host';

const ACTION = path.resolve(__dirname, '../../../../packages/action');
const HOST_TOKEN = 'ghs_of_the_job';
const HOSTILE = 'First\nEOF\n%0A ::error::injected\n::set-output name=version::9\n`code` 🎉 <!-- x -->';

interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, object>>;
  readonly runs: { readonly using: string; readonly main: string };
}
const action = load(readFileSync(path.join(ACTION, 'action.yml'), 'utf8')) as ActionFile;

interface StepResult extends CliResult {
  readonly outputs: ReadonlyMap<string, string>;
  readonly summary: string;
  readonly commands: ReturnType<typeof workflowCommands>;
}

describe('The GitHub Action', () => {
  let app: TestApp;
  let runner: AgateCli;
  let host: CommentHost;
  let ann: Developer;
  let project: ProjectRef;
  let token: string;
  let steps = 0;

  beforeAll(async () => {
    app = await startReachableApp();
    ann = await app.developer();
    const organization = await ann.createsOrganization();
    await ann.changesPlan(organization, 'business');
    project = await ann.createsProject(organization, 'Rocket');
    token = await ann.createsToken(project, 'MANAGE_RELEASES');
    for (const name of ['Beta', 'QA']) await ann.createsChannel(project, name);
    runner = await AgateCli.create();
    for (const buildNumber of [1, 2]) runner.write(`out/app-${buildNumber}.apk`, apk(buildNumber));
    runner.write('text.apk', 'not a build');
    runner.write('notes.md', HOSTILE);
  });
  beforeEach(async () => (host = await CommentHost.start(HOST_TOKEN)));
  afterEach(() => host.stop());
  afterAll(async () => {
    runner?.remove();
    await app?.stop();
  });

  const apk = (buildNumber: number): Buffer =>
    apkOf({ name: 'Rocket', bundleId: 'com.example.rocket', version: '1.0', buildNumber });

  /** Runs the step as a runner does: inputs as variables, one file for outputs and one for the summary. */
  async function runs(inputs: Record<string, string>, event = 'pull request'): Promise<StepResult> {
    for (const name of Object.keys(inputs)) expect(Object.keys(action.inputs)).toContain(name);
    const temp = path.join(runner.folder, `step-${(steps += 1)}`);
    mkdirSync(temp);
    const recorded = recordedRun('GitHub Actions', event);
    const files = { GITHUB_OUTPUT: 'output', GITHUB_STEP_SUMMARY: 'summary', GITHUB_EVENT_PATH: 'event.json' };
    const places = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, path.join(temp, file)]));
    writeFileSync(places['GITHUB_OUTPUT']!, '');
    writeFileSync(places['GITHUB_STEP_SUMMARY']!, '');
    writeFileSync(places['GITHUB_EVENT_PATH']!, JSON.stringify(recorded.files[recorded.env['GITHUB_EVENT_PATH']!]));
    const given = { url: app.url, token, 'github-token': HOST_TOKEN, ...inputs };
    const variables = Object.keys(action.inputs).map((name) => [
      `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`,
      (given as Record<string, string>)[name] ?? '',
    ]);
    const environment = {
      ...recorded.env,
      ...places,
      ...(Object.fromEntries(variables) as Record<string, string>),
      GITHUB_API_URL: host.url,
      GITHUB_RUN_ID: String(steps),
    };
    const main = path.join(ACTION, action.runs.main);
    const result = await runner.spawns(process.execPath, [main], { environment }).ended;
    expect(result.stdout + result.stderr).not.toContain(token);
    return {
      ...result,
      outputs: readGithubFile(readFileSync(places['GITHUB_OUTPUT']!, 'utf8')),
      summary: readFileSync(places['GITHUB_STEP_SUMMARY']!, 'utf8'),
      commands: workflowCommands(result.stdout + result.stderr),
    };
  }

  const stored = async (id: string | undefined): Promise<BuildJson & { notes: string }> =>
    (await ann.get(`/builds/${id}?${scope(project)}`).expect(200)).body as BuildJson & { notes: string };

  it('uploads, promotes and sets every output of action.yml', async () => {
    const { code, stderr, stdout, outputs, summary } = await runs({
      file: 'out/app-1.apk',
      channel: 'Beta\nQA',
      notes: 'Try it',
    });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect([...outputs.keys()].sort()).toEqual(Object.keys(action.outputs).sort());
    const build = await stored(outputs.get('build-id'));
    expect(build).toMatchObject({
      notes: 'Try it',
      version: '1.0',
      source: {
        branch: 'feat/login',
        pull_request: { number: 12, url: 'https://github.com/acme/app/pull/12' },
        commit: '9fceb02d0ae598e95dc970b74767f19372d61af8',
        ci_url: expect.stringMatching(/^https:\/\/github\.com\/acme\/app\/actions\/runs\/\d+$/),
      },
    });
    expect(outputs.get('install-url')).toBe(build.install_url);
    expect([outputs.get('version'), outputs.get('build-number')]).toEqual(['1.0', '1']);
    expect(outputs.get('release-ids')!.split(',')).toHaveLength(2);
    expect(JSON.parse(outputs.get('warnings')!)).toEqual(build.warnings);
    expect(JSON.parse(outputs.get('builds')!)).toMatchObject([{ id: build.id }]);
    expect(stdout).toContain(build.install_url);
    expect(summary).toContain(build.install_url);
    expect(host.requests).toEqual([]);
  });

  it('passes notes on as they are, and runs no command in them', async () => {
    const { code, outputs, commands } = await runs({
      file: 'out/app-1.apk',
      'notes-file': 'notes.md',
      comment: 'true',
    });
    expect(code).toBe(0);
    expect((await stored(outputs.get('build-id'))).notes).toBe(HOSTILE);
    expect(outputs.get('version')).toBe('1.0');
    expect(commands.filter(({ name }) => name !== 'warning')).toEqual([]);
  });

  it('uploads all files that a pattern matches', async () => {
    const { code, outputs } = await runs({ file: 'out/*.apk' });
    expect(code).toBe(0);
    expect(JSON.parse(outputs.get('builds')!)).toHaveLength(2);
  });

  it('keeps one comment on the pull request, and edits it', async () => {
    host.add('A comment of a person', { login: 'ann', type: 'User' });
    for (const file of ['out/app-1.apk', 'out/app-2.apk']) {
      const { code, commands } = await runs({ file, comment: 'true' });
      expect([code, commands.filter(({ message }) => message.includes('comment'))]).toEqual([0, []]);
    }
    expect(host.comments).toHaveLength(2);
    const { body } = host.comments[1]!;
    expect(body).toMatch(new RegExp(`^<!-- agate:${project.id}:android -->\n`));
    expect(body).toContain('/install/');
    expect(body).toContain('(2)');
    expect(body).not.toContain('(1)');
  });

  it('finds its comment behind a hundred others, and edits none of a person', async () => {
    const marker = `<!-- agate:${project.id}:android -->`;
    host.add(`${marker}\nmine`, { login: 'mallory', type: 'User' });
    for (let index = 0; index < 120; index += 1) host.add('Other', { login: 'ann', type: 'User' });
    host.add(`${marker}\nold`);
    expect((await runs({ file: 'out/app-1.apk', comment: 'true' })).code).toBe(0);
    expect(host.comments).toHaveLength(122);
    expect(host.comments[0]!.body).toBe(`${marker}\nmine`);
    expect(host.comments[121]!.body).toContain('/install/');
  });

  it('warns and stays green when the token must not comment', async () => {
    host.mayWrite = false;
    const { code, commands, outputs } = await runs({ file: 'out/app-1.apk', comment: 'true' });
    expect(code).toBe(0);
    expect(outputs.get('build-id')).toBeDefined();
    expect(commands).toContainEqual(
      expect.objectContaining({ name: 'warning', message: expect.stringContaining('pull-requests: write') }),
    );
  });

  it('warns and stays green when the host is not reachable', async () => {
    await host.stop();
    const { code, commands } = await runs({ file: 'out/app-1.apk', comment: 'true' });
    expect(code).toBe(0);
    expect(commands.map(({ name }) => name)).toContain('warning');
  });

  it('writes no comment for a push', async () => {
    expect((await runs({ file: 'out/app-1.apk', comment: 'true' }, 'push')).code).toBe(0);
    expect(host.requests).toEqual([]);
  });

  it.each([
    ['the file is refused', { file: 'text.apk' }, 3],
    ['no file matches', { file: 'out/*.ipa' }, 2],
    ['an input is wrong', { file: 'out/app-1.apk', silent: 'yes' }, 2],
    ['the token is wrong', { file: 'out/app-1.apk', token: 'ag_prj_wrong' }, 4],
    ['the channel does not exist', { file: 'out/app-1.apk', channel: 'Gamma' }, 5],
  ])('fails with an annotation when %s', async (_case, inputs, expected) => {
    const { code, outputs, commands } = await runs({ ...inputs, comment: 'true' });
    expect(code).toBe(expected);
    expect(outputs.size).toBe(0);
    expect(commands.map(({ name }) => name)).toEqual(['error']);
    expect(host.requests).toEqual([]);
  });

  it('needs a runner with Node.js 24, and has no other parts', () => {
    expect(action.runs).toEqual({ using: 'node24', main: 'dist/main.mjs' });
    const required = Object.entries(action.inputs).filter(([, input]) => input.required);
    expect(required.map(([name]) => name)).toEqual(['file', 'url', 'token']);
  });
});
