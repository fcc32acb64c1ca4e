import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { inRoot, root } from './project.mjs';

/**
 * The version that a build of the present sources has. A release has that of package.json; other sources add their commit as build metadata
 * (https://semver.org, 10): `1.4.0+9fceb02d1`, with `.modified` after changes that are not committed. Without git the commit is
 * AGATE_COMMIT, or left out.
 */
export function versionOfBuild() {
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const commit = isRepository() ? commitOfSources(`v${version}`) : (process.env.AGATE_COMMIT ?? '');
  return commit ? `${version}+${commit}` : version;
}

/** Empty for a release. */
function commitOfSources(tag) {
  const change = git('status', '--porcelain', '--untracked-files=no') ? '.modified' : '';
  if (!change && git('tag', '--points-at', 'HEAD').split('\n').includes(tag)) return '';
  return git('rev-parse', '--short=9', 'HEAD') + change;
}

/** Whether these sources are a repository, and not a folder of another one. */
function isRepository() {
  try {
    return realpathSync(git('rev-parse', '--show-toplevel')) === realpathSync(root) && git('rev-parse', 'HEAD') !== '';
  } catch {
    return false;
  }
}

const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
