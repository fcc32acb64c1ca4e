import { machineOf } from '../../../test/environments/machine-of';
import { RECORDED_SECRET, recordedRun, recordedRuns } from '../../../test/environments/recorded';
import { detectCiEnvironment } from './detect-ci-environment';
import { type Machine } from './provider';

const RUNS = recordedRuns();
const COMMIT = '9fceb02d0ae598e95dc970b74767f19372d61af8';
const desk = (changes: Partial<Machine> = {}): Machine => ({ ...machineOf({ env: {}, files: {} }), ...changes });
const repository: Machine['git'] = (command) => (command === 'rev-parse' ? COMMIT : 'main');

describe('The environment of a CI', () => {
  it.each(RUNS.map((run) => [run.ci, run.event, run] as const))('is read for %s: %s', (_ci, _event, run) => {
    expect(detectCiEnvironment(machineOf(run))).toMatchObject(run.expected);
  });

  it('has a push, a tag and a pull request for every CI', () => {
    const cis = new Set(RUNS.map(({ ci }) => ci));
    expect(cis.size).toBeGreaterThanOrEqual(13);
    for (const ci of cis) {
      expect(RUNS.filter((run) => run.ci === ci).map(({ event }) => event)).toEqual(
        expect.arrayContaining(['push', 'tag', 'pull request']),
      );
    }
  });

  it.each(RUNS.map((run) => [run.ci, run.event, run] as const))('contains no secret of %s: %s', (_ci, _event, run) => {
    expect(JSON.stringify(run)).toContain(RECORDED_SECRET);
    expect(JSON.stringify(detectCiEnvironment(machineOf(run)))).not.toContain(RECORDED_SECRET);
  });
});

describe('The environment without a known CI', () => {
  it("has branch and commit of git on a developer's machine", () => {
    expect(detectCiEnvironment(desk({ git: repository }))).toEqual({
      name: null,
      branch: 'main',
      commit: COMMIT,
      url: null,
      pullRequest: null,
      pullRequestUrl: null,
      pullRequestTitle: null,
    });
  });

  it('is empty without git', () => {
    expect(detectCiEnvironment(desk())).toMatchObject({ name: null, branch: null, commit: null, url: null });
  });

  it('names any other CI', () => {
    expect(detectCiEnvironment(desk({ otherCi: 'AppVeyor', git: repository }))).toMatchObject({
      name: 'AppVeyor',
      branch: 'main',
      url: null,
    });
  });
});

describe('The values of an environment', () => {
  it('contain the commit of git when the CI names HEAD', () => {
    const run = recordedRun('Buildkite');
    const machine = { ...machineOf({ ...run, env: { ...run.env, BUILDKITE_COMMIT: 'HEAD' } }), git: repository };
    expect(detectCiEnvironment(machine)).toMatchObject({ branch: 'feat/login', commit: COMMIT });
  });

  it('do not contain the branch of git for a tag', () => {
    const machine = { ...machineOf(recordedRun('GitHub Actions', 'tag')), git: repository };
    expect(detectCiEnvironment(machine).branch).toBeNull();
  });

  it.each([
    ['credentials', 'https://user:s3cr3t@jenkins.example.com/job/7/', 'https://jenkins.example.com/job/7/'],
    ['no web address', 'file:///var/lib/jenkins', null],
    ['spaces', 'https://jenkins.example.com/job/a b/', null],
    ['2,001 characters', `https://jenkins.example.com/${'a'.repeat(1973)}`, null],
  ])('contain the right address when the variable has %s', (_case, address, expected) => {
    const run = recordedRun('Jenkins');
    expect(detectCiEnvironment(machineOf({ ...run, env: { ...run.env, BUILD_URL: address } })).url).toBe(expected);
  });

  it('do not contain a branch that the service would reject', () => {
    const run = recordedRun('CircleCI');
    for (const branch of ['a'.repeat(256), 'main\nAGATE=1']) {
      expect(detectCiEnvironment(machineOf({ ...run, env: { ...run.env, CIRCLE_BRANCH: branch } })).branch).toBeNull();
    }
  });

  it('name no CI whose variable is false', () => {
    expect(detectCiEnvironment(desk({ env: { GITHUB_ACTIONS: 'false' } })).name).toBeNull();
  });

  it('contain the page of the pull request where the CI names it', () => {
    const jenkins = recordedRun('Jenkins', 'pull request');
    const env = { ...jenkins.env, CHANGE_URL: 'https://github.com/acme/app/pull/12' };
    expect(detectCiEnvironment(machineOf({ ...jenkins, env })).pullRequestUrl).toBe(env.CHANGE_URL);
    const { pullRequestUrl } = detectCiEnvironment(machineOf(recordedRun('Bitbucket Pipelines', 'pull request')));
    expect(pullRequestUrl).toBe('https://bitbucket.org/acme/app/pull-requests/12');
    expect(detectCiEnvironment(machineOf(recordedRun('Bitbucket Pipelines'))).pullRequestUrl).toBeNull();
  });

  it('are complete although the event file is not JSON', () => {
    const run = recordedRun('GitHub Actions', 'pull request');
    const files = { [run.env['GITHUB_EVENT_PATH'] ?? '']: '{' };
    expect(detectCiEnvironment(machineOf({ ...run, files }))).toMatchObject({ branch: 'feat/login', pullRequest: 12 });
  });
});

