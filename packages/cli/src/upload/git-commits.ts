import { platformInName, type UploadFields } from '@agate/client';
import { type Git, gitIn } from '../ci/environments';
import { type Context } from '../context';
import { COMMIT } from './git-notes';

export interface CommitsOptions {
  /** False with `--no-commits`. */
  readonly commits: boolean;
}

type Commits = Pick<UploadFields, 'commits' | 'commits_since'>;
type Commit = NonNullable<UploadFields['commits']>[number];

/** The maximum number of commits that the service accepts. */
const MAX_COMMITS = 100;
/** The newest builds of a branch and platform whose commits are looked up in the repository. */
const RECENT_BUILDS = 20;
/** The longest texts that the service keeps. */
const SUBJECT_LENGTH = 256;
const AUTHOR_LENGTH = 100;

/**
 * The commits since the newest build of the branch and platform that the commit of this build descends from. A build of the same commit does
 * not count, so that a repeated run finds the same commits and continues its upload. Empty when they are unknown: the list never makes an
 * upload fail.
 */
export async function commitsOf(
  context: Context,
  fileName: string,
  { branch, commit, platform = platformInName(fileName) }: UploadFields,
  options: CommitsOptions,
): Promise<Commits> {
  const { output, process } = context;
  if (!options.commits || !branch || !platform || !commit || !COMMIT.test(commit)) return {};
  const git = gitIn(process.cwd);
  if (git('rev-parse', '--git-dir') === null) return {};
  const built = await builtCommits(context, { branch, platform, limit: RECENT_BUILDS });
  const others = built.filter((other) => !isSame(other, commit));
  const [newest] = others;
  if (newest === undefined) return {};
  const since = others.find((other) => git('merge-base', '--is-ancestor', other, commit) !== null);
  if (since !== undefined) return commitsBetween(git, since, commit);
  const isShallow = git('rev-parse', '--is-shallow-repository') === 'true';
  if (isShallow) {
    output.say(`The build gets no list of commits: the clone is shallow. Fetch the history since ${newest}.`);
  }
  return {};
}

/** The commits of the newest builds, newest first. Empty when the service does not tell them. */
async function builtCommits(
  context: Context,
  filter: { readonly branch: string; readonly platform: NonNullable<UploadFields['platform']>; readonly limit: number },
): Promise<readonly string[]> {
  try {
    const [client, scope] = await Promise.all([context.client(), context.scope()]);
    const { items } = await client.request('GET /builds', { query: { ...scope, ...filter } });
    return items.flatMap(({ source }) => (source.commit && COMMIT.test(source.commit) ? [source.commit] : []));
  } catch (error) {
    context.output.debug(`The builds before this one are unknown: ${String(error)}`);
    return [];
  }
}

/** The subjects are data: the fields are separated by U+0000, which no commit contains. */
function commitsBetween(git: Git, since: string, commit: string): Commits {
  const range = [
    `--max-count=${MAX_COMMITS + 1}`,
    '--no-merges',
    '--format=%H%x00%an%x00%s',
    `${since}..${commit}`,
    '--',
  ];
  const lines = git('log', ...range)?.split('\n');
  if (!lines) return {};
  const commits = lines.filter((line) => line !== '').map(commitOf);
  // A list that was cut does not begin at the last build.
  if (commits.length > MAX_COMMITS) return { commits: commits.slice(0, MAX_COMMITS) };
  return { commits, commits_since: since };
}

function commitOf(line: string): Commit {
  const [sha = '', author = '', subject = ''] = line.split('\0');
  return { sha, subject: cut(subject, SUBJECT_LENGTH), ...(author && { author: cut(author, AUTHOR_LENGTH) }) };
}

const cut = (text: string, length: number): string => [...text].slice(0, length).join('');

const isSame = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one);
