import { FORGES } from './forges';
import { MOBILE } from './mobile';
import { type Machine, type Provider } from './provider';
import { SERVERS } from './servers';

/** The source of a build, as the CI describes it. */
export interface CiEnvironment {
  /** The name of the CI for people, such as `GitLab CI`; null on a developer's machine. */
  readonly name: string | null;
  /** The source branch; null for a tag, a detached head, and a fork whose branch the CI does not name. */
  readonly branch: string | null;
  /** The full hash of the head commit, never of a merge commit that the CI made for the pull request. */
  readonly commit: string | null;
  /** The page of the CI job, without credentials. */
  readonly url: string | null;
  /** The number of the pull request; null otherwise. */
  readonly pullRequest: number | null;
  /** The page of the pull request; null when the CI does not name it. */
  readonly pullRequestUrl: string | null;
  /** The title of the pull request; null when the CI does not name it. */
  readonly pullRequestTitle: string | null;
}

const PROVIDERS: readonly Provider[] = [...MOBILE, ...FORGES, ...SERVERS];

/** The longest texts that the service accepts. */
const BRANCH_LENGTH = 255;
const URL_LENGTH = 2000;
const TITLE_LENGTH = 256;

/**
 * Describes the source of a build from the variables of the CI, and from git where the CI sets none. A value that the service would reject
 * is dropped: metadata never makes an upload fail.
 */
export function detectCiEnvironment(machine: Machine): CiEnvironment {
  const provider = PROVIDERS.find(({ detect }) => isDetected(detect, machine.env));
  if (!provider) return withoutProvider(machine);
  const source = provider.source(machine);
  const pullRequest = numberOrNull(source.pullRequest);
  return {
    name: provider.name,
    branch: source.tag || source.branch === null ? null : (branchOrNull(source.branch) ?? branchOfGit(machine)),
    commit: commitOrNull(source.commit) ?? commitOfGit(machine),
    url: addressOrNull(source.url),
    pullRequest,
    pullRequestUrl: pullRequest === null ? null : addressOrNull(source.pullRequestUrl),
    pullRequestTitle: pullRequest === null ? null : titleOrNull(source.pullRequestTitle),
  };
}

/** For any other CI, only the name is known. */
const withoutProvider = (machine: Machine): CiEnvironment => ({
  name: machine.otherCi,
  branch: branchOfGit(machine),
  commit: commitOfGit(machine),
  url: null,
  pullRequest: null,
  pullRequestUrl: null,
  pullRequestTitle: null,
});

function isDetected(detect: Provider['detect'], env: Machine['env']): boolean {
  if (typeof detect === 'function') return detect(env);
  return isSet(env[detect]);
}

const isSet = (value: string | undefined): boolean => Boolean(value) && !/^(false|0)$/i.test(value ?? '');

const branchOfGit = ({ git }: Machine): string | null => branchOrNull(git('symbolic-ref', '--short', 'HEAD'));

const commitOfGit = ({ git }: Machine): string | null => commitOrNull(git('rev-parse', 'HEAD'));

const isBranch = (text: string): boolean => text.length <= BRANCH_LENGTH && !/\p{Cc}/u.test(text);

const branchOrNull = (text: string | null | undefined): string | null => (text && isBranch(text) ? text : null);

/** Some CIs write `HEAD` for the commit of a build that was started by hand. */
const commitOrNull = (text: string | null | undefined): string | null =>
  text && /^[0-9a-f]{7,64}$/i.test(text) ? text.toLowerCase() : null;

const numberOrNull = (text: string | null | undefined): number | null =>
  text && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;

/** The service cuts a title and removes its control characters, but rejects U+0000 and halves of characters. */
const titleOrNull = (text: string | null | undefined): string | null =>
  [...(text ?? '').replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim()].slice(0, TITLE_LENGTH).join('') || null;

/** A web address without the credentials that some CIs put into it. */
function addressOrNull(text: string | null | undefined): string | null {
  if (!text || !URL.canParse(text)) return null;
  const address = new URL(text);
  if (!/^https?:$/.test(address.protocol)) return null;
  if (!address.username && !address.password) return text.length <= URL_LENGTH && !/\s/.test(text) ? text : null;
  address.username = '';
  address.password = '';
  return address.href.length <= URL_LENGTH ? address.href : null;
}