describe('The pull request of an environment', () => {
  it('has the title of the pull request where the CI names it', () => {
    const gitlab = recordedRun('GitLab CI', 'pull request');
    const titleOf = (title: string): string | null =>
      detectCiEnvironment(machineOf({ ...gitlab, env: { ...gitlab.env, CI_MERGE_REQUEST_TITLE: title } }))
        .pullRequestTitle;
    expect(titleOf(' Log in by passkey ')).toBe('Log in by passkey');
    expect(titleOf(' ')).toBeNull();
    // red when: half of a character, which the service rejects, is left
    expect(titleOf(`${'x'.repeat(255)}🔑🔑\ud800`)).toBe(`${'x'.repeat(255)}🔑`);
    const github = recordedRun('GitHub Actions', 'pull request');
    const withTitle = (title: unknown) => ({
      [github.env['GITHUB_EVENT_PATH'] ?? '']: { pull_request: { number: 12, title } },
    });
    expect(detectCiEnvironment(machineOf({ ...github, files: withTitle('A title') })).pullRequestTitle).toBe('A title');
    expect(detectCiEnvironment(machineOf({ ...github, files: withTitle({}) })).pullRequestTitle).toBeNull();
    const push = recordedRun('GitLab CI');
    const env = { ...push.env, CI_MERGE_REQUEST_TITLE: 'Of no merge request' };
    expect(detectCiEnvironment(machineOf({ ...push, env })).pullRequestTitle).toBeNull();
  });

  it('has the page of a pull request in Azure Pipelines, for both hosts of repositories', () => {
    const azure = recordedRun('Azure Pipelines', 'pull request');
    const pageOf = (env: Readonly<Record<string, string>>): string | null =>
      detectCiEnvironment(machineOf({ ...azure, env: { ...azure.env, ...env } })).pullRequestUrl;
    const repos = 'https://acme@dev.azure.com/acme/Mobile/_git/app';
    expect(pageOf({ BUILD_REPOSITORY_URI: repos, BUILD_REPOSITORY_PROVIDER: 'TfsGit' })).toBe(
      'https://dev.azure.com/acme/Mobile/_git/app/pullrequest/512',
    );
    const github = {
      BUILD_REPOSITORY_URI: 'https://github.com/acme/app.git',
      SYSTEM_PULLREQUEST_PULLREQUESTNUMBER: '12',
    };
    expect(pageOf(github)).toBe('https://github.com/acme/app/pull/12');
    expect(pageOf({})).toBeNull();
    expect(pageOf({ BUILD_REPOSITORY_URI: repos, BUILD_REPOSITORY_PROVIDER: 'Bitbucket' })).toBeNull();
  });
});
