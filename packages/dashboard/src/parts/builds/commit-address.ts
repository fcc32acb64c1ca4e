import { type Build } from '../../queries/project/builds';

type Source = Pick<Build['source'], 'commit' | 'ci_url' | 'pull_request'>;

/** A page of a repository of GitHub, GitLab, Gitea, Forgejo, Bitbucket or Azure. GitLab separates its own pages from groups by `/-`. */
const PAGE =
  /^(https?:\/\/[^/]+(?:\/[^/]+){2,}?(?:\/-)?)\/(?:actions\/runs|pulls?|jobs|pipelines|merge_requests|pull-requests|pullrequest)\/\w/;

/**
 * The page of a commit, if not given that of the build. Null when neither the pull request nor the CI run of the build tells the
 * repository.
 */
export function commitAddress({ commit, ci_url, pull_request }: Source, hash = commit): string | null {
  const [, repository] = PAGE.exec(pull_request?.url ?? '') ?? PAGE.exec(ci_url ?? '') ?? [];
  if (repository === undefined || hash === null || !/^[\da-f]{7,64}$/i.test(hash)) return null;
  return `${repository}/commit${repository.includes('bitbucket') ? 's' : ''}/${hash}`;
}
