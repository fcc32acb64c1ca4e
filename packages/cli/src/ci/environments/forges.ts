import { branchOf, first, type Machine, type Provider, type Source } from './provider';

interface PullRequestEvent {
  readonly pull_request?: {
    readonly number?: number;
    readonly html_url?: string;
    readonly title?: unknown;
    readonly head?: { readonly sha?: string };
  };
}

/** The event file of a workflow run. Its pull request names the head commit; `GITHUB_SHA` is a merge commit. */
function eventOf({ env, readText }: Machine): PullRequestEvent {
  const text = env['GITHUB_EVENT_PATH'] ? readText(env['GITHUB_EVENT_PATH']) : null;
  try {
    return ((text && JSON.parse(text)) || {}) as PullRequestEvent;
  } catch {
    return {};
  }
}

/** The number in the reference of a pull request, such as `refs/pull/12/merge`. */
const numberOf = (reference = ''): string | undefined => /^refs\/pull\/(\d+)\//.exec(reference)?.[1];

const titleOf = (pullRequest: PullRequestEvent['pull_request']): string | undefined =>
  typeof pullRequest?.title === 'string' ? pullRequest.title : undefined;

function workflowRun(machine: Machine): Source {
  const { env } = machine;
  const { pull_request: pullRequest } = eventOf(machine);
  const server = env['GITHUB_SERVER_URL'];
  const isBranch = env['GITHUB_REF_TYPE'] === 'branch' && !env['GITHUB_REF']?.startsWith('refs/pull/');
  return {
    branch: first(env['GITHUB_HEAD_REF'], isBranch ? env['GITHUB_REF_NAME'] : undefined),
    tag: env['GITHUB_REF_TYPE'] === 'tag' ? env['GITHUB_REF_NAME'] : undefined,
    commit: first(pullRequest?.head?.sha, env['GITHUB_SHA']),
    url: server && `${server}/${env['GITHUB_REPOSITORY']}/actions/runs/${env['GITHUB_RUN_ID']}`,
    pullRequest: first(pullRequest?.number?.toString(), numberOf(env['GITHUB_REF'])),
    pullRequestUrl: pullRequest?.html_url,
    pullRequestTitle: titleOf(pullRequest),
  };
}

const gitlab = ({ env }: Machine): Source => ({
  branch: first(env['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME'], env['CI_COMMIT_BRANCH']),
  tag: env['CI_COMMIT_TAG'],
  // Only pipelines of merged results set the first variable. In other pipelines of merge requests the second one is the head commit.
  commit: first(env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'], env['CI_COMMIT_SHA']),
  url: env['CI_JOB_URL'],
  pullRequest: env['CI_MERGE_REQUEST_IID'],
  pullRequestUrl:
    env['CI_MERGE_REQUEST_PROJECT_URL'] &&
    `${env['CI_MERGE_REQUEST_PROJECT_URL']}/-/merge_requests/${env['CI_MERGE_REQUEST_IID']}`,
  pullRequestTitle: env['CI_MERGE_REQUEST_TITLE'],
});

const bitbucket = ({ env }: Machine): Source => {
  const repository = env['BITBUCKET_REPO_FULL_NAME'];
  const origin = first(env['BITBUCKET_GIT_HTTP_ORIGIN'], repository && `https://bitbucket.org/${repository}`);
  return {
    branch: env['BITBUCKET_BRANCH'],
    tag: env['BITBUCKET_TAG'],
    commit: env['BITBUCKET_COMMIT'],
    url: origin && `${origin}/pipelines/results/${env['BITBUCKET_BUILD_NUMBER']}`,
    pullRequest: env['BITBUCKET_PR_ID'],
    pullRequestUrl: origin && `${origin}/pull-requests/${env['BITBUCKET_PR_ID']}`,
  };
};

const woodpecker = ({ env }: Machine): Source => ({
  branch: first(env['CI_COMMIT_SOURCE_BRANCH'], env['CI_COMMIT_BRANCH']),
  tag: env['CI_COMMIT_TAG'],
  commit: env['CI_COMMIT_SHA'],
  url: first(env['CI_PIPELINE_URL'], env['CI_BUILD_LINK']),
  pullRequest: env['CI_COMMIT_PULL_REQUEST'],
});

const drone = ({ env }: Machine): Source => ({
  branch: first(env['DRONE_SOURCE_BRANCH'], branchOf(env['DRONE_COMMIT_REF']), env['DRONE_BRANCH']),
  tag: env['DRONE_TAG'],
  commit: env['DRONE_COMMIT_SHA'],
  url: env['DRONE_BUILD_LINK'],
  pullRequest: env['DRONE_PULL_REQUEST'],
  pullRequestTitle: env['DRONE_PULL_REQUEST_TITLE'],
});

/** The CIs that are part of a repository host. */
export const FORGES: readonly Provider[] = [
  // Gitea and Forgejo set GITHUB_ACTIONS, too.
  { name: 'Gitea Actions', detect: 'GITEA_ACTIONS', source: workflowRun },
  { name: 'Forgejo Actions', detect: 'FORGEJO_ACTIONS', source: workflowRun },
  { name: 'GitHub Actions', detect: 'GITHUB_ACTIONS', source: workflowRun },
  { name: 'GitLab CI', detect: 'GITLAB_CI', source: gitlab },
  { name: 'Bitbucket Pipelines', detect: 'BITBUCKET_BUILD_NUMBER', source: bitbucket },
  { name: 'Woodpecker', detect: ({ CI }) => CI === 'woodpecker', source: woodpecker },
  { name: 'Drone', detect: 'DRONE', source: drone },
];
