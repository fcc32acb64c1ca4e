import { setImmediate as otherWork } from 'node:timers/promises';
import { matchesBranch } from '#kernel/builds/branch-pattern';

/** The time after which other requests get a turn. */
const TURN_MS = 10;

/**
 * The branches that match one of the patterns. Projects choose both: ten thousand long branches and the patterns of ten rules take minutes, so
 * other requests run in between, and an aborted request ends it.
 */
export async function matchingBranches(
  patterns: readonly string[],
  branches: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  const matching: string[] = [];
  let turnEndsAt = performance.now() + TURN_MS;
  for (const branch of branches) {
    if (performance.now() > turnEndsAt) {
      await otherWork();
      signal?.throwIfAborted();
      turnEndsAt = performance.now() + TURN_MS;
    }
    if (patterns.some((pattern) => matchesBranch(pattern, branch))) matching.push(branch);
  }
  return matching;
}
