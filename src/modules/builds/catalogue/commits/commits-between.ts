import { type BuildChanges, type BuildCommit } from './build-commits';

/** A build of a branch with the commits since the build before it. */
export interface ChangedBuild extends Pick<BuildChanges, 'commits' | 'commitsSince'> {
  readonly id: string;
  readonly commit: string | null;
}

/** The commits that one build contains and an earlier one of its branch does not. */
export interface CommitsBetween {
  /** Newest first. */
  readonly added: readonly BuildCommit[];
  /** The number of further commits. */
  readonly furtherCommits: number;
  /** The ids of builds before which commits are unknown: their uploads named none, or none that follow on an earlier build. */
  readonly missing: readonly string[];
}

/** The number of commits in a comparison. */
const COMPARED_COMMITS = 500;
/** Shorter beginnings of hashes are ambiguous. */
const MIN_SHORT_HASH = 7;

/**
 * Puts the lists of builds together, from one build to an earlier one. A list begins after a commit, so the walk continues at the build of
 * that commit and skips the builds between, which were made of the same commits.
 * @param builds of one branch and platform, newest first, from the one build to the earlier one, which is missing when they are too many.
 * @returns null when no upload named commits.
 */
export function commitsBetween(builds: readonly ChangedBuild[], earlierId: string): CommitsBetween | null {
  const listed: BuildCommit[] = [];
  const missing: string[] = [];
  let isKnown = false;
  let at = 0;
  for (let build = builds[at]; build && build.id !== earlierId; build = builds[at]) {
    isKnown ||= build.commits !== null;
    listed.push(...(build.commits ?? []));
    const before = indexBefore(builds, at);
    if (before === null) missing.push(build.id);
    at = before ?? at + 1;
  }
  if (!isKnown) return null;
  const all = withoutRepetitions(listed);
  return {
    added: all.slice(0, COMPARED_COMMITS),
    furtherCommits: Math.max(0, all.length - COMPARED_COMMITS),
    missing,
  };
}

/** The newest earlier build whose commit the list of a build begins after. */
function indexBefore(builds: readonly ChangedBuild[], at: number): number | null {
  const since = builds[at]?.commits ? builds[at].commitsSince : null;
  if (since === null) return null;
  const found = builds.findIndex(({ commit }, index) => index > at && commit !== null && isSameCommit(commit, since));
  return found === -1 ? null : found;
}

/** The commits in their order, each once: one list may have the hash of a commit, and another the beginning of it. */
function withoutRepetitions(commits: readonly BuildCommit[]): readonly BuildCommit[] {
  // Sorted by their hashes, longer forms of a hash come directly after it.
  const sorted = commits
    .map(({ sha }, at) => ({ hash: sha.toLowerCase(), at }))
    .toSorted((one, other) => (one.hash < other.hash ? -1 : 1));
  const firsts = new Map<string, number>();
  let beginning = '';
  for (const { hash, at } of sorted) {
    if (!isSameCommit(beginning, hash)) beginning = hash;
    firsts.set(beginning, Math.min(firsts.get(beginning) ?? at, at));
  }
  const kept = new Set(firsts.values());
  return commits.filter((_, at) => kept.has(at));
}

/** Whether two hashes are of one commit. One of them may be the beginning of the other. */
function isSameCommit(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= MIN_SHORT_HASH && long.startsWith(short);
}
