import { branchOf, first, type Machine, type Provider, type Source } from './provider';

const jenkins = ({ env }: Machine): Source => ({
  branch: first(env['CHANGE_BRANCH'], env['BRANCH_NAME'], jenkinsBranch(env['GIT_BRANCH'])),
  tag: env['TAG_NAME'],
  commit: env['GIT_COMMIT'],
  url: env['BUILD_URL'],
  pullRequest: env['CHANGE_ID'],
  pullRequestUrl: env['CHANGE_URL'],
  pullRequestTitle: env['CHANGE_TITLE'],
});

/** The git plugin prefixes the name of the remote, and writes `detached` for a commit without a branch. */
function jenkinsBranch(name: string | undefined): string | undefined {
  if (name === 'detached') return undefined;
  return branchOf(name?.replace(/^(refs\/remotes\/)?origin\//, ''));
}

/** The page of the pull request: those of GitHub have a number, those of Azure Repos an id. Undefined for other hosts of repositories. */
function azurePullRequest(env: Machine['env']): string | undefined {
  const repository = env['BUILD_REPOSITORY_URI']?.replace(/(\.git)?\/?$/, '');
  const number = env['SYSTEM_PULLREQUEST_PULLREQUESTNUMBER'];
  if (!repository) return undefined;
  if (number) return `${repository}/pull/${number}`;
  const isAzureRepos = env['BUILD_REPOSITORY_PROVIDER'] === 'TfsGit';
  return isAzureRepos ? `${repository}/pullrequest/${env['SYSTEM_PULLREQUEST_PULLREQUESTID']}` : undefined;
}

function azure({ env }: Machine): Source {
  const collection = env['SYSTEM_COLLECTIONURI'];
  const project = encodeURIComponent(env['SYSTEM_TEAMPROJECT'] ?? '');
  const reference = env['BUILD_SOURCEBRANCH'];
  return {
    branch: first(branchOf(env['SYSTEM_PULLREQUEST_SOURCEBRANCH']), branchOf(reference)),
    tag: reference?.startsWith('refs/tags/') ? reference : undefined,
    commit: first(env['SYSTEM_PULLREQUEST_SOURCECOMMITID'], env['BUILD_SOURCEVERSION']),
    url:
      collection &&
      `${collection.replace(/\/?$/, '/')}${project}/_build/results?buildId=${encodeURIComponent(env['BUILD_BUILDID'] ?? '')}`,
    // The first variable is the number at GitHub, the second the id at Azure Repos.
    pullRequest: first(env['SYSTEM_PULLREQUEST_PULLREQUESTNUMBER'], env['SYSTEM_PULLREQUEST_PULLREQUESTID']),
    pullRequestUrl: azurePullRequest(env),
  };
}

const circle = ({ env }: Machine): Source => ({
  // For forks the branch is `pull/12`.
  branch: env['CIRCLE_BRANCH']?.startsWith('pull/') ? null : env['CIRCLE_BRANCH'],
  tag: env['CIRCLE_TAG'],
  commit: env['CIRCLE_SHA1'],
  url: env['CIRCLE_BUILD_URL'],
  pullRequestUrl: env['CIRCLE_PULL_REQUEST'],
  pullRequest: first(env['CIRCLE_PR_NUMBER'], env['CIRCLE_PULL_REQUEST']?.split('/').at(-1)),
});

const buildkite = ({ env }: Machine): Source => ({
  branch: env['BUILDKITE_BRANCH'],
  tag: env['BUILDKITE_TAG'],
  commit: env['BUILDKITE_COMMIT'],
  url: env['BUILDKITE_BUILD_URL'],
  pullRequest: env['BUILDKITE_PULL_REQUEST'],
});

/** TeamCity has no variable for the branch. It writes its parameters to a file, whose path another file contains. */
function teamCity({ env, readText }: Machine): Source {
  const build = propertiesOf(readText, env['TEAMCITY_BUILD_PROPERTIES_FILE']);
  const parameters = propertiesOf(readText, build.get('teamcity.configuration.properties.file'));
  const reference = first(env['BUILD_BRANCH'], parameters.get('teamcity.build.branch'));
  return {
    branch: reference === '<default>' ? undefined : branchOf(reference),
    tag: reference?.startsWith('refs/tags/') ? reference : undefined,
    commit: env['BUILD_VCS_NUMBER'],
    url: env['BUILD_URL'],
    pullRequest: parameters.get('teamcity.pullRequest.number'),
    pullRequestTitle: parameters.get('teamcity.pullRequest.title'),
  };
}

/** Reads `key=value` lines of a Java properties file, in which `:`, `=` and `\` are escaped. */
function propertiesOf(readText: Machine['readText'], path: string | undefined): ReadonlyMap<string, string> {
  const lines = ((path && readText(path)) || '').split(/\r?\n/).filter((line) => !/^\s*[#!]/.test(line));
  return new Map(
    lines.flatMap((line) => {
      const [, key, value] = /^((?:[^=\\]|\\.)+)=(.*)$/.exec(line) ?? [];
      return key === undefined ? [] : [[unescaped(key).trim(), unescaped(value ?? '').trim()] as const];
    }),
  );
}

const unescaped = (text: string): string => text.replaceAll(/\\(.)/g, '$1');

/** The CIs that build any kind of project from any repository host. */
export const SERVERS: readonly Provider[] = [
  { name: 'Azure Pipelines', detect: 'TF_BUILD', source: azure },
  { name: 'CircleCI', detect: 'CIRCLECI', source: circle },
  { name: 'Buildkite', detect: 'BUILDKITE', source: buildkite },
  { name: 'TeamCity', detect: 'TEAMCITY_VERSION', source: teamCity },
  { name: 'Jenkins', detect: 'JENKINS_URL', source: jenkins },
];
