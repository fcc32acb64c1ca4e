import { type Build } from '../../queries/project/builds';

/** Pages below a repository, and where the host has the page of a commit. */
const HOSTS: readonly (readonly [page: RegExp, commits: string])[] = [
  // GitLab, also in subgroups.
  [/^(https?:\/\/.+?)\/-\/(?:jobs|pipelines|merge_requests)\//, '/-/commit/'],
  // GitHub, Gitea, Forgejo.
  [/^(https?:\/\/[^/]+\/[^/]+\/[^/]+)\/(?:actions\/runs|pulls?)\/\d/, '/commit/'],
  // Bitbucket.
  [/^(https?:\/\/[^/]+\/[^/]+\/[^/]+)\/(?:pull-requests|pipelines)\//, '/commits/'],
];

/** The page of the commit of a build. Null when neither the pull request nor the CI run tells the repository. */
export function commitAddress({ commit, ci_url, pull_request }: Build['source']): string | null {
  if (commit === null || !/^[\da-f]{7,64}$/i.test(commit)) return null;
  for (const url of [pull_request?.url, ci_url]) {
    for (const [page, commits] of HOSTS) {
      const repository = page.exec(url ?? '')?.[1];
      if (repository) return repository + commits + commit;
    }
  }
  return null;
}
