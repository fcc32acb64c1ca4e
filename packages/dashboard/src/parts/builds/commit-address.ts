import { type Build } from '../../queries/project/builds';

/** A page of a repository of GitHub, GitLab, Gitea, Forgejo or Bitbucket. GitLab separates its own pages from groups by `/-`. */
const PAGE =
  /^(https?:\/\/[^/]+(?:\/[^/]+){2,}?(?:\/-)?)\/(?:actions\/runs|pulls?|jobs|pipelines|merge_requests|pull-requests)\/\w/;

/** The page of the commit of a build. Null when neither the pull request nor the CI run tells the repository. */
export function commitAddress({ commit, ci_url, pull_request }: Build['source']): string | null {
  const [, repository] = PAGE.exec(pull_request?.url ?? '') ?? PAGE.exec(ci_url ?? '') ?? [];
  if (repository === undefined || commit === null || !/^[\da-f]{7,64}$/i.test(commit)) return null;
  return `${repository}/commit${repository.includes('bitbucket') ? 's' : ''}/${commit}`;
}
