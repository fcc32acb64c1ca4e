import { gitIn } from '../ci/environments';
import { type Context } from '../context';

/** The maximum number of commits that the notes list. */
const MAX_COMMITS = 100;

/** A commit of a build is any text that its uploader sent. Git would read one with a hyphen as an option. */
export const COMMIT = /^[\da-f]{7,64}$/i;

/**
 * The subjects of the commits since the last build of the branch, newest first. The message of the last commit when there is no such build
 * or commit, or when the history of this clone does not contain the commit of the build. Null outside a repository.
 */
export async function notesFromGit(context: Context, branch: string | undefined): Promise<string | null> {
  const { output, process } = context;
  const git = gitIn(process.cwd);
  const lastMessage = git('log', '-1', '--format=%B');
  if (lastMessage === null) {
    output.warn('There are no notes: git log failed. Run the command in a repository.');
    return null;
  }
  const since = await lastCommit(context, branch);
  if (since === null) return lastMessage;
  if (git('merge-base', '--is-ancestor', since, 'HEAD') === null) {
    if (git('rev-parse', '--is-shallow-repository') === 'true') {
      output.warn(`The notes contain the last commit only: the clone is shallow. Fetch the history since ${since}.`);
    }
    return lastMessage;
  }
  const subjects = git('log', `--max-count=${MAX_COMMITS}`, '--no-merges', '--format=- %s', `${since}..HEAD`);
  return subjects || lastMessage;
}

/** The commit of the last build of a branch. Null when there is none. */
async function lastCommit(context: Context, branch: string | undefined): Promise<string | null> {
  if (branch === undefined) return null;
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  const { items } = await client.request('GET /builds', { query: { ...scope, branch, limit: 10 } });
  return items.map(({ source }) => source.commit).find((commit) => commit !== null && COMMIT.test(commit)) ?? null;
}
