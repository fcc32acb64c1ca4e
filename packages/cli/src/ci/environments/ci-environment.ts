/** Where a build comes from, as the CI describes it. */
export interface CiEnvironment {
  /** The name of the CI for people, such as `GitLab CI`; null on a desk. */
  readonly name: string | null;
  /** The source branch; null for a tag, a detached head, and a fork whose branch the CI does not name. */
  readonly branch: string | null;
  /** The full hash of the head commit, never of a merge commit that the CI made for the pull request. */
  readonly commit: string | null;
  /** The page of the CI job, without credentials. */
  readonly url: string | null;
  /** The number of the pull request; null otherwise. */
  readonly pullRequest: number | null;
  /** The page of the pull request; null when the CI does not say. */
  readonly pullRequestUrl: string | null;
  /** Identifies this run and attempt within the CI, so that an upload resumes only within it; null on a desk. */
  readonly run: string | null;
}
