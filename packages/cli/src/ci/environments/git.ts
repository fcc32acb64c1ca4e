import { execFileSync } from 'node:child_process';

/** The trimmed output of git, possibly empty. Null when git is missing or fails. */
export type Git = (...args: readonly string[]) => string | null;

const TIMEOUT_MS = 10_000;

/**
 * Overrides settings of the repository that name programs or servers: git must read, and nothing else. `filter` drivers of a repository
 * cannot be overridden; only `git status` runs them.
 */
const READ_ONLY = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'log.showSignature=false',
  'i18n.logOutputEncoding=UTF-8',
].flatMap((setting) => ['-c', setting]);

/** A partial clone would fetch missing commits, by a transport that its settings choose. */
const WITHOUT_NETWORK = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_OPTIONAL_LOCKS: '0' };

/** Runs git in a folder, without a shell. */
export const gitIn =
  (cwd: string): Git =>
  (...args) => {
    try {
      return execFileSync('git', [...READ_ONLY, ...args], {
        cwd,
        encoding: 'utf8',
        env: { ...process.env, ...WITHOUT_NETWORK },
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: TIMEOUT_MS,
      }).trim();
    } catch {
      return null;
    }
  };
